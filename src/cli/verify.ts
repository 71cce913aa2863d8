import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ExportFlaw, verifyExport } from "../domain/audit/export.ts";
import { sha256, verifyEd25519 } from "../store/crypto.ts";
import { flag, readArguments, text } from "./arguments.ts";
import { CommandError, command, NO } from "./command.ts";

const USAGE = `Usage: gatehouse verify <folder> [--leaves <file>] [--checkpoint <file>] [--vkey <file or key>] [--json]

Verifies an exported audit log offline: the chain, the Merkle tree, and the signature of the checkpoint. The folder holds
leaves.jsonl (\`GET /api/audit/export?format=leaves\`), checkpoint (\`GET /api/posture/checkpoint\`) and vkey (\`GET /api/posture/keys\`).
Take the key from somewhere else than the log, or whoever changed both goes unseen. Exit code 3: it does not verify.`;

const flaws: Record<ExportFlaw, string> = {
  bad_key: "The verifier key is not well formed.",
  bad_signature: "The checkpoint is not signed by this key.",
  bad_leaf: "An entry is not a leaf of this format.",
  broken_chain: "The chain is broken: an entry was changed, moved, added or taken out.",
  truncated: "Entries are missing: the checkpoint covers more than the file holds.",
  wrong_root: "The entries do not add up to the signed root.",
};

export const run = command(USAGE, async (argv, io) => {
  const { values, positionals } = readArguments(
    argv,
    { leaves: text, checkpoint: text, vkey: text, json: flag },
    [0, 1],
    USAGE,
  );
  const folder = positionals[0] ?? ".";
  const note = readText(values.checkpoint ?? join(folder, "checkpoint"));
  const vkey = values.vkey?.includes("+") ? values.vkey : readText(values.vkey ?? join(folder, "vkey"));
  const leaves = values.leaves ?? join(folder, "leaves.jsonl");
  if (!statSync(leaves, { throwIfNoEntry: false })?.isFile()) throw new CommandError(`${leaves} is not a file.`);
  const verdict = verifyExport({ sha256, verify: verifyEd25519 }, lines(leaves), note, vkey.trim());
  const told = verdict.valid
    ? {
        valid: true,
        origin: verdict.checkpoint.origin,
        size: verdict.checkpoint.size,
        root: verdict.checkpoint.root.toBase64(),
      }
    : verdict;
  if (values.json) io.out(JSON.stringify(told));
  else if (verdict.valid)
    io.out(
      `OK ${verdict.checkpoint.origin}: ${verdict.checkpoint.size} entries, root ${verdict.checkpoint.root.toBase64()}`,
    );
  else io.out(`FAIL ${flaws[verdict.flaw]}${verdict.seq === undefined ? "" : ` Entry ${verdict.seq}.`}`);
  return verdict.valid ? 0 : NO;
});

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new CommandError(`${path} cannot be read. \`gatehouse verify --help\` says what a folder to verify holds.`);
  }
}

/** The exact bytes of each line, read in slices: exports may be larger than memory. */
function* lines(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  const slice = Buffer.alloc(1 << 20);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (let size = readSync(file, slice); size > 0; size = readSync(file, slice)) {
      const whole = Buffer.concat([rest, slice.subarray(0, size)]);
      let start = 0;
      for (let end = whole.indexOf(10); end >= 0; end = whole.indexOf(10, start)) {
        yield new Uint8Array(whole.subarray(start, end));
        start = end + 1;
      }
      rest = Buffer.from(whole.subarray(start));
    }
    if (rest.length > 0) yield new Uint8Array(rest);
  } finally {
    closeSync(file);
  }
}
