import { ask, outside } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { useAsk } from "../state/use-ask.ts";
import { Command } from "./copy.tsx";
import { Empty } from "./states.tsx";

/** Where the command comes from: the server itself, or the source it was started from. */
function Program() {
  const { data } = useAsk(() => ask(outside().releases.latest.get()), []);
  if (!data) return null;
  if (data.assets.length === 0)
    return (
      <p>
        <code>npm run build</code> makes the program, <code>dist/gatehouse</code>, where this server was started from.
      </p>
    );
  return (
    <p>
      The program:{" "}
      {data.assets.map(({ name, os, arch }) => (
        <a key={name} class="link mr-2" href={`/api/releases/download/${encodeURIComponent(name)}`}>
          {os} {arch}
        </a>
      ))}
    </p>
  );
}

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
          <Program />
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
