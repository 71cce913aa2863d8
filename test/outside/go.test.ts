import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { sha256 } from "../../src/store/crypto.ts";
import { fill, openMemory, origin, signer } from "../store/fixture.ts";

// Debian: golang-go, golang-golang-x-mod-dev.
const gopath = "/usr/share/gocode";
const present =
  existsSync(join(gopath, "src/golang.org/x/mod/sumdb/note")) && spawnSync("go", ["version"]).status === 0;
if (!present) process.stderr.write("skipped: Go or golang.org/x/mod is not installed here\n");

test.skipIf(!present)(
  "Go's sumdb packages accept an export, and nothing that was changed",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-go-"));
    try {
      const verify = join(folder, "verify");
      const env = { ...process.env, GO111MODULE: "off", GOPATH: gopath, GOFLAGS: "", GOCACHE: join(folder, "cache") };
      const built = spawnSync("go", ["build", "-o", verify, join(import.meta.dir, "verify.go")], { env });
      expect(built.stderr.toString()).toBe("");
      const store = openMemory();
      fill(store, 1_300);
      const leaves = [...store.log.leaves()].map(leaf => new TextDecoder().decode(leaf));
      const vkey = formatVkey(sha256, { name: origin, publicKey: signer.publicKey });
      const outcome = (files: { leaves?: string[]; checkpoint?: string; vkey?: string }) => {
        writeFileSync(join(folder, "leaves.jsonl"), (files.leaves ?? leaves).map(leaf => `${leaf}\n`).join(""));
        writeFileSync(join(folder, "checkpoint"), files.checkpoint ?? store.log.checkpoint());
        writeFileSync(join(folder, "vkey"), files.vkey ?? vkey);
        return spawnSync(verify, { cwd: folder }).stdout.toString().split(" ")[0];
      };
      expect(outcome({})).toBe("OK");
      expect(outcome({ leaves: leaves.with(700, leaves[700]!.replace("shell.exec", "shell.exit")) })).toBe("FAIL");
      expect(outcome({ leaves: leaves.toSpliced(3, 1) })).toBe("FAIL");
      expect(outcome({ leaves: leaves.slice(0, -1) })).toBe("FAIL");
      expect(outcome({ checkpoint: store.log.checkpoint().replace("\n1300\n", "\n1299\n") })).toBe("FAIL");
      expect(outcome({ vkey: formatVkey(sha256, { name: "gatehouse/other", publicKey: signer.publicKey }) })).toBe(
        "FAIL",
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  180_000,
);
