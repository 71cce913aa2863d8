import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as org } from "../src/cli/org.ts";
import { run as verify } from "../src/cli/verify.ts";
import { ADMIN, createWorld, type World } from "./world.ts";

/** An organisation leaves: everything it holds in files that prove themselves, and then nothing of it is left. */
let world: World;
let folder: string;
let acme: string;
beforeAll(async () => {
  world = await createWorld();
  folder = mkdtempSync(join(tmpdir(), "gatehouse-export-"));
  acme = (await world.call("GET", "/api/org", { token: await world.admin() })).json.id;
  await command("add Second --admin zoe@example.com --password-stdin", "correct horse battery");
  await command(`add Third --admin ${ADMIN.email}`);
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

async function command(line: string | string[], stdin = "", verb = org) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    env: { GATEHOUSE_DATA: world.data, GATEHOUSE_LOG_LEVEL: "error" },
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    stdin: async () => stdin,
  };
  const code = await verb(typeof line === "string" ? line.split(" ") : line, io);
  return { code, out: out.join("\n"), err: err.join("\n") };
}

test("an export of a running server holds every event, and proves itself offline", async () => {
  const agent = await world.agent();
  const events = Array.from({ length: 300 }, (_, n) => ({ id: `e${n}`, time: new Date().toISOString(), type: "x.y" }));
  await world.call("POST", "/api/events", { token: agent.token, body: { events } });
  const to = join(folder, "acme");
  const { code, out, err } = await command(["export", acme, to]);
  expect([code, err]).toEqual([0, ""]);
  expect(readdirSync(to).sort()).toEqual([
    "audit.jsonl",
    "checkpoint",
    "leaves.jsonl",
    "organisation.json",
    "policy.yaml",
    "vkey",
  ]);
  const lines = readFileSync(join(to, "audit.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.filter(line => JSON.parse(line).type === "x.y")).toHaveLength(300);
  expect(out).toContain(`${lines.length} entries`);
  const about = JSON.parse(readFileSync(join(to, "organisation.json"), "utf8"));
  expect(about).toMatchObject({ id: acme, name: "Acme", members: [{ email: ADMIN.email, role: "admin" }] });
  expect(JSON.stringify(about)).not.toMatch(/password|argon|scrypt|totp/);
  expect((await command(to, "", verify)).out).toContain(`${lines.length} entries`);
  // The organisation goes on undisturbed, and nothing is left beside the export.
  expect((await world.call("GET", "/api/posture/attestation-chain", { token: await world.admin() })).json.valid).toBe(
    true,
  );
  expect(readdirSync(folder)).toEqual(["acme"]);
  expect((await command(["export", acme, to])).err).toContain("exists already");
  expect((await command(["export", "org_unknown", join(folder, "x")])).code).toBe(1);
});

test("deleting asks for the name and a server that is stopped; then nothing of it opens any more", async () => {
  const file = join(world.data, "orgs", `${acme}.sqlite`);
  expect((await command(["delete", acme])).code).toBe(2);
  expect((await command(["delete", acme, "--confirm", "acme"])).code).toBe(2);
  const running = await command(["delete", acme, "--confirm", "Acme"]);
  expect([running.code, running.err]).toEqual([1, expect.stringContaining("is running")]);
  expect(existsSync(file)).toBe(true);
  const agent = await world.agent("left behind");
  const token = await world.admin();
  await world.stop();
  const { code, out } = await command(["delete", acme, "--confirm", "Acme"]);
  expect([code, out]).toEqual([0, expect.stringContaining("0 accounts")]);
  expect(readdirSync(join(world.data, "orgs")).filter(name => name.startsWith(acme))).toEqual([]);
  expect((await command("list")).out).not.toContain("Acme");
  await world.start();
  expect((await world.call("GET", "/api/agents/self", { token: agent.token })).status).toBe(401);
  expect((await world.call("GET", "/api/org", { token })).status).toBe(401);
  // She belongs to another organisation, so her account stays.
  const { json } = await world.call("POST", "/api/auth/login", { body: ADMIN });
  expect(json.organisation.name).toBe("Third");
});

test("an account that belongs to nobody else goes with its organisation", async () => {
  const [, id] = /(org_\S+) .*Second/.exec((await command("list")).out)!;
  await world.stop();
  expect((await command(["delete", id!, "--confirm", "Second"])).out).toContain("1 accounts");
  await world.start();
  const login = { email: "zoe@example.com", password: "correct horse battery" };
  expect((await world.call("POST", "/api/auth/login", { body: login })).status).toBe(401);
  expect((await command(["delete", id!, "--confirm", "Second"])).code).toBe(1);
});
