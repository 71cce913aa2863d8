/** A load generator that costs little itself: the runtime's own sockets, kept alive, one request at a time on each. */
export interface Load {
  url: string;
  connections: number;
  seconds: number;
  /** The whole HTTP request, made anew for each; lent until the connection's next. */
  request(connection: number): Uint8Array;
}

export interface Measured {
  requests: number;
  per_second: number;
  /** Processor time that making, sending and reading one took here, microseconds. */
  own_cpu_us: number;
  p50_ms: number;
  p99_ms: number;
  /** Replies that were not 2xx or 304. */
  refused: number;
}

export async function measure({ url, connections, seconds, request }: Load): Promise<Measured> {
  const times: number[] = [];
  let refused = 0;
  const until = performance.now() + seconds * 1000;
  const one = async (connection: number) => {
    const line = await open(url);
    while (performance.now() < until) {
      const bytes = request(connection);
      const start = performance.now();
      const status = await line.send(bytes);
      times.push(performance.now() - start);
      if (status === 0 || status >= 400) refused++;
    }
    line.close();
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)));
  const taken_s = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const at = (q: number) => times[Math.floor(q * (times.length - 1))] ?? 0;
  return {
    requests: times.length,
    per_second: times.length / taken_s,
    own_cpu_us: (user + system) / times.length,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    refused,
  };
}

export interface Line {
  /** False once either side has ended it. */
  readonly isOpen: boolean;
  /** The status; 0 when the connection ended first. */
  send(request: Uint8Array): Promise<number>;
  close(): void;
}

export async function open(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  let isOpen = true;
  let settle: (status: number) => void = () => {};
  let text = "";
  let unsent: Uint8Array = new Uint8Array();
  const write = (socket: { write(bytes: Uint8Array): number }, bytes: Uint8Array) => {
    unsent = bytes.subarray(Math.max(0, socket.write(bytes)));
  };
  const ended = () => {
    isOpen = false;
    settle(0);
  };
  const data = (_: unknown, chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (!whole(text)) return;
    const status = Number(text.slice(9, 12));
    text = "";
    settle(status);
  };
  const drain = (socket: { write(bytes: Uint8Array): number }) => write(socket, unsent);
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data, drain, close: ended, error: ended },
  });
  return {
    get isOpen() {
      return isOpen;
    },
    send: bytes =>
      new Promise(done => {
        if (!isOpen) return done(0);
        settle = done;
        write(socket, bytes);
      }),
    close: () => void socket.end(),
  };
}

function whole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end)) ?? [];
  return text.length >= end + 4 + Number(length ?? 0);
}

/** A request's bytes; the body is JSON. */
export function post(path: string, token: string, body: string | Buffer): Uint8Array {
  const length = Buffer.byteLength(body);
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  return typeof body === "string" ? Buffer.from(head + body) : Buffer.concat([Buffer.from(head), body]);
}

export function get(path: string, token: string): Uint8Array {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}
