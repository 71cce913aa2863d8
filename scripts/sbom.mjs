// The bill of materials of what is shipped: CycloneDX 1.6 JSON (ECMA-424) from package-lock.json, without what only development
// needs. The same lock gives the same bytes. `node scripts/sbom.mjs` prints it; the build writes dist/sbom.cdx.json.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const NEAR = "node_modules/";

const purl = (name, version) => `pkg:npm/${name.replace("@", "%40")}@${version}`;
const nameOf = path => path.slice(path.lastIndexOf(NEAR) + NEAR.length);

/** npm's integrity (`sha512-…` in base64) as CycloneDX writes it. */
const hashesOf = integrity => {
  const [, content] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  return content ? [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }] : [];
};

// An expression where SPDX operators stand in it, else an identifier (CycloneDX 1.6, licenseChoice).
const licensesOf = license =>
  license ? [/ (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }] : [];

/** Where node would find `name` from the package at `path`; undefined for what is not installed on any platform of ours. */
function found(packages, path, name) {
  for (let from = path; ; from = from.slice(0, from.lastIndexOf(`/${NEAR}`))) {
    const place = from === "" ? NEAR + name : `${from}/${NEAR}${name}`;
    if (packages[place]) return place;
    if (from === "") return undefined;
    if (!from.includes(`/${NEAR}`)) return packages[NEAR + name] ? NEAR + name : undefined;
  }
}

/** Packages that the one at `path` needs, by path: optional ones included, optional peers and what only development needs not. */
const needsOf = (packages, path) => {
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path];
  const peers = Object.keys(peerDependencies).filter(name => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...(path === "" ? [] : peers)]
    .flatMap(name => found(packages, path, name) ?? [])
    .filter(place => !packages[place].dev && !packages[place].devOptional);
};

/** Everything that ships with the root, by path. */
function shipped(packages) {
  const seen = new Set();
  const walk = path => {
    if (seen.has(path)) return;
    seen.add(path);
    needsOf(packages, path).forEach(walk);
  };
  walk("");
  seen.delete("");
  return [...seen].sort();
}

/** The document for a lock of npm (lockfileVersion 3). */
export function sbom({ name, version, packages }) {
  const ref = path => (path === "" ? purl(name, version) : purl(nameOf(path), packages[path].version));
  const paths = shipped(packages);
  const byRef = new Map(paths.map(path => [ref(path), path]));
  const components = [...byRef].map(([bom_ref, path]) => ({
    type: "library",
    "bom-ref": bom_ref,
    name: nameOf(path),
    version: packages[path].version,
    purl: bom_ref,
    hashes: hashesOf(packages[path].integrity),
    licenses: licensesOf(packages[path].license),
  }));
  const dependencies = ["", ...byRef.values()].map(path => ({
    ref: ref(path),
    dependsOn: [...new Set(needsOf(packages, path).map(ref))].sort(),
  }));
  const root = { type: "application", "bom-ref": ref(""), name, version, purl: ref("") };
  const body = {
    metadata: { component: { ...root, licenses: licensesOf(packages[""].license) } },
    components,
    dependencies,
  };
  return { bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: serial(body), version: 1, ...body };
}

/** A UUID made from the content (RFC 9562, version 8), so that the document can be reproduced. */
function serial(body) {
  const hex = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const readLock = () => JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(sbom(readLock()), null, 2));
