import { expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { origin, testDirectory } from "../../test/directory.ts";
import { createSetupCode, firstRun, setUp } from "./first-run.ts";

const admin = {
  GATEHOUSE_ADMIN_EMAIL: "Root@Example.org",
  GATEHOUSE_ADMIN_PASSWORD: "a very long password",
  GATEHOUSE_ORG_NAME: "Acme",
};
const demo = { GATEHOUSE_DEMO_EMAIL: "demo@example.org", GATEHOUSE_DEMO_PASSWORD: "demo" };
const setup = createSetupCode(bytes => new Uint8Array(bytes).fill(7));
const begin = () => {
  const { directory } = testDirectory();
  return { directory, start: (env: Record<string, string>) => firstRun(directory, readConfig(env), setup) };
};

test("the settings found the first organisation, once", async () => {
  const { directory, start } = begin();
  const { founded, setup_code, warnings } = await start(admin);
  expect(founded).toMatchObject({
    organisation: { name: "Acme", plan: "team" },
    account: { email: "root@example.org" },
  });
  expect({ setup_code, warnings }).toEqual({ setup_code: undefined, warnings: [] });
  const signed = await directory.signIns.withPassword({
    email: "root@example.org",
    password: "a very long password",
    origin,
  });
  expect(signed).toMatchObject({ organisation: { role: "admin" } });
  expect(await start({ ...admin, GATEHOUSE_ORG_NAME: "Other" })).toEqual({ warnings: [] });
  expect(directory.organisations.all()).toHaveLength(1);
});

test("a weak admin password is warned of, a very short one refused", async () => {
  expect((await begin().start({ ...admin, GATEHOUSE_ADMIN_PASSWORD: "tenletters" })).warnings[0]).toContain("weak");
  await expect(begin().start({ ...admin, GATEHOUSE_ADMIN_PASSWORD: "seven77" })).rejects.toThrow("at least 8");
});

test("without settings a code founds the first organisation, once", async () => {
  const { directory, start } = begin();
  const { setup_code } = await start({});
  expect(setup_code).toBe("7777-7777-7777-7777-7777-7777");
  const entry = {
    code: setup_code!,
    email: "a@b.example",
    password: "a very long password",
    organisation: "Acme",
    plan: "team",
  };
  await expect(setUp(directory, setup, { ...entry, code: "7777-7777-7777-7778" })).rejects.toMatchObject({
    code: "invalid_credentials",
  });
  await expect(setUp(directory, setup, { ...entry, password: "short" })).rejects.toMatchObject({ code: "invalid" });
  const two = await Promise.allSettled([
    setUp(directory, setup, entry),
    setUp(directory, setup, { ...entry, email: "b@b.example" }),
  ]);
  expect(two.map(one => one.status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(setUp(directory, setup, entry)).rejects.toMatchObject({ code: "already_set_up" });
  expect((await start({})).setup_code).toBeUndefined();
});

test("the demo account is an auditor in an organisation of its own and does not count as the first account", async () => {
  const { directory, start } = begin();
  const first = await start(demo);
  expect(first.setup_code).toBeDefined();
  expect(first.demo).toMatchObject({ fresh: true, account: { demo: true } });
  const again = await start({ ...demo, ...admin, GATEHOUSE_DEMO_PASSWORD: "other" });
  expect(again.demo).toMatchObject({ fresh: false, org: first.demo!.org });
  expect(again.founded!.organisation.id).not.toBe(first.demo!.org);
  const signed = await directory.signIns.withPassword({ email: "demo@example.org", password: "other", origin });
  if (signed.kind !== "signed_in") throw new Error();
  expect(signed.organisation).toMatchObject({ id: first.demo!.org, role: "auditor" });
  const change = {
    account: signed.account.id,
    current: "other",
    next: "a very long password",
    session: signed.session.id,
  };
  await expect(directory.signIns.changePassword(change)).rejects.toMatchObject({ code: "demo_account" });
});

test("an ordinary account is not turned into the demo's", async () => {
  const { directory, start } = begin();
  await start(admin);
  directory.accounts.create({ email: "demo@example.org" });
  await expect(start(demo)).rejects.toThrow("ordinary account");
});
