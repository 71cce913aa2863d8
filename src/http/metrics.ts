/** Numbers for the operator's monitoring (OpenMetrics 1.0 text). No organisation, agent or address is a label. */
export interface Metrics {
  /** One request that has been answered. */
  observe(status: number, latency_ms: number): void;
  render(gauges: Record<string, readonly [help: string, value: number]>): string;
}

const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const byStatus = new Map<number, number>();
  /** How many took no longer than each bound and longer than the one before. */
  const buckets = BOUNDS_S.map(() => 0);
  let count = 0;
  let sum_s = 0;
  return {
    observe(status, latency_ms) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      const seconds = Math.max(0, latency_ms) / 1000;
      count++;
      sum_s += seconds;
      const bucket = BOUNDS_S.findIndex(bound => seconds <= bound);
      if (bucket !== -1) buckets[bucket]!++;
    },
    render(gauges) {
      const lines = ["# HELP gatehouse_requests Requests answered.", "# TYPE gatehouse_requests counter"];
      for (const [status, n] of [...byStatus].sort(([a], [b]) => a - b))
        lines.push(`gatehouse_requests_total{status="${status}"} ${n}`);
      lines.push("# HELP gatehouse_request_seconds Time to answer.", "# TYPE gatehouse_request_seconds histogram");
      let within = 0;
      for (const [index, bound] of BOUNDS_S.entries())
        lines.push(`gatehouse_request_seconds_bucket{le="${bound}"} ${(within += buckets[index]!)}`);
      lines.push(`gatehouse_request_seconds_bucket{le="+Inf"} ${count}`);
      lines.push(`gatehouse_request_seconds_count ${count}`, `gatehouse_request_seconds_sum ${sum_s}`);
      for (const [name, [help, value]] of Object.entries(gauges))
        lines.push(`# HELP gatehouse_${name} ${help}`, `# TYPE gatehouse_${name} gauge`, `gatehouse_${name} ${value}`);
      return `${lines.join("\n")}\n# EOF\n`;
    },
  };
}
