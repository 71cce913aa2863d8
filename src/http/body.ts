import { isDeeperThan, JSON_DEPTH_MAX } from "../domain/json-depth.ts";
import { Refusal, refusal } from "../errors.ts";
import { type Access, BODY_MAX_BYTES, type Media } from "./access.ts";

const types: Record<string, Media> = {
  "application/json": "json",
  "application/x-www-form-urlencoded": "form",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/yaml": "yaml",
  "application/x-yaml": "yaml",
  "text/yaml": "yaml",
  "application/sarif+json": "sarif",
};
const JSON_ALONE = ["json"] as const satisfies Media[];
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Which of the allowed forms the body claims to be. No Content-Type on an empty body is fine. */
export function mediaOf(request: Request, allowed: readonly Media[]): Media {
  const header = request.headers.get("content-type");
  if (header === null && isEmpty(request)) return allowed[0]!;
  const media = types[header ?? ""] ?? types[(header ?? "").split(";", 1)[0]!.trim().toLowerCase()];
  if (media && allowed.includes(media)) return media;
  const names = Object.entries(types).flatMap(([name, kind]) => (allowed.includes(kind) ? [name] : []));
  throw refusal("unsupported_media_type", `Send ${names.slice(0, 3).join(" or ")}.`);
}

const isEmpty = ({ headers }: Request) =>
  (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");

/** A client that sends slower than this holds what others could use. */
export const BODY_MS_MAX = 60_000;

const asTheyAre = (bytes: Uint8Array) => bytes;

/** The body's bytes, refused with 413 before more than `max_bytes` are held, with 408 when they take longer than `deadline_ms`. */
export const readBytes = (request: Request, max_bytes: number, deadline_ms = BODY_MS_MAX): Promise<Uint8Array> =>
  received(request, max_bytes, deadline_ms, asTheyAre);

/** What `read` makes of the body, in the one promise that its deadline takes. */
function received<T>(
  request: Request,
  max_bytes: number,
  deadline_ms: number,
  read: (bytes: Uint8Array) => T,
): Promise<T> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > max_bytes) return Promise.reject(tooLarge(max_bytes));
    return inTime(request.arrayBuffer(), deadline_ms, read);
  }
  return inTime(request.body ? readChunks(request.body, max_bytes) : nothing, deadline_ms, read);
}

const nothing = Promise.resolve(new Uint8Array());

interface Reading {
  looks_left: number;
  reject(error: unknown): void;
}

/** Bodies under way, looked through now and then: a timer for each would cost more than reading most of them. */
const reading = new Set<Reading>();
const LOOK_MS = 250;
let looking: ReturnType<typeof setInterval> | undefined;

function look(): void {
  for (const one of reading) {
    if (--one.looks_left > 0) continue;
    reading.delete(one);
    one.reject(refusal("body_timeout", { headers: { connection: "close" } }));
  }
  if (reading.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}

function inTime<T>(
  work: Promise<ArrayBuffer | Uint8Array>,
  deadline_ms: number,
  read: (bytes: Uint8Array) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const one: Reading = { looks_left: Math.ceil(deadline_ms / LOOK_MS), reject };
    reading.add(one);
    looking ??= setInterval(look, LOOK_MS);
    const done = (bytes: ArrayBuffer | Uint8Array) => {
      reading.delete(one);
      try {
        resolve(read(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)));
      } catch (error) {
        reject(error);
      }
    };
    // A client that goes away in the middle of its body is a malformed request, not a fault of ours.
    const failed = (error: unknown) => {
      reading.delete(one);
      reject(error instanceof Refusal ? error : refusal("malformed", "The body ended early."));
    };
    work.then(done, failed);
  });
}

async function readChunks(body: ReadableStream<Uint8Array>, max_bytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > max_bytes) throw tooLarge(max_bytes);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

/** The parsed body of an ordinary route; an empty one is `{}`. */
export const readBody = (request: Request, access: Access): Promise<unknown> =>
  received(request, access.body_max_bytes ?? BODY_MAX_BYTES, BODY_MS_MAX, bytes => parsed(request, access, bytes));

function parsed(request: Request, access: Access, bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) return {};
  const encoding = request.headers.get("content-encoding");
  if (encoding && encoding !== "identity") throw refusal("unsupported_encoding", "Send this body unpacked.");
  const media = mediaOf(request, access.media ?? JSON_ALONE);
  const text = decode(bytes);
  if (media === "form") return Object.fromEntries(new URLSearchParams(text));
  return media === "yaml" ? text : parseJson(text);
}

export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refusal("malformed_json");
  }
  if (!isDeeperThan(value, JSON_DEPTH_MAX)) return value;
  throw refusal("malformed_json", `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`);
}

export function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw refusal("malformed", "The body is not valid UTF-8.");
  }
}

function tooLarge(max_bytes: number) {
  return refusal("too_large", `At most ${max_bytes} bytes are taken here.`);
}
