/**
 * Local development: a Gatehouse on a data directory of its own, the dashboard rebuilt and reloaded on every change, and
 * a proxy that signs calls in with a token the browser never sees. Not part of any build.
 */
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { compose } from "../src/cli/compose.ts";
import { readConfig } from "../src/config.ts";
import { buildWeb } from "./build-web.ts";

const root = join(import.meta.dirname, "..");
const folder = process.env["DEV_FOLDER"] ?? join(root, "dist", "dev");
const out = join(folder, "web");
const admin = { email: "dev@localhost.test", password: "local development only" };
const PAUSE_MS = 100;

/** Holds its port from the start; 0 in PORT picks a free one. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"] ?? 5173),
  idleTimeout: 0,
  fetch: () => new Response("Starting…", { status: 503, headers: { refresh: "1" } }),
});
const address = `http://localhost:${server.port}`;

const gatehouse = await compose(
  readConfig({
    GATEHOUSE_DATA: join(folder, "data"),
    GATEHOUSE_PORT: "0",
    GATEHOUSE_ADMIN_EMAIL: admin.email,
    GATEHOUSE_ADMIN_PASSWORD: admin.password,
    GATEHOUSE_ORG_NAME: "Development",
    GATEHOUSE_PUBLIC_URL: address,
    GATEHOUSE_LOG_LEVEL: "warn",
  }),
  { write: line => console.error(line) },
);

const signIn = async () => {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${gatehouse.url}/api/auth/login`, {
    method: "POST",
    headers,
    body: JSON.stringify(admin),
  });
  if (!reply.ok) throw new Error(`the development account cannot sign in: ${await reply.text()}`);
  return (await reply.json()) as { token: string };
};
const { token, ...who } = await signIn();

const waiting = new Set<ReadableStreamDefaultController<string>>();
const build = () => buildWeb({ entry: "dev.tsx", out });
await build();

let timer: ReturnType<typeof setTimeout> | undefined;
for (const folder of ["src/web", "src/domain"])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(rebuild, PAUSE_MS);
  });

async function rebuild(): Promise<void> {
  try {
    await build();
    for (const page of waiting) page.enqueue("data: built\n\n");
  } catch (error) {
    console.error(error);
  }
}

const reloads = () => {
  let mine: ReadableStreamDefaultController<string>;
  const stream = new ReadableStream<string>({
    start(controller) {
      waiting.add((mine = controller));
      controller.enqueue(": waiting for a change\n\n");
    },
    cancel: () => void waiting.delete(mine),
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
};

function proxied(request: Request, path: string): Promise<Response> {
  const headers = new Headers(request.headers);
  if (headers.get("authorization") === "Bearer dev-proxy") headers.set("authorization", `Bearer ${token}`);
  headers.delete("accept-encoding");
  const { method, body, signal } = request;
  return fetch(gatehouse.url + path, { method, headers, body, signal, redirect: "manual" });
}

const file = (name: string) => new Response(Bun.file(join(out, name)), { headers: { "cache-control": "no-store" } });

server.reload({
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/__dev/session") return Response.json(who);
    if (pathname === "/__dev/reload") return reloads();
    if (pathname.startsWith("/assets/")) return file(pathname.slice("/assets/".length));
    if (/^\/(api|v1|\.well-known)\//.test(pathname)) return proxied(request, pathname + search);
    return new Response(readFileSync(join(out, "index.html")), { headers: { "content-type": "text/html" } });
  },
});
console.log(`The dashboard is at ${address}, signed in as ${admin.email}; it reloads when src/web changes.`);
