import type { Ambient, Client, Event } from "./dialect.ts";
import { reading } from "./event.ts";
import { sessionOf, type Telemetry } from "./otlp.ts";
import { attributesOf, listOf, looseNumber, nanosToMs } from "./otlp-values.ts";
import { type Fields, fieldsOf, textOf } from "./payload.ts";

interface Point {
  metric: string;
  session: string;
  kind: string | undefined;
  value: number;
  nanos: unknown;
}

const metricsMax = 64;

/** One `telemetry.usage` event a session and export: the sums by metric and, for tokens, by kind. Histograms are dropped. */
export function readMetrics(group: Fields, client: Client | undefined, ambient: Ambient): Telemetry {
  const metrics = listOf(group["scopeMetrics"])
    .flatMap(scope => listOf(fieldsOf(scope)?.["metrics"]))
    .map(metric => fieldsOf(metric) ?? {});
  const points = metrics.flatMap(pointsOf);
  const sessions = Map.groupBy(points, point => point.session);
  const events = client ? [...sessions].map(([session, found]) => usage(client, session, found, ambient)) : [];
  return {
    events,
    dropped: client ? metrics.filter(metric => !metric["sum"] && !metric["gauge"]).length : metrics.length,
  };
}

function pointsOf(metric: Fields): Point[] {
  const name = textOf(metric["name"]) ?? "unnamed";
  const data = fieldsOf(metric["sum"]) ?? fieldsOf(metric["gauge"]);
  return listOf(data?.["dataPoints"]).flatMap(point => {
    const fields = fieldsOf(point) ?? {};
    const value = looseNumber(fields["asDouble"]) ?? looseNumber(fields["asInt"]);
    const attributes = attributesOf(fields["attributes"]);
    if (value === undefined) return [];
    return [
      {
        metric: name,
        session: sessionOf(attributes) ?? "",
        kind: textOf(attributes["type"]),
        value,
        nanos: fields["timeUnixNano"],
      },
    ];
  });
}

function usage(client: Client, session: string, points: Point[], ambient: Ambient): Event {
  const sums = new Map<string, number>();
  for (const { metric, kind, value } of points) {
    const key = kind ? `${metric}.${kind}` : metric;
    if (sums.has(key) || sums.size < metricsMax) sums.set(key, (sums.get(key) ?? 0) + value);
  }
  const nanos = points.at(-1)?.nanos;
  const { event } = reading(
    {
      client,
      phase: "other",
      hook: "metrics",
      type: "telemetry.usage",
      session_id: session || undefined,
      time_ms: nanosToMs(nanos),
      attributes: Object.fromEntries(sums),
    },
    ambient,
  );
  const id = `otel:${client}:${session}:usage:${String(nanos)}`;
  return nanos !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? { ...event, id } : event;
}
