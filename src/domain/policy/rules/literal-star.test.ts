import { expect, test } from "bun:test";
import { runCases } from "./cases.ts";
import { parsePack } from "./parse.ts";

const pack = (when: string, block: string, allow: string): string => `pack: star
version: "1.0.0"
title: Stars
rules:
  - id: star.literal
    status: stable
    what: names a star
    why: It stands for itself.
    instead: Name what is meant.
    decision: BLOCK
    severity: high
    when: ${when}
    cases:
      block: [${block}]
      allow: [${allow}]
`;

const shell = (command: string): string => JSON.stringify(command);

test.each([
  ['{ run: tool, args: "\\\\*" }', "tool '*'", "tool a"],
  ['{ run: tool, args: "a\\\\*b" }', "tool 'a*b'", "tool axb"],
  ['{ run: tool, args: "*\\\\*" }', "tool 'a*'", "tool ab"],
  ['{ run: tool, flags: "--x=\\\\*" }', "tool --x='*'", "tool --x=a"],
  ['{ run: tool, flags: "--a\\\\*b" }', "tool '--a*b'", "tool --axb"],
  ['{ run: tool, flags_all: ["--x=*\\\\**"] }', "tool --x='a*b'", "tool --x=ab"],
  ['{ run: "tool \\\\*" }', "tool '*'", "tool a"],
  ['{ run: "t\\\\*l* sub" }', "'t*lk' sub", "tool sub"],
  ['{ run: git push, ref: "rel\\\\*" }', "git push origin 'rel*'", "git push origin rel1"],
  ['{ does: write, path: "/srv/a\\\\*b" }', "echo x > '/srv/a*b'", "echo x > /srv/axb"],
  ['{ net: download, host: "\\\\*.x.test" }', "curl 'https://*.x.test/'", "curl https://a.x.test/"],
  ['{ env: "FOO=\\\\*" }', "FOO='*' ls", "FOO=a ls"],
])("%s means a star, and nothing else", (when, block, allow) => {
  const parsed = parsePack(pack(when, shell(block), shell(allow)), "star.yaml");
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join("; "));
  expect(runCases({ packs: [parsed.value], entitled: true }).filter(({ ok }) => !ok)).toEqual([]);
});

test.each([
  ['{ mcp: "srv/a\\\\*" }', '{ mcp: "srv/a*", input: {} }', "{ mcp: srv/ab, input: {} }"],
  ['{ mcp: srv/t, input: { q: "\\\\*" } }', '{ mcp: srv/t, input: { q: "*" } }', "{ mcp: srv/t, input: { q: a } }"],
])("%s means a star in calls of tools", (when, block, allow) => {
  const parsed = parsePack(pack(when, block, allow), "star.yaml");
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join("; "));
  expect(runCases({ packs: [parsed.value], entitled: true }).filter(({ ok }) => !ok)).toEqual([]);
});
