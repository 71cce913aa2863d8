import { afterAll, expect, test } from "bun:test";
import { connect as dial, type Socket } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../fault/ledger.ts";
import { boot, connect, examine, kill } from "../fault/storm.ts";
import { call } from "../world.ts";

const data = mkdtempSync(join(tmpdir(), "gatehouse-busy-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));

/** Nearly as much as a request may carry: what takes a thread a while. */
const noise = "x".repeat(32_000);
const HEAVY = 240;
/** More than may wait for an organisation. */
const LIGHT = 320;
const ATTEMPTS = 100;

const eventsOf = (ids: string[], attributes = {}) =>
  ids.map(id => ({ id, time: "2026-11-21T10:00:00Z", type: "x.y", attributes }));

/** Sends each body on a connection of its own, all at once; the replies as they came. */
async function burst(url: string, agent: string, bodies: string[]): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    bodies.map(
      () =>
        new Promise<Socket>(resolve => {
          const socket = dial({ host: hostname, port: Number(port) }, () => resolve(socket));
        }),
    ),
  );
  const replies = sockets.map(
    socket =>
      new Promise<string>(resolve => {
        let text = "";
        socket.on("data", chunk => void (text += chunk));
        socket.on("close", () => resolve(text));
      }),
  );
  const head = `POST /api/events HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${agent}\r\nContent-Type: application/json`;
  for (const [index, body] of bodies.entries())
    sockets[index]!.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  return Promise.all(replies);
}

test("past what may wait for an organisation a batch is 503 with Retry-After, nothing of it is stored, and it can be sent again", async () => {
  const booted = await boot({ data });
  const agent = await connect(booted);
  const ledger = new Ledger();
  const send = async (ids: string[], attributes = {}) => {
    ledger.sending(ids);
    const body = eventsOf(ids, attributes);
    const reply = await call(booted.url, "POST", "/api/events", { token: agent, body });
    if (reply.status === 200) ledger.acknowledged(ids, reply.json.head);
    return reply;
  };
  const refused: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && refused.length === 0; attempt++) {
    const ids = Array.from({ length: HEAVY }, (_, index) => `heavy.${attempt}.${index}`);
    const heavy = send(ids, { noise });
    const light = Array.from({ length: LIGHT }, (_, index) => `light.${attempt}.${index}`);
    ledger.sending(light);
    const replies = await burst(
      booted.url,
      agent,
      light.map(id => JSON.stringify(eventsOf([id]))),
    );
    // Where the small ones got there first.
    const { status, json } = await heavy;
    if (status !== 200) expect([status, json.error, refused.push(...ids)]).toEqual([503, "busy", HEAVY]);
    for (const [index, reply] of replies.entries()) {
      const [head, body] = reply.split("\r\n\r\n") as [string, string];
      if (head.startsWith("HTTP/1.1 200")) ledger.acknowledged([light[index]!], JSON.parse(body).head);
      else {
        expect([head.slice(9, 12), JSON.parse(body).error]).toEqual(["503", "busy"]);
        expect(head.toLowerCase()).toContain("\r\nretry-after: 1");
        refused.push(light[index]!);
      }
    }
  }
  expect(refused.length).toBeGreaterThan(0);
  // None of them is there already.
  expect((await send(refused)).json).toMatchObject({ accepted: refused.length, duplicates: 0 });
  expect(await examine(booted, ledger)).toEqual([]);
  await kill(booted);
}, 300_000);
