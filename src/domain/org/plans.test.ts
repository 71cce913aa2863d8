import { expect, test } from "bun:test";
import { readAsset } from "../../assets.ts";
import { parse } from "yaml";
import { hasRoom, parsePlans } from "./plans.ts";

const shipped = parsePlans(readAsset("seeds/plans.yaml"), parse);
const plan = (id: string) => shipped.find(one => one.id === id)!;

test("the shipped catalogue: every plan has the API, free has no packs, team has no limits", () => {
  expect(shipped.map(one => one.id)).toEqual(["free", "team", "enterprise"]);
  expect(shipped.every(one => one.entitlements.includes("api"))).toBe(true);
  expect(plan("free").entitlements).not.toContain("packs");
  expect(plan("team")).toMatchObject({ seats: null, agents: null, entitlements: ["api", "packs"] });
});

test("room ends at the limit", () => {
  const limit = plan("free").seats!;
  expect(hasRoom(plan("free"), "seats", limit - 1)).toBe(true);
  expect(hasRoom(plan("free"), "seats", limit)).toBe(false);
  expect(hasRoom(plan("team"), "agents", 1e9)).toBe(true);
});

test("a catalogue that breaks its rules says where", () => {
  const good = "{id: a, name: A, seats: null, agents: 1, retention_days: 1, entitlements: [api]}";
  expect(parsePlans(`[${good}]`, parse)).toHaveLength(1);
  for (const [from, to, message] of [
    ["id: a", "id: A", "plan 1: id"],
    ["name: A", "name: ''", "plan 1: name"],
    ["seats: null", "seats: 0", "plan 1: seats"],
    ["agents: 1", "agents: 1.5", "plan 1: agents"],
    ["retention_days: 1", "retention: 1", "plan 1: retention_days"],
    ["[api]", "[packs]", "must hold api"],
    ["[api]", "[api, gold]", "known"],
  ] as const)
    expect(() => parsePlans(`[${good.replace(from, to)}]`, parse)).toThrow(message);
  expect(() => parsePlans(`[${good}, ${good}]`, parse)).toThrow("same id");
  expect(() => parsePlans("{}", parse)).toThrow("list");
  expect(() => parsePlans("", parse)).toThrow("list");
});
