import type { ComponentChildren } from "preact";

export type Tone = "plain" | "allow" | "warn" | "ask" | "block" | "accent";
const tones: Record<Tone, string> = {
  plain: "",
  allow: "bg-allow-wash text-allow",
  warn: "bg-warn-wash text-warn",
  ask: "bg-ask-wash text-ask",
  block: "bg-block-wash text-block",
  accent: "bg-accent-wash text-accent",
};

export const Badge = ({
  tone = "plain",
  title,
  children,
}: {
  tone?: Tone;
  title?: string;
  children: ComponentChildren;
}) => (
  <span class={`badge ${tones[tone]}`} title={title}>
    {children}
  </span>
);

const decisionTones: Record<string, Tone> = { ALLOW: "allow", WARN: "warn", ASK: "ask", BLOCK: "block" };
export const DecisionBadge = ({ decision }: { decision: string }) => (
  <Badge tone={decisionTones[decision] ?? "plain"}>{decision}</Badge>
);

const severityTones: Record<string, Tone> = { critical: "block", high: "block", medium: "warn", low: "plain" };
export const SeverityBadge = ({ severity }: { severity: string }) => (
  <Badge tone={severityTones[severity] ?? "plain"}>{severity}</Badge>
);

const statuses: Record<string, [Tone, string]> = {
  active: ["allow", "active"],
  stale: ["warn", "stale"],
  never_seen: ["plain", "never seen"],
  invited: ["accent", "invited"],
  covered: ["allow", "covered"],
  partial: ["warn", "partial"],
  failing: ["block", "failing"],
  not_evaluated: ["plain", "not evaluated"],
  pass: ["allow", "pass"],
  fail: ["block", "fail"],
  error: ["warn", "error"],
  not_applicable: ["plain", "not applicable"],
};
export const StatusBadge = ({ status }: { status: string }) => {
  const [tone, text] = statuses[status] ?? ["plain", status.replaceAll("_", " ")];
  return <Badge tone={tone as Tone}>{text}</Badge>;
};
