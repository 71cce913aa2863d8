import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLock, sbom } from "../scripts/sbom.mjs";
import { findAssets, type Manifest, readManifest } from "../src/release.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("the bill of materials names every package that ships, with version, licence and checksum, and none that does not", () => {
  const { specVersion, serialNumber, components, dependencies } = sbom(readLock());
  expect(specVersion).toBe("1.6");
  expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const names = components.map(one => one.name);
  const { dependencies: direct, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(Object.keys(direct).filter(name => !names.includes(name))).toEqual([]);
  expect(Object.keys(devDependencies).filter(name => names.includes(name))).toEqual([]);
  const poor = components.filter(one => {
    return one.licenses.length === 0 || !/^[0-9a-f]{128}$/.test(one.hashes[0]?.content ?? "");
  });
  expect(poor).toEqual([]);
  const refs = new Set(dependencies.map(one => one.ref));
  expect(dependencies.flatMap((one: { dependsOn: string[] }) => one.dependsOn.filter(ref => !refs.has(ref)))).toEqual(
    [],
  );
  expect(refs.size).toBe(components.length + 1);
  expect(sbom(readLock()).serialNumber).toBe(serialNumber);
});

test("a nearer copy of a package is the one that is named", () => {
  const packages = {
    "": { name: "a", version: "1.0.0", dependencies: { b: "*", c: "*" } },
    "node_modules/b": { version: "1.0.0", dependencies: { c: "*" } },
    "node_modules/b/node_modules/c": { version: "2.0.0", dependencies: { d: "*" } },
    "node_modules/c": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0" },
    "node_modules/e": { version: "1.0.0", dev: true },
  };
  const { components, dependencies } = sbom({ name: "a", version: "1.0.0", packages });
  expect(components.map(one => one.purl).sort()).toEqual([
    ...["pkg:npm/b@1.0.0", "pkg:npm/c@1.0.0", "pkg:npm/c@2.0.0", "pkg:npm/d@1.0.0"],
  ]);
  expect(dependencies).toContainEqual({ ref: "pkg:npm/b@1.0.0", dependsOn: ["pkg:npm/c@2.0.0"] });
});

test("offered are the running program and what lies beside it as the manifest says; a changed file is not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const own = join(folder, "gatehouse");
  writeFileSync(own, "this one");
  writeFileSync(join(folder, "gatehouse-linux-arm64"), "the other");
  writeFileSync(join(folder, "gatehouse-darwin-arm64"), "changed!!");
  const asset = (name: string, os: string, text: string) => ({
    ...{ name, os, arch: "arm64", size: text.length, sha256: sha256(text) },
  });
  const manifest: Manifest = {
    version: "1.2.3",
    published_at: "2026-11-20T10:00:00.000Z",
    assets: [
      asset("gatehouse-linux-arm64", "linux", "the other"),
      asset("gatehouse-darwin-arm64", "darwin", "as built!"),
      asset("gatehouse-windows-x64.exe", "windows", "not there"),
    ],
  };
  const file = join(folder, "release.json");
  writeFileSync(file, JSON.stringify(manifest));
  expect(readManifest(file, "1.2.3")).toEqual(manifest);
  expect(readManifest(file, "1.2.4")).toBeUndefined();
  const found = await findAssets(own, manifest);
  expect(found.map(({ name, sha256: sum }) => [name, sum])).toEqual([
    ["gatehouse", sha256("this one")],
    ["gatehouse-linux-arm64", sha256("the other")],
  ]);
  for (const bad of ["not json", '{"version":"1.2.3"}']) {
    writeFileSync(file, bad);
    expect(readManifest(file, "1.2.3")).toBeUndefined();
  }
  const outside = { ...manifest, assets: [asset("../evil", "linux", "x")] };
  writeFileSync(file, JSON.stringify(outside));
  expect(readManifest(file, "1.2.3")).toBeUndefined();
  rmSync(folder, { recursive: true });
});
