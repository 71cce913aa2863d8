import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { PolicyVersion } from "../store/policies.ts";
import type { Actor } from "../domain/org/actor.ts";
import { type Context, read, write } from "./answer.ts";
import { record } from "./record.ts";

/** `GET /policy`, as the very text that its ETag hashes. The mode stands beside the document, never inside it. */
export const document = read((context, _: null) => context.rulebooks.policyTag(context));

/** `GET /policy/yaml`: the author's text to the byte. */
export const yaml = read((context, _: null) => {
  const { version, yaml: text, hash } = newest(context);
  return { version, yaml: text, etag: hash };
});

/** What an agent does that cannot reach the server. */
export const onUnreachable = "ask" as const;

/** `GET /agent/config`. */
export const config = read((context, _: null) => {
  const { version, etag } = context.rulebooks.policyTag(context);
  return {
    heartbeat_interval_s: context.heartbeat_s,
    enforcement_mode: context.store.settings.mode().mode,
    on_unreachable: onUnreachable,
    policy_max_age_s: 86_400,
    policy: { version, etag },
    packs: context.standing.entitled
      ? context.rulebooks.packs().map(({ name, version, sha256, signature }) => ({ name, version, sha256, signature }))
      : [],
    events: { batch_max: 500, flush_ms: 2_000 },
    signing_keys: [context.vkey, context.rulebooks.packVkey],
  };
});

export interface PolicyChange {
  yaml: string;
  actor: Actor;
  /** Of `If-Match`: the ETag of `/policy/yaml` or of `/policy`, whichever it was edited from. */
  if_match?: string[];
}

/** A policy that fails validation is never activated: the one before stays in force. */
export const change = write((context, { yaml: text, actor, if_match }: PolicyChange) => {
  const before = newest(context);
  const current = [before.hash, context.rulebooks.policyTag(context).etag];
  if (if_match && !if_match.some(tag => current.includes(tag))) throw refusal("precondition_failed");
  context.rulebooks.validate(text);
  if (text !== before.yaml) {
    const hash = context.rulebooks.hash(text);
    record(context, "policy.changed", actor, { version: before.version + 1, yaml: text, hash, previous: before.hash });
  }
  return summary(newest(context));
});

function newest({ store }: Context): PolicyVersion {
  return store.policies.version(store.policies.newest())!;
}

const summary = ({ version, hash, changed_by, changed_ms }: Omit<PolicyVersion, "yaml">) => ({
  version,
  hash,
  changed_by,
  changed_at: iso(changed_ms),
});

export const history = read((context, { before, limit }: { before?: number; limit: number }) =>
  context.store.policies.history(before, limit).map(summary),
);

/** One version with its text, to compare with or to go back to. */
export const past = read(({ store }, { version }: { version: number }) => {
  const found = store.policies.version(version);
  if (!found) throw refusal("not_found", "There is no such version.");
  return { ...summary(found), yaml: found.yaml };
});

/** `POST /policy/validate`. */
export const examine = read((context, { yaml: text }: { yaml: string }) => context.rulebooks.examine(context, text));
