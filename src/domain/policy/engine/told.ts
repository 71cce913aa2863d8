import type { Fact, Findings } from "../facts.ts";

/** A fact in a few words, as `gatehouse policy facts` and the tests show it: `delete* /etc`, `network -> shell`. */
export function told(f: Fact): string {
  if (f.kind === "file") return `${f.does}${f.recursive ? "*" : ""} ${f.path.known ? "" : "?"}${f.path.text}`;
  if (f.kind === "flow") return `${f.from} ${f.both ? "<->" : "->"} ${f.to}`;
  if (f.kind === "net") return `${f.does} ${f.host.text}`;
  if (f.kind === "env") return `env ${f.name}`;
  return `sql ${f.does}`;
}

export const allTold = (found: Findings): string[] => found.facts.map(told);
