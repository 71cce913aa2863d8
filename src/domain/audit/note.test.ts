import { describe, expect, test } from "bun:test";
import { ed25519Signer, sha256, verifyEd25519 } from "../../store/crypto.ts";
import { formatVkey, openCheckpoint, parseCheckpointText, parseVkey, signCheckpoint } from "./note.ts";

const signer = ed25519Signer(new Uint8Array(32).fill(7));
const key = { name: "gatehouse/org_1", publicKey: signer.publicKey };
const root = sha256(new Uint8Array(0));
const note = signCheckpoint(sha256, { origin: key.name, size: 3, root }, signer.publicKey, signer.sign);
const open = (text: string, by = key) => openCheckpoint(sha256, text, by, verifyEd25519);

describe("signed notes", () => {
  // The example key of golang.org/x/mod/sumdb/note.
  const example = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

  test("a verifier key is written as Go's note package writes it", () => {
    const parsed = parseVkey(sha256, example)!;
    expect(parsed.name).toBe("PeterNeumann");
    expect(formatVkey(sha256, parsed)).toBe(example);
  });

  test.each([
    example.replace("c74f20a3", "c74f20a4"),
    example.replace("PeterNeumann", "PeterNeumanm"),
    example.slice(0, -1),
    "a+b",
    "",
  ])("a key that does not fit its id is none: %s", text => {
    expect(parseVkey(sha256, text)).toBeUndefined();
  });

  test("a checkpoint opens under its key only", () => {
    expect(open(note)).toEqual({ origin: key.name, size: 3, root });
    expect(open(note, { ...key, name: "gatehouse/org_2" })).toBeUndefined();
    expect(open(note, { ...key, publicKey: ed25519Signer(new Uint8Array(32)).publicKey })).toBeUndefined();
  });

  test("no byte of it may change", () => {
    const bytes = new TextEncoder().encode(note);
    for (let i = 0; i < bytes.length; i++) {
      const changed = bytes.slice();
      changed[i]! ^= 1;
      expect(open(new TextDecoder().decode(changed))).toBeUndefined();
    }
  });

  test("signatures of others beside it are ignored", () => {
    const other = note.split("\n\n")[1]!.replaceAll(key.name, "witness.example");
    expect(open(note + other)?.size).toBe(3);
  });

  test.each(["", "o\n1\n", "o\n01\nAAAA\n", "o\n-1\nAAAA\n", `o\n9007199254740993\n${root.toBase64()}\n`, "\n1\nA\n"])(
    "not a checkpoint: %j",
    text => {
      expect(parseCheckpointText(text)).toBeUndefined();
      expect(open(text)).toBeUndefined();
    },
  );
});
