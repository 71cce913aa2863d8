import { treaty } from "@elysiajs/eden";
import type { App } from "../../http/server.ts";
import { demo, dropDemo, inDemo, touchDemo } from "./demo.ts";
import { dropSession, inUse, session } from "./session.ts";

/** What went wrong, as the server said it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly request_id: string | undefined;
  readonly details: { path: string; message: string; line?: number; column?: number }[];
  readonly body: Record<string, unknown>;
  constructor(status: number, body: Record<string, unknown>) {
    super(String(body["message"] ?? body["error"] ?? `The server answered ${status}.`));
    this.status = status;
    this.code = String(body["error"] ?? "unknown");
    this.request_id = body["request_id"] as string | undefined;
    this.details = (body["details"] as ApiError["details"] | undefined) ?? [];
    this.body = body;
  }
}

type Api = ReturnType<typeof treaty<App>>["api"];

/** Calls carry whoever this page shows: the demo workspace below /demo, the person elsewhere. */
export function credentials(): Record<string, string> {
  if (inDemo()) return demo.value ? { "x-demo-session": demo.value.handle } : {};
  return session.value ? { authorization: `Bearer ${session.value.token}` } : {};
}

const TRIES_MAX = 3;

/** Calls that change nothing, though they carry a body. */
const HARMLESS = /\/policy\/(validate|replay)$/;

/** A reading call that the server was too busy for is asked again when it says so (RFC 9110 §10.2.3). */
async function patient(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  const asker = session.value?.token;
  for (let tries = 1; ; tries++) {
    const response = await fetch(input, init);
    noteAnswer(response, asker);
    const reading = (init?.method ?? "GET") === "GET" || HARMLESS.test(response.url);
    const again = response.status === 503 && reading && tries < TRIES_MAX;
    if (!again) return response;
    await new Promise(resolve => setTimeout(resolve, Number(response.headers.get("retry-after") ?? 1) * 1000));
  }
}

const root = treaty<App>(location.origin, {
  parseDate: false,
  headers: credentials,
  fetcher: patient as typeof fetch,
}) as unknown as { api: Api & { demo: Api } };

/** Every route of the server, typed by the server itself. Below /demo the same tree of the demo workspace. */
export const api = (): Api => (inDemo() ? root.api.demo : root.api);
/** Public and account routes, which have no twin in the demo. */
export const outside = (): Api => root.api;

/** What an answer says of whoever asked: `asker` is the token of then, since somebody may have signed in anew meanwhile. */
function noteAnswer(response: Response, asker: string | undefined): void {
  if (inDemo()) {
    if (response.status === 401) dropDemo();
    else if (response.ok && response.url.includes("/api/demo/")) touchDemo();
    return;
  }
  const signedIn = asker !== undefined && inUse(asker);
  // 401 of a sign-in attempt says the password is wrong, not that a session ended.
  if (response.status === 401 && signedIn && !/\/auth\/(login|2fa\/verify|setup)$/.test(response.url))
    dropSession("expired");
}

interface Answer<T> {
  data: T | null;
  error: unknown;
  status: number;
}

/** The data of a call, or its refusal thrown as `ApiError`. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  const { data, error, status } = await call;
  if (!error) return data as T;
  const { value } = error as { value?: unknown };
  if (value instanceof Error || (status === 503 && typeof value !== "object")) throw unreachable();
  throw new ApiError(status, typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});
}

export const unreachable = () =>
  new ApiError(0, {
    error: "unreachable",
    message: "The server cannot be reached. Check that it runs, then try again.",
  });

/** A reply that is a file or a stream, with the caller's credentials. `path` starts after /api. */
export async function raw(path: string, init: RequestInit = {}): Promise<Response> {
  const base = inDemo() ? "/api/demo" : "/api";
  const response = await patient(base + path, { ...init, headers: { ...credentials(), ...init.headers } }).catch(
    error => {
      if ((error as Error).name === "AbortError") throw error;
      throw unreachable();
    },
  );
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => ({})));
  return response;
}
