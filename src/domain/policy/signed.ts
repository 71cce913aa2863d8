import type { Mode } from "./verdict.ts";

/** What the signature of `GET /policy` is over: the mode too, or a changed cache could switch enforcement off. */
export const policyMessage = (version: number, hash: string, mode: Mode): string =>
  `gatehouse-policy-v1\n${version}\n${hash}\n${mode}\n`;
