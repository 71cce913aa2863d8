import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ask } from "../state/api.ts";
import { demo, inDemo } from "../state/demo.ts";
import { session } from "../state/session.ts";
import { Badge } from "./badges.tsx";

/** The enforcement mode, shown on every page: whether a BLOCK blocks. */
export const mode = signal<"enforce" | "audit-only" | undefined>(undefined);

export function ModeBadge() {
  const who = inDemo() ? demo.value?.handle : session.value?.organisation.id;
  useEffect(() => {
    mode.value = undefined;
    if (!who) return;
    ask(api().org["enforcement-mode"].get()).then(
      reply => void (mode.value = reply.mode),
      () => {},
    );
  }, [who]);
  if (!mode.value) return null;
  const enforcing = mode.value === "enforce";
  return (
    <Badge
      tone={enforcing ? "allow" : "warn"}
      title={enforcing ? "Blocked calls are stopped" : "Verdicts are recorded, nothing is stopped"}
    >
      {enforcing ? "enforcing" : "audit only"}
    </Badge>
  );
}
