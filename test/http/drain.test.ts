import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boot, connect, examine, kill } from "../fault/storm.ts";
import { Ledger } from "../fault/ledger.ts";

const data = mkdtempSync(join(tmpdir(), "gatehouse-drain-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

interface Line {
  /** Ended by the server while a request waited for its reply. */
  cutOff: boolean;
  statuses: string[];
}

/** Sends batches on one connection kept open, one after the other, until a reply says that it ends. */
function hammer(url: string, agent: string, name: string, ledger: Ledger): Promise<Line> {
  const { hostname, port } = new URL(url);
  const line: Line = { cutOff: false, statuses: [] };
  let ids: string[] = [];
  let text = "";
  return new Promise(ended => {
    const socket = dial({ host: hostname, port: Number(port), noDelay: true }, () => send());
    const send = () => {
      ids = Array.from({ length: 20 }, (_, index) => `${name}.${line.statuses.length}.${index}`);
      ledger.sending(ids);
      const body = JSON.stringify(ids.map(id => ({ id, time: "2026-11-21T10:00:00Z", type: "x.y" })));
      const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${agent}\r\nContent-Type: application/json`;
      socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    };
    socket.on("data", chunk => {
      text += chunk.toString();
      const [head, body] = text.split("\r\n\r\n") as [string, string | undefined];
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
      if (body === undefined || !(body.length >= length)) return;
      line.statuses.push(head.slice(9, 12));
      if (head.startsWith("HTTP/1.1 200")) ledger.acknowledged(ids, JSON.parse(body).head);
      [text, ids] = ["", []];
      if (/\r\nconnection: close/i.test(head)) socket.end();
      else send();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      line.cutOff = ids.length > 0;
      ended(line);
    });
  });
}

test("SIGTERM under load: every request sent is answered, every connection ends after a reply, nothing acknowledged is lost", async () => {
  const ledger = new Ledger();
  const booted = await boot({ data });
  const agent = await connect(booted);
  const lines = Array.from({ length: 16 }, (_, index) => hammer(booted.url, agent, `l${index}`, ledger));
  while (ledger.size < 2000) await new Promise(resume => setTimeout(resume, 10));
  booted.server.kill("SIGTERM");
  const ended = await Promise.all(lines);
  expect(await booted.server.exited).toBe(0);
  expect(ended.filter(({ cutOff }) => cutOff)).toEqual([]);
  expect([...new Set(ended.flatMap(({ statuses }) => statuses))]).toEqual(["200"]);
  const after = await boot({ data });
  expect(await examine(after, ledger)).toEqual([]);
  await kill(after);
}, 180_000);
