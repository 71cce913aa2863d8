import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { readAsset } from "../assets.ts";
import { createClock } from "../clock.ts";
import type { LogHead } from "../domain/audit/leaf.ts";
import { formatVkey } from "../domain/audit/note.ts";
import { createIds } from "../domain/identity/ids.ts";
import { refusal } from "../errors.ts";
import { orgRedactionKey, orgSigner, packSigner, type Signer } from "../keys.ts";
import { describeError } from "../logger.ts";
import { readPacks } from "../seeds.ts";
import type { openOrgStore, Signer as StoreSigner } from "../store/open.ts";
import type { OrgStore } from "../store/org-store.ts";
import type { Context } from "./answer.ts";
import type { HostParts } from "./org-host.ts";
import type { FromWorker, Intro, Start } from "./protocol.ts";
import { record, system } from "./record.ts";
import { Rulebooks } from "./rulebooks.ts";

type Post = (message: FromWorker, transfer?: ArrayBuffer[]) => void;

/** What an organisation thread works with, from the message that starts it. */
export function openWorld(start: Start, openStore: typeof openOrgStore, post: Post): HostParts {
  const now = createClock(start.clock);
  const base = openBase(now, start.heartbeat_s, packSigner(start.keys.packs), post);
  const { alarm } = base;
  const open = (org: string, { recorded, standing }: Intro, after_failure: boolean): Context => {
    const signer = orgSigner(start.keys.log, org);
    const origin = `gatehouse/${org}`;
    const redactionKey = orgRedactionKey(start.keys.redaction, org);
    const store = openStore(
      { path: join(start.orgs, `${org}.sqlite`), after_failure },
      { origin, signer, now, random: randomBytes, redactionKey },
    );
    return settle({ ...base, org, store, standing, ...signing(origin, signer) }, recorded);
  };
  return {
    open: (org, intro, after_failure) => guarded(org, alarm, () => open(org, intro, after_failure)),
    nowhere: nowhere(base),
    post,
    soon: work => void setImmediate(work),
    stores_max: start.stores_max,
  };
}

/** What every organisation of a thread shares. */
export type Base = Omit<Context, "org" | "store" | "standing" | "sign" | "vkey">;

export function openBase(now: () => number, heartbeat_s: number, packs: Signer, post: Post): Base {
  return {
    rulebooks: new Rulebooks(readPacks, packs, now, () => post({ kind: "busy" })),
    now,
    id: createIds(now, randomBytes),
    heartbeat_s,
    later: inPauses,
    alarm: seldom((message, fields) => post({ kind: "log", level: "error", message, fields })),
  };
}

const PAUSE_MS = 12;

/** Leaves most of the thread's time to others. What is in the way of a step ends it: nobody waits for the rest. */
function inPauses(step: () => boolean): void {
  const timer = setTimeout(() => {
    try {
      if (step()) inPauses(step);
    } catch {}
  }, PAUSE_MS);
  (timer as { unref?(): void }).unref?.();
}

/** The same alarm about the same organisation rests so long: a full disk must not be filled further by its own log. */
const REST_MS = 10_000;

function seldom(alarm: Context["alarm"]): Context["alarm"] {
  const rung = new LRUCache<string, true>({ max: 1000, ttl: REST_MS });
  return (message, fields) => {
    const key = `${fields["org"]} ${message}`;
    if (rung.has(key)) return;
    rung.set(key, true);
    alarm(message, fields);
  };
}

/** What an organisation signs with, for its context. */
export function signing(origin: string, { publicKey, sign }: StoreSigner): Pick<Context, "sign" | "vkey"> {
  return {
    sign: message => sign(new TextEncoder().encode(message)).toBase64(),
    vkey: formatVkey(sha256, { name: origin, publicKey }),
  };
}

export const nowhere = (base: Base): Context => ({
  ...base,
  org: "",
  store: nothing,
  standing: { entitled: false, retention_days: null },
  sign: () => "",
  vkey: "",
});

/** A log behind the head that was recorded outside it has lost entries: it is kept for reading and evidence. */
function settle(context: Context, recorded: LogHead | null): Context {
  const verdict = recorded ? context.store.log.compare(recorded) : "known";
  if (verdict !== "known") {
    context.alarm("the log does not match its recorded head", { org: context.org, seq: recorded!.seq, verdict });
    context.store.freeze(`the log is ${verdict} its recorded head`);
  }
  if (context.store.frozen !== undefined)
    context.alarm("a log is kept read-only", { org: context.org, cause: context.store.frozen });
  else if (context.store.log.head().size === 0) context.store.commit(() => found(context));
  return context;
}

/** The first entries of an organisation: its own beginning and the policy it begins with. */
export function found(context: Context): void {
  const yaml = readAsset("seeds/policy.yaml");
  record(context, "org.created", system, { org_id: context.org });
  record(context, "policy.changed", system, { version: 1, yaml, hash: context.rulebooks.hash(yaml), previous: null });
}

function guarded(org: string, alarm: Context["alarm"], open: () => Context): Context {
  try {
    return open();
  } catch (error) {
    alarm("an organisation could not be opened", { org, cause: describeError(error) });
    throw refusal("unavailable");
  }
}

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());

/** Questions without an organisation have no store; touching one is a mistake of ours. */
const nothing = new Proxy({} as OrgStore, {
  get() {
    throw new Error("this question touches no organisation");
  },
});
