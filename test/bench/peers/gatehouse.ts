import { Bench } from "../http.ts";
import { post } from "../load.ts";
import { type Contestant, Lines } from "./contestant.ts";

export async function startGatehouse(_: string, connections: number): Promise<Contestant> {
  const bench = await Bench.start(connections);
  const lines = new Lines(bench.url);
  return {
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
