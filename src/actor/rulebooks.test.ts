import { afterEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeys } from "../key-files.ts";
import { openOrgStore } from "../store/open.ts";
import { openWorld } from "./open-world.ts";
import { OrgHost } from "./org-host.ts";
import type { FromWorker, Intro } from "./protocol.ts";

/** A host that counts what a check costs besides judging: compilations, and names of agents read. */
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach(folder => void rmSync(folder, { recursive: true, force: true })));

const intro: Intro = { recorded: null, standing: { entitled: true, retention_days: null } };
const day_ms = 86_400_000;

function counting() {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-rulebooks-"));
  folders.push(data);
  mkdirSync(join(data, "orgs"));
  const said: FromWorker[] = [];
  const names: string[] = [];
  const openStore: typeof openOrgStore = (place, world) => {
    const store = openOrgStore(place, world);
    const { agents } = store;
    const name = agents.name.bind(agents);
    agents.name = id => {
      names.push(id);
      return name(id);
    };
    return store;
  };
  const clock = new SharedArrayBuffer(8);
  const keys = openKeys(join(data, "keys"), { fresh: true, now: Date.now });
  const start = { kind: "start" as const, orgs: join(data, "orgs"), keys, stores_max: 30, heartbeat_s: 60, clock };
  const host = new OrgHost({ ...openWorld(start, openStore, message => void said.push(message)), soon: () => {} });
  let id = 0;
  const ask = (question: string, input: unknown, org = "org_a") => {
    host.ask({ kind: "ask", id: ++id, org, question, input, intro });
    host.flush();
    const reply = said.find(message => "id" in message && message.id === id) as { answer?: unknown };
    expect(reply).toMatchObject({ kind: "answer" });
    return reply.answer as { decision: string };
  };
  const check = (command: string, agent = "agt_a", org?: string) =>
    ask("policy.check", { agent, call: { type: "shell", command } }, org).decision;
  const change = (yaml: string, org?: string) =>
    ask("policy.change", { yaml, actor: { kind: "system", id: "test" } }, org);
  const advance = (ms: number) => void (new Float64Array(clock)[0]! += ms);
  // A thread says that it is busy before it compiles, before it reads the packs, and at no other time.
  const compiled = () => said.filter(({ kind }) => kind === "busy").length;
  return { ask, check, change, compiled, advance, names };
}

test("a policy is compiled once a version, whoever asks what, and once a day", () => {
  const { check, change, compiled, advance } = counting();
  expect(compiled()).toBe(0);
  for (const agent of ["agt_a", "agt_b"]) for (const command of ["ls", "rm -rf /", "git push"]) check(command, agent);
  expect(compiled()).toBe(1);
  change("policy: 1\nno_match: ASK\n");
  const before = compiled();
  for (let n = 0; n < 5; n++) expect(check(`frob ${n}`)).toBe("ASK");
  expect(compiled()).toBe(before + 1);
  advance(day_ms);
  for (let n = 0; n < 5; n++) expect(check(`frob ${n}`)).toBe("ASK");
  expect(compiled()).toBe(before + 2);
});

test("reading the packs, which takes long, is announced", () => {
  const { ask, compiled } = counting();
  for (let n = 0; n < 2; n++) ask("packs.list", {});
  expect(compiled()).toBe(1);
});

test("organisations with the same policy share one rulebook", () => {
  const { check, compiled } = counting();
  for (const org of ["org_a", "org_b", "org_c"]) check("rm -rf /", "agt_a", org);
  expect(compiled()).toBe(1);
});

test("organisations with policies of their own take turns: so many rulebooks are kept, and no more", () => {
  const { check, change, compiled } = counting();
  const orgs = Array.from({ length: 33 }, (_, n) => `org_${n}`);
  for (const org of orgs) change(`policy: 1\nno_match: ASK\n# of ${org}\n`, org);
  const checks = (some: string[]) => {
    const before = compiled();
    for (const org of some) expect(check("frob", "agt_a", org)).toBe("ASK");
    return compiled() - before;
  };
  expect([checks(orgs), checks(orgs.slice(1)), checks(orgs.slice(0, 1)), checks(orgs.slice(2))]).toEqual([33, 0, 1, 0]);
}, 300_000);

test("an agent's name is read only where a scope speaks of agents", () => {
  const { check, change, names } = counting();
  check("ls");
  check("rm -rf /");
  expect(names).toEqual([]);
  const override = "{rules: [packages.publish], decision: BLOCK, scope: {agent: agt_b}}";
  change(`policy: 1\noverrides:\n  - ${override}\n`);
  expect([check("npm publish", "agt_a"), check("npm publish", "agt_b")]).toEqual(["ASK", "BLOCK"]);
  expect(names).toEqual(["agt_a", "agt_b"]);
});
