import { createWorld } from "../../world.ts";
import { Feed } from "../feed.ts";
import { Bench } from "../http.ts";
import { post } from "../load.ts";
import { type Contestant, Lines } from "./contestant.ts";

export async function startGatehouse(_: string, connections: number): Promise<Contestant> {
  const bench = await Bench.start(connections);
  const lines = new Lines(bench.url);
  return {
    pid: bench.pid,
    send(connection, size) {
      const { token, feed } = bench.agents[connection]!;
      return lines.send(connection, post("/api/events", token, feed.batch(size)));
    },
    async stop() {
      lines.close();
      const { valid } = await bench.chain();
      await bench.stop();
      if (!valid) throw new Error("the chain is broken");
    },
  };
}

/** As the peers without HTTP are asked: what a request's body becomes, handed to the organisation's thread. */
export async function startDispatch(_: string, connections: number): Promise<Contestant> {
  const world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
  const { directory, dispatch } = world.gatehouse.parts;
  const org = directory.organisations.all()[0]!.id;
  const actor = { kind: "system", id: "bench" } as const;
  const feeds = Array.from({ length: connections }, () => new Feed());
  for (const [n] of feeds.entries())
    await dispatch.ask(org, "agents.register", { agent: { agent_id: `agt_${n}`, name: `agent-${n}` }, actor });
  return {
    pid: process.pid,
    async send(connection, size) {
      const bytes = new Uint8Array(feeds[connection]!.batch(size));
      const input = { agent: `agt_${connection}`, media: "json", encoding: "identity", bytes } as const;
      await dispatch.ask(org, "events.ingest", input, { bytes: bytes.length, transfer: [bytes.buffer] });
    },
    stop: () => world.close(),
  };
}
