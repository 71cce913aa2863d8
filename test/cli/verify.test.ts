import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as heartbeat } from "../../src/cli/heartbeat.ts";
import { run as verify } from "../../src/cli/verify.ts";
import { useLaptop, useOrganisation } from "./laptop.ts";

const laptop = useLaptop();
const { call, judge } = laptop;
const { ask, enrol } = useOrganisation(laptop);

describe("an exported log", () => {
  const fetchText = async (path: string) => (await ask("GET", path)).text;
  const fetchExport = async () => {
    const leaves = await fetchText("/audit/export?format=leaves");
    let checkpoint: string;
    // A checkpoint is signed within a second of what it covers; its second line is the size (C2SP tlog-checkpoint).
    do checkpoint = await fetchText("/posture/checkpoint");
    while (Number(checkpoint.split("\n")[1]) < leaves.trimEnd().split("\n").length);
    writeFileSync(join(laptop.folder, "leaves.jsonl"), leaves);
    writeFileSync(join(laptop.folder, "checkpoint"), checkpoint);
    writeFileSync(join(laptop.folder, "vkey"), JSON.parse(await fetchText("/posture/keys")).keys[0].vkey);
  };

  test("verifies offline, and every kind of change shows", async () => {
    await enrol();
    await judge("ls", "v1");
    await call(heartbeat, []);
    await fetchExport();
    expect(await call(verify, [laptop.folder])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^OK gatehouse\/org_\S+: \d+ entries/),
    });
    const text = readFileSync(join(laptop.folder, "leaves.jsonl"), "utf8");
    const rows = text.trimEnd().split("\n");
    const tampered = [
      text.replace(/"ts":(\d)/, '"ts":9'),
      `${rows.toSpliced(1, 1).join("\n")}\n`,
      `${[rows[1], rows[0], ...rows.slice(2)].join("\n")}\n`,
      `${rows.slice(0, -1).join("\n")}\n`,
      "",
    ];
    for (const changed of tampered) {
      writeFileSync(join(laptop.folder, "leaves.jsonl"), changed);
      expect((await call(verify, [laptop.folder, "--json"])).code).toBe(3);
    }
    expect((await call(verify, [join(laptop.folder, "nowhere")])).code).toBe(1);
  });
});
