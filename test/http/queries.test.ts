import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWorld, type World } from "../world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await createWorld();
  token = await world.admin();
});
afterAll(() => world.close());

const get = (path: string) => world.call("GET", `/api${path}`, { token });
const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString("base64url");
const lists = [
  ...["/audit", "/audit/mcp-servers", "/agents", "/packs", "/plans", "/org/members", "/policy/history"],
  ...["/posture/drift", "/posture/evidence", "/compliance/frameworks", "/compliance/rules"],
  ...["/compliance/scans/history", "/compliance/scans/projects", "/auth/sessions", "/auth/tokens"],
];

test("a number that is none, or out of range, is refused by its name", async () => {
  for (const limit of ["0", "201", "-1", "1.5", "x", "", "NaN", "1e2", "0x10", "%2B1", "%201", "99999999999999999999"])
    for (const list of ["/audit", "/agents"]) {
      const { status, json } = await get(`${list}?limit=${limit}`);
      expect([status, json.error]).toEqual([422, "invalid"]);
      expect(json.details).toEqual([{ path: "/limit", message: "Must be a whole number from 1 to 200" }]);
    }
  const proof = await get("/posture/proof?seq=-1");
  expect([proof.status, proof.json.details[0].path]).toEqual([422, "/seq"]);
  expect((await get("/posture/proof")).json.details[0].path).toBe("/seq");
  expect((await get("/audit?limit=200")).status).toBe(200);
  expect((await get("/audit?limit=1")).json.items).toHaveLength(1);
});

test("every list refuses a cursor it has not given, by its name", async () => {
  const strange = [
    "nonsense",
    cursor({ a: 1 }),
    cursor([]),
    cursor([null]),
    cursor([1.5]),
    cursor([1, 2, 3, 4]),
    cursor([["x"]]),
  ];
  for (const list of lists)
    for (const one of strange) {
      const { status, json } = await get(`${list}?cursor=${one}`);
      expect([list, one, status, json.details?.[0]?.path]).toEqual([list, one, 422, "/cursor"]);
    }
  for (const list of ["/policy/history", "/compliance/scans/history"])
    expect((await get(`${list}?cursor=${cursor(["x"])}`)).status).toBe(422);
});

test("walked page by page, however long, every list gives each item once, in the order of the whole", async () => {
  const agent = (await world.agent()).token;
  for (const name of ["b", "a-b", "a", "a.b", "B", "ä", "\u{1f600}", "\uff21"]) {
    const action = { kind: "mcp", server: name, tool: "t", args: {} };
    const body = {
      id: `walk-${Buffer.from(name).toString("hex")}`,
      time: "2026-11-20T10:00:00Z",
      type: "mcp.call",
      action,
    };
    expect((await world.call("POST", "/api/events", { token: agent, body })).status).toBe(200);
    const scan = {
      project: name,
      tool: { name: "t", version: "1" },
      started_at: body.time,
      finished_at: body.time,
      results: [],
    };
    expect((await world.call("POST", "/api/compliance/scans", { token, body: scan })).status).toBe(201);
    expect((await world.call("POST", "/api/auth/tokens", { token, body: { name } })).status).toBe(201);
    expect(
      (
        await world.call("POST", "/api/org/members", {
          token,
          body: { email: `${body.id}@example.com`, role: "member" },
        })
      ).status,
    ).toBe(201);
  }
  await world.call("POST", "/api/compliance/frameworks", { token, body: { framework: "soc2" } });
  for (const list of lists.filter(list => list !== "/audit")) {
    const whole = (await get(`${list}?limit=200`)).json.items;
    for (const limit of [1, 2, 3, 7]) {
      const walked: unknown[] = [];
      let next = "";
      do {
        const { json } = await get(`${list}?limit=${limit}${next}`);
        walked.push(...json.items);
        next = json.next_cursor === null ? "" : `&cursor=${json.next_cursor}`;
      } while (next !== "" && walked.length <= whole.length);
      expect([list, limit, walked.map(named)]).toEqual([list, limit, whole.map(named)]);
    }
  }
}, 60_000);
/** Not what a signature or a moment makes different from one answer to the next. */
const NAMES = ["id", "name", "project", "version", "framework", "control", "kind", "server", "tool"];
const named = (item: unknown) => NAMES.map(name => (item as Record<string, unknown>)[name]);

test("a parameter of the route given twice is refused; any other is ignored", async () => {
  const { status, json } = await get("/audit?limit=1&type=a&limit=2");
  expect([status, json.error, json.details]).toEqual([
    422,
    "invalid",
    [{ path: "/limit", message: "Must be given once" }],
  ]);
  expect((await get("/audit?%6cimit=1&limit=2")).status).toBe(422);
  expect((await get("/audit?limit=1&x=1&x=2&__proto__=1&__proto__=2")).status).toBe(200);
});

test("a window that ends before it begins is a mistake, not a chain found whole", async () => {
  const windows = [
    "from=10&to=2",
    "from=2026-01-02T00:00:00Z&to=2026-01-01",
    "from=2026-01-01T00:00:00%2B01:00&to=2025-12-31T22:59:59Z",
  ];
  for (const window of windows)
    for (const path of ["/posture/attestation-chain?", "/audit/export?format=leaves&"]) {
      const { status, json } = await get(path + window);
      expect([status, json.details]).toEqual([422, [{ path: "/to", message: "Must not be before `from`" }]]);
    }
  const one = await get("/posture/attestation-chain?from=0&to=0");
  expect([one.json.valid, one.json.count]).toEqual([true, 1]);
});
