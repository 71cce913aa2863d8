import { inDemo } from "../state/demo.ts";
import { Command } from "./copy.tsx";
import { Empty } from "./states.tsx";

/** What to do when no agent is connected. */
export const FirstAgent = () => (
  <div class="card">
    <Empty icon="agents" title="Connect the first agent">
      {inDemo() ? (
        <p>Reset the demo to get its agents back.</p>
      ) : (
        <>
          <p>
            On a machine with Claude Code, Codex, Gemini CLI, Copilot or Cursor: sign the installation in, then put the
            hooks in place.
          </p>
          <Command text={`gatehouse login ${location.origin}`} />
          <Command text="gatehouse install claude-code" />
          <p>
            The first command shows a code; you approve it at{" "}
            <a class="link" href="/device">
              {location.host}/device
            </a>
            . From then on the agent asks before it acts, and its calls appear in the audit log.
          </p>
        </>
      )}
    </Empty>
  </div>
);
