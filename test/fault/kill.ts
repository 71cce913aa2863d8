/**
 * kill -9 of a server under load, again and again on the same data, with a ledger of what it acknowledged kept outside.
 * `npm run fault [rounds=10] [seed]`; with `--mutant` the server loses one event in a hundred, which must be caught.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Started, root, startProgram } from "../target.ts";
import { call } from "../world.ts";
import { Ledger } from "./ledger.ts";

const EMAIL = "ada@example.com";
const PASSWORD = "correct horse battery";

export interface Outcome {
  seed: number;
  acknowledged: number;
  problems: string[];
}

export async function killAgainAndAgain(rounds: number, seed: number, main?: string): Promise<Outcome> {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-fault-"));
  const env = {
    GATEHOUSE_DATA: data,
    GATEHOUSE_PORT: "0",
    GATEHOUSE_LOG_LEVEL: "error",
    GATEHOUSE_ADMIN_EMAIL: EMAIL,
    GATEHOUSE_ADMIN_PASSWORD: PASSWORD,
  };
  const next = generator(seed);
  const ledger = new Ledger();
  const problems: string[] = [];
  let agent = "";
  for (let round = 0; round <= rounds; round++) {
    const server = startProgram(["serve"], { env, ...(main ? { main } : {}) });
    const [, url] = await server.said(/ready at (http:\S+)/);
    const { token } = (await call(url!, "POST", "/api/auth/login", { body: { email: EMAIL, password: PASSWORD } }))
      .json;
    agent ||= await connect(url!, token);
    if (round > 0) problems.push(...(await examine(url!, token, ledger)).map(problem => `round ${round}: ${problem}`));
    if (round < rounds && problems.length === 0) await stormUntilKilled(server, url!, agent, ledger, round, next);
    else server.kill("SIGKILL");
    await server.exited;
    if (problems.length > 0) break;
  }
  rmSync(data, { recursive: true, force: true });
  return { seed, acknowledged: ledger.size, problems };
}

/** Four clients send batches of odd sizes, some of it twice, until the server is killed at a moment drawn from the seed. */
async function stormUntilKilled(
  server: Started,
  url: string,
  agent: string,
  ledger: Ledger,
  round: number,
  next: () => number,
) {
  let alive = true;
  const client = async (name: string) => {
    for (let batch = 0; alive; batch++) {
      const ids = Array.from(
        { length: 1 + Math.floor(next() * 40) },
        (_, index) => `${round}.${name}.${batch}.${index}`,
      );
      const events = ids.map(id => ({ id, time: "2026-11-21T10:00:00Z", type: "shell.exec" }));
      ledger.sending(ids);
      const again = next() < 0.2 ? 2 : 1;
      for (let time = 0; time < again && alive; time++) {
        const reply = await call(url, "POST", "/api/events", { token: agent, body: events }).catch(() => undefined);
        if (reply?.status === 200) ledger.acknowledged(ids, reply.json.head);
      }
    }
  };
  setTimeout(
    () => {
      server.kill("SIGKILL");
      alive = false;
    },
    100 + next() * 700,
  );
  await Promise.all(["a", "b", "c", "d"].map(client));
}

async function examine(url: string, token: string, ledger: Ledger): Promise<string[]> {
  const chain = (await call(url, "GET", "/api/posture/attestation-chain", { token })).json;
  const text = (await call(url, "GET", "/api/audit/export?format=ndjson", { token })).text;
  const entries = text
    .trim()
    .split("\n")
    .map(line => JSON.parse(line));
  return [
    ...(chain.valid ? [] : [`the chain breaks at ${JSON.stringify(chain.first_break)}`]),
    ...ledger.audit(entries),
  ];
}

async function connect(url: string, token: string): Promise<string> {
  const { user_code, device_code } = (await call(url, "POST", "/api/auth/device-code", { body: { name: "storm" } }))
    .json;
  await call(url, "POST", "/api/auth/device-verify", { token, body: { user_code, action: "approve" } });
  return (await call(url, "POST", "/api/auth/device-token", { body: { device_code } })).json.access_token;
}

/** mulberry32 */
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A copy of the product that loses one event in a hundred and acknowledges it all the same. */
export function plantMutant(): { main: string; remove(): void } {
  const copy = mkdtempSync(join(tmpdir(), "gatehouse-mutant-"));
  for (const part of ["src", "workers", "seeds", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const file = join(copy, "src/actor/events.ts");
  const sound = readFileSync(file, "utf8");
  const mutated = sound.replace(
    "const { event, body, facets } = read;",
    'if (Math.random() < 0.01) return "stored";\n  $&',
  );
  if (mutated === sound) throw new Error("the mutant could not be planted: src/actor/events.ts has changed");
  writeFileSync(file, mutated);
  return { main: join(copy, "src/main.ts"), remove: () => rmSync(copy, { recursive: true, force: true }) };
}

if (import.meta.main) {
  const [rounds = "10", seed = String(Date.now() % 1e9)] = process.argv.slice(2).filter(word => !word.startsWith("--"));
  const mutant = process.argv.includes("--mutant") ? plantMutant() : undefined;
  console.log(`kill -9: ${rounds} rounds, seed ${seed}${mutant ? ", with a planted mutant" : ""}`);
  const outcome = await killAgainAndAgain(Number(rounds), Number(seed), mutant?.main);
  mutant?.remove();
  console.log(
    `${outcome.acknowledged} events acknowledged. ${outcome.problems.join("; ") || "None lost, none doubled, the chain is valid."}`,
  );
  process.exit(outcome.problems.length > 0 === (mutant !== undefined) ? 0 : 1);
}
