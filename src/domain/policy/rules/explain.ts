/** A verdict in words: who refused, what and why, what to do instead, what it rests on. */
import type { Decision, Match, Verdict } from "../verdict.ts";
import { policyPack } from "./compile.ts";

export interface Setting {
  policy_version?: number;
  /** Who decides: "The organisation's policy" unless said otherwise (the playground has none). */
  authority?: string;
}

const sentences: Record<Decision, (who: string) => string> = {
  BLOCK: who => `${who} refused this; no person cancelled it.`,
  ASK: who => `${who} wants a person to decide this.`,
  WARN: who => `${who} lets this pass with a warning.`,
  ALLOW: who => `${who} has nothing against this.`,
};

/** Four lines for the strictest match, a fifth where other rules matched too. */
export function explain(verdict: Verdict, setting: Setting = {}): string {
  const who = setting.authority ?? "The organisation's policy";
  const [first, ...others] = verdict.matched;
  if (first === undefined) return `${verdict.decision}. ${sentences[verdict.decision](who)}`;
  const lines = [
    `${first.decision} ${first.rule} (${origin(first)}, ${first.severity}). ${sentences[first.decision](who)}${audit(verdict)}`,
    first.reason,
  ];
  if (first.instead !== undefined) lines.push(`Instead: ${first.instead}`);
  const rests = restLine(first, setting);
  if (rests !== "") lines.push(rests);
  if (others.length > 0) lines.push(`Also: ${others.map(match => `${match.decision} ${match.rule}`).join(", ")}.`);
  return lines.join("\n");
}

const origin = (match: Match): string => (match.pack === policyPack ? "the policy's own rule" : `pack ${match.pack}`);

const audit = (verdict: Verdict): string =>
  verdict.enforced || verdict.decision === "ALLOW" ? "" : " It is recorded, not enforced (audit-only).";

function restLine(match: Match, { policy_version }: Setting): string {
  const parts: string[] = [];
  const steps = match.call === undefined ? match.via : [...match.via, match.call];
  if (match.via.length > 0) parts.push(`reached through ${steps.join(" → ")}`);
  const rests = match.rests_on === undefined ? "" : `rests on ${listed(match.rests_on)}`;
  const where = match.span === undefined ? "" : `characters ${match.span[0]}–${match.span[1]}`;
  if (rests !== "" || where !== "") parts.push([rests, where].filter(Boolean).join(", "));
  if (policy_version !== undefined) parts.push(`policy version ${policy_version}`);
  const line = parts.join("; ");
  return line === "" ? "" : `${line[0]!.toUpperCase()}${line.slice(1)}.`;
}

const listed = (words: string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
