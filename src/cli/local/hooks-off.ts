import { parse } from "node:path";
import type { Home } from "../../client/home.ts";
import { shippedCatalogue, shippedKinds } from "../../comply/catalogue.ts";
import { evaluate } from "../../comply/evaluate.ts";
import { openSource, type Scope } from "../../comply/source.ts";
import { walk } from "../../comply/walk.ts";

const check_id = "GH-HOOK-006";

/** Why an agent runs no hooks at all, by its own settings in the home, the present project or the machine: by agent. */
export function hooksOff(home: Home, project: string): Map<string, string> {
  const check = shippedCatalogue().checks.find(({ id }) => id === check_id)!;
  const looked = new Set(check.look!.flatMap(({ files }) => files));
  // Kinds with their fixed places: nothing is walked through.
  const kinds = Object.fromEntries(Object.entries(shippedKinds()).filter(([name]) => looked.has(name)));
  const places: [Scope, string][] = [
    ["home", home.user],
    ["project", project],
    ["managed", parse(home.user).root],
  ];
  const files = places.flatMap(
    ([scope, root]) => walk(root, scope, kinds, scope === "home" ? home.moved : undefined).files,
  );
  const source = openSource(files, kinds, new Set(places.map(([scope]) => scope)));
  const byAgent = Map.groupBy(Object.keys(kinds), name => kinds[name]!.agent ?? "");
  const found = [...byAgent].map(([agent, names]) => {
    const look = check.look!.map(each => ({ ...each, files: each.files.filter(name => names.includes(name)) }));
    const [result] = evaluate([{ ...check, look }], source);
    return [agent, result?.status === "fail" ? result.findings[0] : undefined] as const;
  });
  return new Map(
    found.flatMap(([agent, finding]) => (finding ? [[agent, `${finding.message} in ${finding.path}`] as const] : [])),
  );
}
