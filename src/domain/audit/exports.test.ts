import { expect, test } from "bun:test";
import fc from "fast-check";
import { heldAgainst } from "../../../test/schemas.ts";
import { csvHeader, csvRow, toCsv } from "./csv.ts";
import { toOcsf, toOcsfLines } from "./ocsf.ts";
import type { AuditRecord } from "./record.ts";

const base: AuditRecord = {
  seq: 41,
  received_at: "2026-01-02T03:04:05.678Z",
  type: "shell.exec",
  hash: "ab".repeat(32),
  agent_id: "agt_1",
  id: "e-1",
  time: "2026-01-02T03:04:05.000Z",
  client: "claude-code",
  session_id: "s1",
};
const product = { name: "Gatehouse", vendor_name: "Gatehouse", version: "0.1.0" };

const faults = heldAgainst("ocsf-1.8.0.json");

test.each([
  [{ action: { kind: "shell", command: "ls" }, exit_code: 2 }, 1007, 1],
  [{ type: "policy.decision", decision: "BLOCK", action: { kind: "shell", command: "rm -rf /" } }, 1007, 1],
  [{ type: "mcp.call", action: { kind: "mcp", server: "fs", tool: "read", args: { path: "a" } } }, 6003, 99],
  [{ type: "file.access", action: { kind: "file", tool: "Read" } }, 6003, 99],
  [{ type: "session.start" }, 6002, 3],
  [{ type: "session.end" }, 6002, 4],
  [{ type: "scan.ingested", attributes: { scan_id: "scn_1" } }, 6007, 2],
  [{ type: "drift.schema_changed" }, 2004, 1],
  [{ type: "drift.accepted", agent_id: undefined, actor: { kind: "person", id: "usr_1" } }, 3004, 3],
  [{ type: "member.invited", agent_id: undefined, actor: { id: "usr_1", name: "Dana" } }, 3004, 1],
  [{ type: "policy.changed", agent_id: undefined, actor: "usr_1" }, 3004, 3],
  [{ type: "agent.removed", agent_id: null, attributes: { agent_id: "agt_9" } }, 3004, 4],
  [{ type: "custom.thing" }, 0, 99],
])("%j becomes class %d", (change, class_uid, activity_id) => {
  const event = toOcsf(drop({ ...base, ...change }), product);
  expect(faults(event)).toEqual([]);
  expect(event).toMatchObject({ class_uid, activity_id });
});

function drop(record: object): AuditRecord {
  return JSON.parse(JSON.stringify(record)) as AuditRecord;
}

test.each([
  ["ALLOW", undefined, { action_id: 1, disposition_id: 1, is_alert: false, severity_id: 1 }],
  ["WARN", undefined, { action_id: 3, disposition_id: 19, is_alert: true, severity_id: 2 }],
  ["ASK", undefined, { action_id: 99, action: "Asked", disposition_id: 99, is_alert: true, severity_id: 3 }],
  ["BLOCK", true, { action_id: 2, disposition_id: 2, is_alert: true, severity_id: 4 }],
  ["BLOCK", false, { action_id: 3, disposition_id: 15, is_alert: true, severity_id: 4 }],
] as const)("%s enforced %s is said in the security control profile", (decision, enforced, wanted) => {
  const record = { ...base, decision, rules: ["core.x"], ...(enforced !== undefined && { attributes: { enforced } }) };
  const event = toOcsf(record, product);
  expect(event).toMatchObject({ ...wanted, unmapped: { decision, rules: ["core.x"] } });
  expect((event["metadata"] as { profiles: string[] }).profiles).toEqual(["security_control"]);
});

test("a fraction of a millisecond is rounded, an exit code keeps its 32 bits", () => {
  const shown = (exit_code: number) => toOcsf({ ...base, duration_ms: 1.6, exit_code }, product);
  expect(shown(3221225477)).toMatchObject({ duration: 2, exit_code: -1073741819, status_code: "3221225477" });
  expect(shown(2 ** 40)["exit_code"]).toBeUndefined();
  expect(faults(shown(2 ** 40))).toEqual([]);
});

test("the schema refuses what OCSF does not have", () => {
  const event = toOcsf({ ...base, action: { kind: "shell" } }, product);
  expect(faults({ ...event, actor: {} }).length).toBeGreaterThan(0);
  expect(faults({ ...event, invented: 1 }).length).toBeGreaterThan(0);
  expect(faults({ ...event, process: undefined }).length).toBeGreaterThan(0);
  expect(faults({ ...event, type_uid: 100708 }).length).toBeGreaterThan(0);
});

test("an unreadable time falls back to the time of receipt", () => {
  expect(toOcsf({ ...base, time: "soon" }, product)["time"]).toBe(Date.parse(base.received_at));
});

const record = fc.record(
  {
    type: fc.stringMatching(/^[a-z]{1,9}\.[a-z]{1,9}$/),
    action: fc.record(
      {
        kind: fc.constantFrom("shell", "mcp", "file", "net", "x"),
        command: fc.string(),
        server: fc.string({ minLength: 1 }),
        tool: fc.string({ minLength: 1 }),
        args: fc.jsonValue(),
        cwd: fc.string(),
      },
      { requiredKeys: [] },
    ),
    decision: fc.constantFrom("ALLOW", "WARN", "ASK", "BLOCK"),
    actor: fc.jsonValue(),
    attributes: fc.dictionary(fc.string(), fc.jsonValue()),
    exit_code: fc.maxSafeInteger(),
    duration_ms: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    rules: fc.array(fc.string()),
  },
  { requiredKeys: [] },
);

test("whatever an event holds, it becomes a valid OCSF event on one line", () => {
  fc.assert(
    fc.property(record, fc.boolean(), (change, fromAgent) => {
      const made = { ...base, ...change } as AuditRecord;
      if (!fromAgent) delete (made as { agent_id?: string }).agent_id;
      const [line] = [...toOcsfLines([made], product)];
      expect(line!.indexOf("\n")).toBe(line!.length - 1);
      expect(faults(JSON.parse(line!))).toEqual([]);
    }),
  );
});

/** A reader of RFC 4180, as simple as the grammar. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (quoted === undefined && plain === "" && end === "") break;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.filter(r => r.length > 0);
}

test("CSV quotes what needs quoting and leaves numbers alone", () => {
  const row = csvRow({
    ...base,
    action: { kind: "shell", command: 'echo "a,b"\nls' },
    exit_code: -1,
    rules: ["a.b", "c.d"],
  });
  expect(row).toContain('"echo ""a,b""\nls"');
  expect(row).toContain(",-1,");
  expect(row).toContain(",a.b c.d,");
  expect(row.endsWith("\r\n")).toBe(true);
  expect(readCsv(csvHeader)[0]).toContain("received_at");
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1", "＝1", "\n=1"])("%j is disarmed", command => {
  const cells = readCsv(csvRow({ ...base, action: { command } }))[0]!;
  expect(cells).toContain(`'${command}`);
});

test("every CSV reads back with the same number of cells, and no text cell can be a formula", () => {
  fc.assert(
    fc.property(fc.array(record), changes => {
      const rows = readCsv([...toCsv(changes.map(c => ({ ...base, ...c }) as AuditRecord))].join(""));
      expect(rows).toHaveLength(changes.length + 1);
      for (const row of rows) {
        expect(row).toHaveLength(rows[0]!.length);
        for (const cell of row) expect(/^\s*[=+@]/.test(cell)).toBe(false);
      }
    }),
  );
});
