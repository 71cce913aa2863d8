/** Cedar in WebAssembly with as many policies as there are patterns, each a `like` over the command; read once beforehand. */
import { installed, type Judge } from "./judge.ts";
import { patterns } from "./patterns.ts";

const set = "commands";

/** `rm\s+-rf` as Cedar can say it: `*rm*-rf*`. */
const wild = (pattern: string): string =>
  `*${pattern.replaceAll(/\\s\+?|\[[^\]]*\]|[().?*+|\\{}]/g, "*").replaceAll(/\*+/g, "*")}*`;

export async function cedar(): Promise<Judge | undefined> {
  const wasm = await installed("@cedar-policy/cedar-wasm/nodejs");
  if (wasm === undefined) return undefined;
  const rules = patterns.map(
    pattern => `forbid(principal, action, resource) when { context.command like ${JSON.stringify(wild(pattern))} };`,
  );
  const staticPolicies = ["permit(principal, action, resource);", ...rules].join("\n");
  const prepare = wasm["preparsePolicySet"] as (id: string, policies: unknown) => { type: string };
  if (prepare(set, { staticPolicies }).type !== "success") throw new Error("Cedar refuses the policies");
  const ask = wasm["statefulIsAuthorized"] as (call: unknown) => { type: string };
  const request = {
    principal: { type: "Agent", id: "a" },
    action: { type: "Action", id: "run" },
    resource: { type: "Machine", id: "m" },
    validateRequest: false,
    preparsedPolicySetId: set,
    entities: [],
  };
  return {
    name: `cedar-wasm, ${rules.length} policies`,
    ask: command => {
      const answer = ask({ ...request, context: { command } });
      if (answer.type !== "success") throw new Error(JSON.stringify(answer));
      return answer;
    },
  };
}
