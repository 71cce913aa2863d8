import { api, ask, raw } from "./api.ts";

export interface ActivePolicy {
  yaml: string;
  etag: string | null;
  version: number;
}

/** The policy in force, as its author wrote it, with the tag that a change must name. */
export async function activePolicy(): Promise<ActivePolicy> {
  const [text, document] = await Promise.all([raw("/policy/yaml"), raw("/policy")]);
  const { version } = (await document.json()) as { version: number };
  return { yaml: await text.text(), etag: text.headers.get("etag"), version };
}

export const policyVersionNow = async () => ((await (await raw("/policy")).json()) as { version: number }).version;

/** Replaces the policy; throws 412 when somebody else changed it meanwhile, 422 with line and column of mistakes. */
export async function changePolicy(yaml: string, etag: string | null): Promise<{ version: number }> {
  const headers = { "content-type": "application/yaml", ...(etag ? { "if-match": etag } : {}) };
  return (await raw("/policy/yaml", { method: "PUT", body: yaml, headers })).json();
}

export const validatePolicy = (yaml: string) => ask(api().policy.validate.post({ yaml }));
export const replayPolicy = (yaml: string, last: number) => ask(api().policy.replay.post({ yaml, last }));
export type Replay = Awaited<ReturnType<typeof replayPolicy>>;
export const policyHistory = () => ask(api().policy.history.get({ query: { limit: 100 } }));

export interface PackList {
  name: string;
  version: string | number;
  title: string;
  description: string;
  rules: number;
  sha256: string;
}

export const packList = async () => ((await (await raw("/packs?limit=200")).json()) as { items: PackList[] }).items;
export const packNamed = async (name: string) =>
  (await (await raw(`/packs/${encodeURIComponent(name)}`)).json()) as PackList & { content: string };
export const policyVersion = (version: number) =>
  ask(
    api()
      .policy.history({ version: String(version) })
      .get(),
  );
