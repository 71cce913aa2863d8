import { expect, test } from "bun:test";
import type { OrgStore } from "../../src/store/org-store.ts";
import { finish, openMemory } from "./fixture.ts";

const actor = { kind: "person", id: "usr_1" };

function change(store: OrgStore, mode: string, version: number): void {
  const log = (kind: string, attributes: object) =>
    store.log.append({ stream: "state", kind, body: JSON.stringify({ actor, attributes }) });
  log("org.mode_changed", { mode });
  log("policy.changed", { version, yaml: "version: 1", hash: "0" });
}

const known = ({ settings, policies }: OrgStore) => [settings.mode().mode, policies.newest()];

test("mode and newest policy are remembered, but never what was undone", () => {
  const store = openMemory();
  expect(known(store)).toEqual(["enforce", 0]);
  store.commit(() => {
    change(store, "audit-only", 1);
    // The next command of the same commit sees it.
    expect(known(store)).toEqual(["audit-only", 1]);
  });
  expect(known(store)).toEqual(["audit-only", 1]);
  const fails = () => {
    change(store, "enforce", 2);
    expect(known(store)).toEqual(["enforce", 2]);
    throw new Error("no");
  };
  expect(() => store.commit(fails)).toThrow("no");
  expect(known(store)).toEqual(["audit-only", 1]);
  store.commit(() => {
    expect(() => store.attempt(fails)).toThrow("no");
    expect(known(store)).toEqual(["audit-only", 1]);
  });
  finish(store.rebuild());
  expect(known(store)).toEqual(["audit-only", 1]);
  const half = store.rebuild();
  half.next();
  half.return();
  expect(known(store)).toEqual(["audit-only", 1]);
});
