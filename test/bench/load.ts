import { connect, type Socket } from "node:net";

/** A load generator that costs little itself: raw keep-alive connections, one request at a time on each. */
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
    line.socket.destroy();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => one(connection)));
  const taken_s = (performance.now() - start) / 1000;
  times.sort((a, b) => a - b);
  const at = (q: number) => times[Math.floor(q * (times.length - 1))] ?? 0;
  return { requests: times.length, per_second: times.length / taken_s, p50_ms: at(0.5), p99_ms: at(0.99), refused };
}

export interface Line {
  socket: Socket;
  /** The status; 0 when the connection ended first. */
  send(request: Uint8Array): Promise<number>;
}

export function open(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let settle: (status: number) => void = () => {};
    let text = "";
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () =>
      resolve({
        socket,
        send: bytes =>
          new Promise(done => {
            settle = done;
            socket.write(bytes);
          }),
      }),
    );
    socket.on("error", reject);
    socket.on("close", () => settle(0));
    socket.on("data", chunk => {
      text += chunk.toString("latin1");
      if (!whole(text)) return;
      const status = Number(text.slice(9, 12));
      text = "";
      settle(status);
    });
  });
}

function whole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end)) ?? [];
  return text.length >= end + 4 + Number(length ?? 0);
}

/** A request's bytes; the body is JSON. */
export function post(path: string, token: string, body: string | Buffer): Uint8Array {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const head = `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

export function get(path: string, token: string): Uint8Array {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}
