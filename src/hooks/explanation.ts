import type { Match, Verdict } from "../domain/policy/verdict.ts";

/** What an agent must do with a verdict: nothing where it is not enforced. */
export function effect(verdict: Verdict | undefined, asks: boolean): "go" | "warn" | "ask" | "deny" {
  if (!verdict?.enforced || verdict.decision === "ALLOW") return "go";
  if (verdict.decision === "WARN") return "warn";
  return verdict.decision === "ASK" && asks ? "ask" : "deny";
}

const textMax = 2000;
const matchesMax = 3;

/** Who refused and why, and what to do instead: agents show it to their model, so it must not read as a person's cancel. */
export function explanation(verdict: Verdict, asks: boolean): string {
  const strict = verdict.matched.filter(match => match.decision === verdict.decision);
  const blocks = strict.slice(0, matchesMax).map(matchText);
  const more = strict.length > matchesMax ? [`… and ${strict.length - matchesMax} more rules.`] : [];
  const detail = blocks.length > 0 ? blocks : verdict.reasons.slice(0, matchesMax);
  const text = [headline(verdict, strict[0], asks), ...detail, ...more].join("\n");
  return text.length > textMax ? `${text.slice(0, textMax - 1)}…` : text;
}

function headline(verdict: Verdict, match: Match | undefined, asks: boolean): string {
  const rule = match ? ` ${match.rule} (pack ${match.pack}, ${match.severity})` : "";
  const lead = `Gatehouse ${verdict.decision}${rule}.`;
  if (verdict.decision === "WARN") return `${lead} Allowed, but note:`;
  if (verdict.decision === "BLOCK") return `${lead} The organisation's policy refused this; no person cancelled it.`;
  if (asks) return `${lead} The organisation's policy wants a person to approve this.`;
  return `${lead} The organisation's policy wants a person to approve this, and there is nobody to ask here: run it yourself if it is meant.`;
}

function matchText({ reason, instead, via }: Match): string {
  const lines = [reason];
  if (instead) lines.push(`Instead: ${instead}`);
  if (via.length > 0) lines.push(`Reached through ${via.join(" → ")}.`);
  return lines.join("\n");
}
