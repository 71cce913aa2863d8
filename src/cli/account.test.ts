import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { origin } from "../../test/directory.ts";
import { dataPaths } from "../config.ts";
import { type Directory, openDirectory } from "../directory/directory.ts";
import { openKeys } from "../key-files.ts";
import { run as account } from "./account.ts";
import type { Run } from "./io.ts";
import { run as org } from "./org.ts";

let data: string;
let opened: Directory | undefined;
beforeEach(() => void (data = mkdtempSync(join(tmpdir(), "cli-"))));
afterEach(() => {
  opened?.close();
  opened = undefined;
  rmSync(data, { recursive: true });
});

async function call(verb: Run, line: string, stdin = "") {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    env: { GATEHOUSE_DATA: data },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
  };
  const code = await verb(line.split(" "), { ...io, stdin: async () => stdin });
  return { code, out: out.join("\n"), err: err.join("\n") };
}
const printed = (out: string) => /Password \(shown once\): (\S+)/.exec(out)?.[1];
/** The directory as a running server has it open. */
function server(): Directory {
  const paths = dataPaths({ data });
  return (opened ??= openDirectory(paths.directory, { keys: openKeys(paths.keys, { fresh: false, now: Date.now }) }));
}

test("org add founds an organisation on a fresh directory, with a password printed once", async () => {
  const { code, out } = await call(org, "add Acme --admin Root@example.org --plan free");
  expect(code).toBe(0);
  const signed = await server().signIns.withPassword({ email: "root@example.org", password: printed(out)!, origin });
  expect(signed).toMatchObject({ organisation: { name: "Acme", role: "admin" } });
  expect((await call(org, "list")).out).toMatch(/^org_\S+ {2}free {2}Acme$/);
  expect(printed((await call(org, "add Second --admin root@example.org")).out)).toBeUndefined();
  expect(server().members.places(server().accounts.byEmail("root@example.org")!.id)).toHaveLength(2);
});

test("account add joins the only organisation, with the password given on standard input", async () => {
  await call(org, "add Acme --admin root@example.org");
  const { code, out } = await call(
    account,
    "add bob@example.org --role auditor --name Bob --password-stdin",
    "a password on a pipe\n",
  );
  expect({ code, out }).toEqual({ code: 0, out: "bob@example.org is now auditor of Acme." });
  const signed = await server().signIns.withPassword({
    email: "bob@example.org",
    password: "a password on a pipe",
    origin,
  });
  expect(signed).toMatchObject({ account: { name: "Bob" }, organisation: { role: "auditor" } });
});

test("account reset signs out everywhere while the server runs, and turns two-factor off when asked", async () => {
  await call(org, "add Acme --admin root@example.org");
  const directory = server();
  const root = directory.accounts.byEmail("root@example.org")!;
  const place = directory.members.places(root.id)[0]!;
  const sid = directory.sessions.issue({ account: root.id, org: place.id, ...origin }).id;
  expect(directory.sessions.lookup(sid)).toBeDefined();
  const { code, out } = await call(account, "reset root@example.org --two-factor");
  expect(code).toBe(0);
  expect(out).toContain("Two-factor is off.");
  expect(directory.sessions.lookup(sid)).toBeUndefined();
  expect(
    await directory.signIns.withPassword({ email: "root@example.org", password: printed(out)!, origin }),
  ).toMatchObject({ kind: "signed_in" });
});

test("what cannot be done is one clear sentence and 1; what is not understood 2", async () => {
  expect(await call(account, "add a@b.example")).toMatchObject({
    code: 1,
    err: expect.stringContaining("gatehouse org add"),
  });
  await call(org, "add Acme --admin root@example.org");
  await call(org, "add Other --admin root@example.org");
  for (const [verb, line, code, message] of [
    [account, "add a@b.example", 1, "--org <id>"],
    [account, "add nonsense --org Acme", 1, "not an email"],
    [account, "add root@example.org --org Acme", 1, "member already"],
    [account, "reset nobody@example.org", 1, "no account nobody@example.org"],
    [account, "reset root@example.org --password-stdin", 2, "on standard input"],
    [account, "add a@b.example --role king", 2, "one of admin, member, auditor"],
    [account, "add", 2, "Usage"],
    [account, "add a b", 2, "Usage"],
    [account, "add a --colour red", 2, "--colour"],
    [account, "", 2, "Usage"],
    [org, "add Acme", 2, "Usage"],
    [org, "add Acme --admin nonsense", 1, "not an email"],
    [org, "add Acme --admin a@b.example --plan gold", 2, "free, team, enterprise"],
    [org, "remove Acme", 2, "Usage"],
  ] as const) {
    const result = await call(verb, line);
    expect({ line, code: result.code }).toEqual({ line, code });
    expect(result.err).toContain(message);
    expect(result.out).toBe("");
  }
  expect(await call(account, "add a@b.example --org Acme --password-stdin", "short")).toMatchObject({
    code: 1,
    err: expect.stringContaining("at least 12"),
  });
  expect((await call(account, "--help")).code).toBe(0);
});
