import type { Handler } from "./front-door.ts";
import { pathOf } from "./front-door.ts";

/** The one seam to the two servers: Bun.serve and Deno.serve. Their own limits stand above the application's. */
export interface Listener {
  hostname: string;
  port: number;
  /**
   * For so many milliseconds every reply also ends its connection, so that nobody is cut off who has just sent a request on one
   * kept open; then stops accepting and lets requests under way finish.
   */
  close(drain_ms?: number): Promise<void>;
}

export interface ListenOptions {
  hostname: string;
  port: number;
  /** The reply for a request that the server itself could not read. */
  onError(error: unknown): Response;
}

/** Above every limit of the application, so that refusals come from there, with their JSON body. */
const REQUEST_MAX_BYTES = 128 * 1024 * 1024;
/** Seconds a connection may be silent. Bun counts slow handlers too. */
const IDLE_S = 120;

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen(): void; onError(error: unknown): Response },
    handler: (request: Request, info: { remoteAddr: { hostname?: string } }) => Promise<Response>,
  ): { addr: { hostname: string; port: number }; shutdown(): Promise<void> };
};

interface Server {
  hostname: string;
  port: number;
  stop(): Promise<void>;
}

export function listen(handle: Handler, options: ListenOptions): Listener {
  let draining = false;
  const serve: Handler = async (request, peer) => {
    const response = await handle(request, peer);
    if (draining) response.headers.set("connection", "close");
    return response;
  };
  const { hostname, port, stop } = "Bun" in globalThis ? listenBun(serve, options) : listenDeno(serve, options);
  return {
    hostname,
    port,
    async close(drain_ms = 0) {
      draining = true;
      if (drain_ms > 0) await new Promise(resume => setTimeout(resume, drain_ms));
      await stop();
    },
  };
}

function listenBun(handle: Handler, { hostname, port, onError }: ListenOptions): Server {
  const server = Bun.serve({
    hostname,
    port,
    maxRequestBodySize: REQUEST_MAX_BYTES,
    idleTimeout: IDLE_S,
    development: false,
    // Outside development it would be shared with a server that already has it.
    reusePort: false,
    fetch(request, server) {
      if (pathOf(request.url).endsWith("/stream")) server.timeout(request, 0);
      return handle(request, () => server.requestIP(request)?.address ?? "");
    },
    error: onError,
  });
  return { hostname: server.hostname!, port: server.port!, stop: () => server.stop() };
}

function listenDeno(handle: Handler, { hostname, port, onError }: ListenOptions): Server {
  const server = Deno.serve({ hostname, port, onListen() {}, onError }, (request, info) =>
    handle(request, () => info.remoteAddr.hostname ?? ""),
  );
  return { ...server.addr, stop: () => server.shutdown() };
}
