import { join } from "node:path";
import { folderBytes, openHost, type Rows, register, residentMb, send, tell, timed, withFolder } from "./host.ts";
import { openFiles } from "../process.ts";

/** 1 to `max` organisations beside each other on one thread, which keeps 200 of them open. */
export const growOrganisations = (max: number): Rows =>
  withFolder(data => {
    const rows: Rows = {};
    const { host, ask } = openHost(data);
    // The rules are compiled once a thread.
    ask("", "playground.analyze", { type: "shell", command: "ls" });
    let made = 0;
    for (let target = 1; target <= max; target *= 10) {
      const found = timed("found", target - made, () => {
        const org = `org_${made++}`;
        register(ask, org, "agt_a");
        send(ask, org, "agt_a", 0, 10);
      });
      // Far enough apart that with more than 200 each one asked was closed before.
      const any = (turn: number) => `org_${(turn * 7919) % made}`;
      const page = (org: string) => ask(org, "audit.page", { limit: 50 });
      tell(rows, target, {
        ...found,
        ...timed("page", 1000, () => page("org_0")),
        ...timed("any page", 1000, turn => page(any(turn))),
        ...timed("any ingest", 1000, turn => send(ask, any(turn), "agt_a", 100 + Math.floor(turn / made) * 10, 10)),
        ...timed("tick", 20, () => host.tick()),
        "open files": openFiles(process.pid) ?? 0,
        "KB/organisation": Math.round(folderBytes(join(data, "orgs")) / made / 1024),
        "rss MB": residentMb(),
      });
    }
    host.close();
    return rows;
  });
