import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Config, dataPaths, readConfig } from "../config.ts";
import { type Directory, openDirectory } from "../directory/directory.ts";
import type { MemberKey } from "../directory/members.ts";
import type { Organisation } from "../directory/organisations.ts";
import type { Dispatch } from "../dispatch/dispatch.ts";
import type { Member } from "../domain/org/members.ts";
import { iso } from "../domain/time.ts";
import { openKeys } from "../key-files.ts";
import { createLogger } from "../logger.ts";
import { readRelease } from "../release.ts";
import { copyDatabase } from "./copy-database.ts";
import { ArchiveError } from "./archive.ts";
import type { Io } from "./io.ts";
import { readPlans, startThreads } from "./threads.ts";

const MEMBERS_AT_ONCE = 200;

/**
 * Everything an organisation holds, in files that need no Gatehouse to be read: who belongs to it, its policy, its log as
 * events, and the leaves, checkpoint and key that prove the log. Works on a copy, also while the server runs.
 */
export async function exportOrg(org: Organisation, folder: string, io: Io): Promise<number> {
  if (existsSync(folder)) throw new ArchiveError(`${folder} exists already.`);
  const config = readConfig(io.env);
  const aside = mkdtempSync(join(dirname(resolve(folder)), ".org-export-"));
  try {
    const copy = { ...config, data: aside, workers: 1 };
    copyInto(config, copy, org.id);
    const keys = openKeys(dataPaths(config).keys, { fresh: false, now: Date.now });
    const directory = openDirectory(dataPaths(copy).directory, { now: Date.now, random: randomBytes, keys });
    const logger = createLogger(config.log_level, io.err, Date.now);
    const dispatch = startThreads(copy, { directory, keys, plans: readPlans(), logger });
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return await write(org, folder, directory, dispatch);
    } finally {
      await dispatch.close();
      directory.close();
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** The directory first: a head on record may then lag behind the log, never lead it. */
function copyInto(from: Config, to: Config, org: string): void {
  const [source, target] = [dataPaths(from), dataPaths(to)];
  mkdirSync(target.orgs, { recursive: true, mode: 0o700 });
  copyDatabase(source.directory, target.directory);
  const file = `${org}.sqlite`;
  // Nothing has happened in it yet: the copy begins as the organisation itself would.
  if (existsSync(join(source.orgs, file))) copyDatabase(join(source.orgs, file), join(target.orgs, file));
}

/** Returns how many entries the log has. */
async function write(org: Organisation, folder: string, directory: Directory, dispatch: Dispatch): Promise<number> {
  const text = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 });
  text("organisation.json", `${JSON.stringify(about(org, directory), null, 2)}\n`);
  text("policy.yaml", (await dispatch.ask(org.id, "policy.yaml", null)).yaml);
  const { keys } = await dispatch.ask(org.id, "posture.keys", null);
  text("vkey", `${keys[0]!.vkey}\n`);
  // The note covers all of the copy, which nobody appends to.
  text("checkpoint", await dispatch.ask(org.id, "posture.checkpoint", null));
  const product = { name: "Gatehouse", vendor_name: "Gatehouse", version: readRelease().version };
  const files = {
    "leaves.jsonl": { format: "leaves", window: {} },
    "audit.jsonl": { format: "ndjson", product, filter: {} },
  } as const;
  for (const [name, query] of Object.entries(files)) {
    const lines = dispatch.stream(org.id, "audit.export", query);
    const file = createWriteStream(join(folder, name), { mode: 0o600 });
    await pipeline(Readable.from(lines as unknown as AsyncIterable<Uint8Array>), file);
  }
  return (await dispatch.ask(org.id, "audit.newest", null)) + 1;
}

function about({ id, name, plan, created_at }: Organisation, { members }: Directory) {
  const all: Member[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = members.list(id, MEMBERS_AT_ONCE, ...(last ? [[last.created_at, last.id] as MemberKey] : []));
    all.push(...page);
    if (page.length < MEMBERS_AT_ONCE) break;
  }
  return {
    id,
    name,
    plan,
    created_at: iso(created_at),
    members: all.map(one => ({ ...one, created_at: iso(one.created_at) })),
  };
}
