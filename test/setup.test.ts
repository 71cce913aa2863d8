import { expect, test } from "bun:test";
import pkg from "../package.json";

test("every dependency is pinned to one version", () => {
  const versions = Object.values({ ...pkg.dependencies, ...pkg.devDependencies });
  expect(versions.filter(version => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
