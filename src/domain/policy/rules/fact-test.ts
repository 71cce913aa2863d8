/** What is asked of a fact: file access, flow, network, variable, SQL. */
import type { FileFact, FlowFact, Word } from "../facts.ts";
import type { Asked } from "./asked.ts";
import { type Certainty, maybe, no, weaker, yes } from "./certainty.ts";
import type { Description } from "./description.ts";
import { wordsHold } from "./unresolved.ts";

export function factHolds(made: Description, asked: Asked, number: number, eager: boolean): Certainty {
  const fact = asked.findings.facts[number]!;
  switch (fact.kind) {
    case "file":
      if (made.acts !== undefined && !made.acts.includes(fact.does)) return no;
      return accessHolds(made, fact) ? pathHolds(made, asked, number, fact.path, eager) : no;
    case "flow": {
      if (!flowHolds(made, fact)) return no;
      return weaker(pathHolds(made, asked, number, fact.path, eager), hostHolds(made, fact.host, eager));
    }
    case "net":
      if (made.acts !== undefined && !made.acts.includes(fact.does)) return no;
      return hostHolds(made, fact.host, eager);
    case "env":
      return envHolds(made, fact, eager);
    default:
      return made.acts === undefined || made.acts.includes(fact.does) ? yes : no;
  }
}

function flowHolds({ flows }: Description, { from, to, both }: FlowFact): boolean {
  if (flows === undefined) return false;
  for (let at = 0; at < flows.length; at++) {
    const flow = flows[at]!;
    if (flow.from === from && flow.to === to && flow.both === (both === true)) return true;
  }
  return false;
}

/** All that is asked of a file access besides act and path. */
export function accessHolds({ recursive, grants }: Description, fact: FileFact): boolean {
  if (recursive !== undefined && recursive !== fact.recursive) return false;
  return grants === undefined || fact.grants?.some(grant => grants.includes(grant)) === true;
}

function pathHolds(made: Description, asked: Asked, number: number, path: Word | undefined, eager: boolean): Certainty {
  if (made.path === undefined) return yes;
  if (path === undefined) return no;
  if (asked.suspectLists(number).has(made.path)) return path.known ? yes : maybe;
  return eager && !path.known ? maybe : no;
}

function hostHolds(made: Description, host: Word | undefined, eager: boolean): Certainty {
  if (made.host === undefined) return yes;
  return host === undefined ? (eager ? maybe : no) : wordsHold(made.host, [host], eager);
}

/** What is left to ask where the variable's name is known; undefined where another one is meant. */
export function ofVariable(made: Description, variable: string): Description | undefined {
  const named = made.env?.filter(({ name }) => name === undefined || name.fits(variable)) ?? [];
  return named.length === 0 ? undefined : { ...made, env: named.map(({ value }) => ({ name: undefined, value })) };
}

function envHolds({ env }: Description, fact: { name: string; value?: Word }, eager: boolean): Certainty {
  let best: Certainty = no;
  if (env === undefined) return best;
  for (let at = 0; at < env.length; at++) {
    const { name, value } = env[at]!;
    if (name !== undefined && !name.fits(fact.name)) continue;
    if (value === undefined) return yes;
    if (fact.value === undefined) continue;
    const holds = wordsHold(value, [fact.value], eager);
    if (holds > best) best = holds;
  }
  return best;
}
