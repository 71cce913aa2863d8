import { CannotInstall, type Edit } from "./recipe.ts";

const mark = "Written by `gatehouse install`";

interface OwnFile {
  mode?: number;
  /** What is found in a file of ours and in no other; where a comment can stand, `mark`. */
  sign?: string;
}

/** A file that is ours from first to last byte. Somebody else's file of that name is left alone. */
export function ownFile(path: string, content: string, { mode, sign = mark }: OwnFile = {}): Edit {
  const mine = (text: string) => text.includes(sign);
  const foreign = () => new CannotInstall("it exists and is not ours. Move it away, or call `gatehouse hook` from it.");
  return {
    path,
    ...(mode === undefined ? {} : { mode }),
    install(text) {
      if (text !== undefined && text.trim() !== "" && !mine(text)) throw foreign();
      return content;
    },
    uninstall: text => (mine(text) ? undefined : text),
    installed: text => (mine(text) ? text : undefined),
  };
}

/** The plugin of opencode: it waits for the verdict before every tool and fails closed when there is none. */
export const opencodePlugin = (
  argv: readonly string[],
): string => `// ${mark}. Changes are overwritten; remove it with \`gatehouse uninstall opencode\`.
import { spawnSync } from "node:child_process"

const [program, ...args] = ${JSON.stringify([...argv, "hook", "opencode"])}

function judge(message) {
  const run = spawnSync(program, args, { input: JSON.stringify(message), encoding: "utf8", timeout: 5000 })
  if (run.status !== 0) throw new Error(run.stderr || "Gatehouse could not judge this call (" + (run.error?.message ?? run.status) + ").")
  return JSON.parse(run.stdout)
}

const report = message => { try { judge(message) } catch {} }

export const Gatehouse = async ({ directory }) => {
  // A plugin that fails while it is loaded would be left out, and with it every refusal.
  report({ ev: "start", input: {}, cwd: directory })
  return {
    "tool.execute.before": async (input, output) => {
      const { decision, reason } = judge({ ev: "before", input, args: output.args, cwd: directory })
      if (decision === "deny") throw new Error(reason)
    },
    "tool.execute.after": async input => report({ ev: "after", input, cwd: directory }),
  }
}
`;

/** A hook of Cline is an executable file named after its event. */
export const clineHook = (line: string, event: string): string => `#!/bin/sh
# ${mark}. Remove it with \`gatehouse uninstall cline\`.
exec ${line} ${event}
`;
