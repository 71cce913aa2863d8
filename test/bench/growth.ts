/**
 * How cost grows: `npm run bench:growth -- [agents|organisations|events[=max] …]`, all three without. Agents polling an unchanged
 * policy (304) and reporting in, organisations on one thread, events of one organisation; each by factors of ten, by default to
 * 10,000, 10,000 and 10,000,000 (1 GB of disk for a while). Milliseconds; `cpu` is processor time, which other programs on the
 * machine do not change. Prints three tables and, as the last line, JSON.
 */
import { growAgents } from "./growth/agents.ts";
import { growEvents } from "./growth/events.ts";
import type { Rows } from "./growth/host.ts";
import { growOrganisations } from "./growth/organisations.ts";

const parts: Record<string, { grow: (max: number) => Rows | Promise<Rows>; max: number }> = {
  agents: { grow: growAgents, max: 10_000 },
  organisations: { grow: growOrganisations, max: 10_000 },
  events: { grow: growEvents, max: 10_000_000 },
};

const asked = process.argv.slice(2).map(part => part.split("=") as [string, string?]);
const unknown = asked.find(([name]) => !Object.hasOwn(parts, name));
if (unknown) {
  console.error(`There is no part ${unknown[0]}. There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}

const result: Record<string, Rows> = {};
for (const [name, max] of asked.length > 0 ? asked : Object.keys(parts).map(name => [name] as const)) {
  const { grow, max: usual } = parts[name]!;
  const began = performance.now();
  result[name] = await grow(max === undefined ? usual : Number(max));
  console.log(`${name}, ${Math.round((performance.now() - began) / 1000)} s`);
  console.table(result[name]);
}
console.log(JSON.stringify(result));
process.exit(0);
