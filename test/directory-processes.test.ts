import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectory } from "../src/directory/directory.ts";
import { someone, vaultKey } from "./directory.ts";

// Two processes on one directory database: what a command changes, the running server sees with its next call.
let folder: string;
let path: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "directory-"));
  path = join(folder, "directory.sqlite");
});
afterAll(() => rmSync(folder, { recursive: true }));

const module = new URL("../src/directory/directory.ts", import.meta.url).href;
async function elsewhere(script: string): Promise<string> {
  const source = `
    import { openDirectory } from ${JSON.stringify(module)};
    const directory = openDirectory(${JSON.stringify(path)}, { keys: { vault: { bytes: new Uint8Array(32).fill(9), created_at: 0 } } });
    ${script}
    directory.close();`;
  const child = spawn(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  child.stdout.on("data", chunk => (out += chunk));
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(0);
  return out.trim();
}

test("six processes create the database at once and lose nothing", async () => {
  await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      elsewhere(`for (let i = 0; i < 20; i++) directory.accounts.create({ email: "p${at}-" + i + "@example.org" });`),
    ),
  );
  const directory = openDirectory(path, { keys: vaultKey });
  for (let at = 0; at < 6; at++)
    for (let i = 0; i < 20; i++) expect(directory.accounts.byEmail(`p${at}-${i}@example.org`)).toBeDefined();
  directory.close();
});

test("a role, a session and an agent token changed elsewhere are changed here, though they were remembered", async () => {
  const directory = openDirectory(path, { keys: vaultKey });
  const { account, org, sid } = someone(directory);
  const { agent } = directory.agents.reserve(org);
  const token = directory.agents.issue(org, agent)!;
  expect(directory.sessions.lookup(sid)?.role).toBe("admin");
  expect(directory.agents.lookup(token)?.agent).toBe(agent);
  await elsewhere(`
    const other = directory.accounts.create({ email: "other@example.org" });
    directory.members.add("${org}", other.id, "admin");
    directory.members.changeRole("${org}", "${account}", "auditor");
    directory.agents.remove("${org}", "${agent}");`);
  expect(directory.sessions.lookup(sid)?.role).toBe("auditor");
  expect(directory.agents.lookup(token)).toBeUndefined();
  await elsewhere(`directory.accounts.setPassword("${account}", "plain:new");`);
  expect(directory.sessions.lookup(sid)).toBeUndefined();
  directory.close();
});

test("a device code is redeemed by one of two", async () => {
  const directory = openDirectory(path, { keys: vaultKey });
  const { org } = someone(directory, "admin", "eve");
  const { device_code, user_code } = directory.deviceCodes.start({}, "::1");
  const { code } = directory.deviceCodes.approve(user_code)!;
  directory.deviceCodes.grant(code, directory.agents.reserve(org).agent);
  const polls = await Promise.all(
    [1, 2].map(() => elsewhere(`console.log(directory.deviceCodes.poll("${device_code}").reply);`)),
  );
  expect(polls.sort()).toEqual(["granted", "invalid_grant"]);
  directory.close();
});
