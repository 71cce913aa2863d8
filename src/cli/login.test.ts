import { expect, test } from "bun:test";
import { ApiError, type DeviceCode } from "../client/api.ts";
import { byDevice, run } from "./login.ts";

const code: DeviceCode = {
  device_code: "d",
  user_code: "BCDF-GHJK",
  verification_uri: "https://g.test/device",
  expires_in: 600,
  interval: 5,
};
const agent = { access_token: "gha_x", agent: { id: "agt_1", name: "laptop" } };
const refused = (name: string, status = 400) => new ApiError(status, name, name);

async function poll(answers: (ApiError | typeof agent)[]) {
  const waits: number[] = [];
  const said: string[] = [];
  const left = [...answers];
  const client = {
    deviceCode: async () => code,
    deviceToken: async () => {
      const next = left.shift()!;
      if (next instanceof ApiError) throw next;
      return next;
    },
  };
  const wait = async (seconds: number) => void waits.push(seconds);
  const result = await byDevice(client, {}, { err: line => void said.push(line) }, wait).catch(
    (error: unknown) => error,
  );
  return { result, waits, said: said.join("\n") };
}

test("polls at the interval, slower when told so, through passing faults, until somebody confirms", async () => {
  const answers = [
    refused("authorization_pending"),
    refused("slow_down"),
    new ApiError(503, "busy", "", 30),
    refused("x", 0),
    agent,
  ];
  const { result, waits, said } = await poll(answers);
  expect(result).toEqual(agent);
  expect(waits).toEqual([5, 10, 30, 10]);
  expect(said).toContain("BCDF-GHJK");
  expect(said).toContain("https://g.test/device");
});

test("a refusal ends it", async () => {
  for (const name of ["access_denied", "expired_token", "invalid_grant"])
    expect((await poll([refused("authorization_pending"), refused(name)])).result).toMatchObject({ code: name });
});

test("a token is not sent in the clear to another machine", async () => {
  const said: string[] = [];
  const io = {
    env: { HOME: "/nowhere" },
    out: () => undefined,
    err: (line: string) => void said.push(line),
    stdin: async () => "",
  };
  expect(await run(["http://gatehouse.example"], io)).toBe(1);
  expect(await run(["::not an address"], io)).toBe(2);
  expect(await run([], io)).toBe(2);
  expect(said[0]).toContain("Plain http");
});
