/** What was not understood, in words: a floor that no rule, policy or exception lowers. */
import { type Findings, type Gap, hole } from "../facts.ts";
import type { Call, Match } from "../verdict.ts";
import { quoted, shown } from "./quote.ts";

export const gatePack = "gate";

const words: Record<Gap["why"], { what: string; instead: string }> = {
  too_long: {
    what: "The call is longer than can be judged",
    instead: "Write the text into a file with your editing tool, and name that file.",
  },
  too_deep: {
    what: "The call is nested too deeply to be judged",
    instead: "Run the innermost command itself, without the shells and substitutions around it.",
  },
  too_many_steps: {
    what: "The call takes too many steps to be judged",
    instead: "Run it in several smaller calls.",
  },
  hidden_unicode: {
    what: "The call holds characters that people cannot see",
    instead: "Write it again with visible characters only.",
  },
  parse_error: {
    what: "The call cannot be read as a command",
    instead: "Close every quote, bracket and here-document, and send it again.",
  },
  refused_line: {
    what: "The shell refuses this line and runs none of it",
    instead: "Write a value in place of `<name>`, or a file after the last `>`.",
  },
  unresolved_program: {
    what: "Which program would run cannot be told beforehand",
    instead: "Write the program's name in place of the variable, substitution or pattern.",
  },
};

/** Each kind of gap once. */
export function gapMatches(call: Call, findings: Findings, decision: "ASK" | "BLOCK"): Match[] {
  const kinds = new Set<Gap["why"]>();
  const first = findings.gaps.filter(({ why }) => !kinds.has(why) && kinds.add(why));
  return first.map(gap => gapMatch(call, gap, decision));
}

function gapMatch(call: Call, gap: Gap, decision: "ASK" | "BLOCK"): Match {
  const { what, instead } = words[gap.why];
  const detail = detailOf(call, gap);
  return {
    rule: `${gatePack}.${gap.why.replaceAll("_", "-")}`,
    pack: gatePack,
    severity: gap.why === "refused_line" ? "low" : "high",
    decision: gap.why === "refused_line" ? "WARN" : decision,
    reason: detail === "" ? `${what}.` : `${what}: ${detail}.`,
    instead,
    via: gap.via.map(shown),
    ...(gap.span === undefined ? {} : { span: gap.span }),
  };
}

/** A program nobody knows is named as its author wrote it. */
function detailOf(call: Call, { why, detail, span }: Gap): string {
  if (why !== "unresolved_program") return shown(detail);
  const written = call.type === "shell" && span !== undefined ? call.command.slice(...span) : "";
  if (written !== "") return quoted(written);
  return detail.replaceAll(hole, "").replaceAll("…", "") === "" ? "" : quoted(detail);
}
