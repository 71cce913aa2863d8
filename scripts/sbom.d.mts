export interface Component {
  "bom-ref": string;
  name: string;
  version: string;
  purl: string;
  hashes: { alg: string; content: string }[];
  licenses: unknown[];
}
export interface Sbom {
  specVersion: string;
  serialNumber: string;
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
export function sbom(lock: { name: string; version: string; packages: Record<string, object> }): Sbom;
export function readLock(): Parameters<typeof sbom>[0];
