import { expect, test } from "bun:test";
import { run as account } from "../../src/cli/account.ts";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

const logged = async (world: World, type: string) => {
  for (let tries = 0; tries < 1000; tries++) {
    const { items } = (await world.call("GET", `/api/audit?type=${type}`, { token: await world.admin() })).json;
    if (items.length > 0) return items;
    await new Promise(resume => setTimeout(resume, 50));
  }
  throw new Error(`${type} is not in the log after a long while`);
};

test.skipIf(!inProcess)(
  "what the first run and a command beside the server change stands in the organisation's log",
  async () => {
    const world = await createWorld();
    expect(await logged(world, "member.joined")).toMatchObject([
      { actor: { kind: "system", id: "operator" }, attributes: { email: ADMIN.email, role: "admin" } },
    ]);
    const io = { env: { GATEHOUSE_DATA: world.data }, out: () => {}, err: () => {}, stdin: async () => "" };
    expect(await account(["add", "bob@example.org", "--role", "auditor"], io)).toBe(0);
    expect(await account(["reset", "bob@example.org"], io)).toBe(0);
    expect((await logged(world, "account.password_changed"))[0].attributes).toMatchObject({ email: "bob@example.org" });
    const joined = await logged(world, "member.joined");
    expect(joined.map((one: { attributes: { role: string } }) => one.attributes.role)).toEqual(["auditor", "admin"]);
    expect(world.gatehouse.parts.directory.outbox.pending()).toEqual([]);
    await world.close();
  },
);
