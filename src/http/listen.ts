import type { Handler } from "./front-door.ts";
import { pathOf, withOrigin } from "./address.ts";

/** The one seam to the two servers: Bun.serve and Deno.serve. Their own limits stand above the application's. */
export interface Listener {
  hostname: string;
  port: number;
  /** Accepts no more and lets requests under way finish. */
  stop(): Promise<void>;
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

export const listen = (handle: Handler, options: ListenOptions): Listener =>
  "Bun" in globalThis ? listenBun(handle, options) : listenDeno(handle, options);

function listenBun(handle: Handler, { hostname, port, onError }: ListenOptions): Listener {
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
      return handle(withOrigin(request), () => server.requestIP(request)?.address ?? "");
    },
    error: onError,
  });
  return { hostname: server.hostname!, port: server.port!, stop: () => server.stop() };
}

function listenDeno(handle: Handler, { hostname, port, onError }: ListenOptions): Listener {
  const server = Deno.serve({ hostname, port, onListen() {}, onError }, (request, info) =>
    handle(request, () => info.remoteAddr.hostname ?? ""),
  );
  return { ...server.addr, stop: () => server.shutdown() };
}
