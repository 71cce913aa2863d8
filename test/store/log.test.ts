import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { verifyExport } from "../../src/domain/audit/export.ts";
import { verifyConsistency, verifyInclusion } from "../../src/domain/audit/merkle.ts";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { sha256, verifyEd25519 } from "../../src/store/crypto.ts";
import { openOrgStore } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { event, fill, finish, openMemory, origin, signer, storeWorld, withFile } from "./fixture.ts";

const vkey = formatVkey(sha256, { name: origin, publicKey: signer.publicKey });
const check = (store: OrgStore, note = store.log.checkpoint()) =>
  verifyExport({ sha256, verify: verifyEd25519 }, store.log.leaves(), note, vkey);

describe("appending", () => {
  test("an empty log has a head, a root and a checkpoint", () => {
    const store = openMemory();
    expect(store.log.head()).toEqual({ seq: -1, hash: "0".repeat(64), size: 0, ts: 0 });
    expect(store.log.root()).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(check(store).valid).toBe(true);
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 0 });
  });

  test("entries come back as they were given, in order", () => {
    const store = openMemory();
    const facets = { client: "codex", rules: ["a.b", "c"], server: "github", tool: "create_issue", echo: true };
    store.commit(() => {
      store.log.append(event(0, { decision: "BLOCK", facets }));
      store.log.append({ stream: "state", kind: "member.invited", body: '{"é":1}' });
    });
    const [first, second] = [...store.log.read()];
    expect(first).toMatchObject({ seq: 0, stream: "telemetry", agent: "agt_0", decision: "BLOCK", facets });
    expect(second).toEqual({
      seq: 1,
      ts: store.log.head().ts,
      stream: "state",
      kind: "member.invited",
      facets: {},
      hash: store.log.head().hash,
      body: '{"é":1}',
    });
  });

  test("whatever the batches, an outsider's check of the export agrees", () => {
    const plan = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(plan, fc.boolean(), (batches, merging) => {
        const store = openMemory();
        let n = 0;
        for (const batch of batches) fill(store, n + batch, { from: n, batch }), (n += batch);
        while (merging && store.log.tidy());
        expect(check(store)).toMatchObject({ valid: true, checkpoint: { size: n } });
        expect(finish(store.log.verify())).toMatchObject({ valid: true, count: n });
        store.close();
      }),
      { numRuns: 8 },
    );
  });

  test("times never go back, however the clock does", () => {
    const world = storeWorld();
    const store = openMemory(world);
    const times = [0, 5_000, -90_000, 3_000_000_000_000].map(shift => {
      world.clock.ms = 1_700_000_000_000 + shift;
      store.commit(() => store.log.append(event(shift)));
      return store.log.head().ts - 1_700_000_000_000;
    });
    expect(times).toEqual([0, 5_000, 5_000, 3_000_000_000_000]);
    while (store.log.tidy());
    expect([...store.log.read()].map(entry => entry.ts - 1_700_000_000_000)).toEqual(times);
    expect(finish(store.log.verify()).valid).toBe(true);
  });

  test.each([{ kind: "UPPER" }, { kind: 'a"' }, { agent: "a b" }, { body: "" }])("refused: %j", change => {
    const store = openMemory();
    expect(() => store.commit(() => store.log.append(event(0, change)))).toThrow(TypeError);
    expect(store.log.head().size).toBe(0);
  });

  test("only inside a commit", () => {
    expect(() => openMemory().log.append(event(0))).toThrow("outside");
  });
});

describe("de-duplication", () => {
  const uuid = (n: number) => `0190a000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;

  test("is exact by agent and id, in any order, across commits and reopening", () => {
    const ids = fc.oneof(
      fc.integer({ min: 0, max: 30 }).map(uuid),
      fc.integer({ min: 0, max: 30 }).map(n => uuid(n).toUpperCase()),
      fc.stringMatching(/^[a-c.]{1,2}$/),
    );
    const sends = fc.array(fc.tuple(fc.constantFrom("a", "b"), ids, fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(sends, plan => {
        const world = storeWorld();
        let store = openMemory(world);
        const seen = new Set<string>();
        for (const [agent, id, reopen] of plan) {
          const outcome = store.commit(() => store.log.append(event(0, { agent, id })));
          expect(outcome === "duplicate").toBe(seen.has(`${agent} ${id}`));
          seen.add(`${agent} ${id}`);
          if (reopen) store = openOrgStore({ image: store.serialize() }, world);
        }
        expect(store.log.head().size).toBe(seen.size);
      }),
      { numRuns: 60 },
    );
  });

  test("finds a twin in the same commit", () => {
    const store = openMemory();
    const outcomes = store.commit(() =>
      [3, 4, 3, 4, 5].map(n => store.log.append(event(n, { id: uuid(n), agent: "a" }))),
    );
    expect(outcomes.map(outcome => outcome === "duplicate")).toEqual([false, false, true, true, false]);
  });
});

describe("commands of one commit", () => {
  test("one that fails takes back its own entries, ids and names, nobody else's", () => {
    const command = fc.record({
      entries: fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.array(command, { maxLength: 4 }), { maxLength: 6 }), commits => {
        const store = openMemory();
        const kept: number[] = [];
        for (const commands of commits)
          store.commit(() => {
            for (const { entries, fails } of commands) {
              const run = () => {
                const added = entries.filter(
                  n => store.log.append(event(n, { kind: `k${n}`, agent: "a", id: `i${n}` })) !== "duplicate",
                );
                if (fails) throw new Error("no");
                kept.push(...added);
              };
              if (fails) expect(() => store.attempt(run)).toThrow("no");
              else store.attempt(run);
            }
          });
        expect([...store.log.read()].map(entry => entry.kind)).toEqual(kept.map(n => `k${n}`));
        expect(new Set(kept).size).toBe(kept.length);
        expect(finish(store.log.verify()).valid).toBe(true);
        expect(check(store).valid).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("a commit that fails leaves nothing, and the next one goes on", () => {
    const store = openMemory();
    fill(store, 10);
    const before = store.log.head();
    const failing = () =>
      store.commit(() => {
        store.log.append(event(10));
        throw new Error("disk full");
      });
    expect(failing).toThrow("disk full");
    expect(store.log.head()).toEqual(before);
    store.commit(() => expect(store.log.append(event(10))).toMatchObject({ seq: 10 }));
    expect(finish(store.log.verify())).toMatchObject({ valid: true, count: 11 });
  });
});

describe("reopening", () => {
  test("goes on where it stopped, at any size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 50, max: 500 }), (size, batch) => {
        withFile(path => {
          const world = storeWorld();
          let store = openOrgStore({ path }, world);
          fill(store, size, { batch });
          const [head, root] = [store.log.head(), store.log.root()];
          store.close();
          store = openOrgStore({ path }, world);
          expect(store.frozen).toBeUndefined();
          expect([store.log.head(), store.log.root()]).toEqual([head, root]);
          fill(store, size + 30, { from: size, batch: 7 });
          expect(finish(store.log.verify())).toMatchObject({ valid: true, count: size + 30 });
          expect(check(store).valid).toBe(true);
          store.close();
        });
      }),
      { numRuns: 5 },
    );
  });
});

describe("proofs", () => {
  const store = openMemory();
  fill(store, 1500, { batch: 130 });
  const hashes = [...store.log.read()].map(entry => entry.hash);
  const decode = (proof: string[]) => proof.map(hash => Uint8Array.fromBase64(hash));

  test("of inclusion, for any entry and size", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1500 }), fc.nat(), (size, at) => {
        const seq = at % size;
        const proof = store.log.proof(seq, size);
        expect(proof.leaf_hash).toBe(hashes[seq]!);
        const root = Uint8Array.fromHex(store.log.root(size));
        const claim = { seq, size, leafHash: Uint8Array.fromHex(proof.leaf_hash), proof: decode(proof.hashes), root };
        expect(verifyInclusion(sha256, claim)).toBe(true);
      }),
    );
  });

  test("of consistency, for any two sizes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 1500 }), (a, b) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const [fromRoot, toRoot] = [from, to].map(size => Uint8Array.fromHex(store.log.root(size))) as [
          Uint8Array,
          Uint8Array,
        ];
        const proof = decode(store.log.consistency(from, to));
        expect(verifyConsistency(sha256, { from, to, fromRoot, toRoot, proof })).toBe(true);
      }),
    );
  });

  test("beyond the log are refused", () => {
    expect(() => store.log.proof(1500)).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(() => store.log.proof(0, 1501)).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(() => store.log.proof(-1)).toThrow(expect.objectContaining({ code: "invalid" }));
    expect(() => store.log.consistency(9, 3)).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  test("a leaf opens: digest of salt and body, hash of the leaf", () => {
    const record = store.log.leaf(777)!;
    const leaf = JSON.parse(new TextDecoder().decode(record.leaf));
    const salted = new Uint8Array([...record.salt!, ...record.body!]);
    expect(leaf).toMatchObject({ seq: 777, prev: hashes[776], digest: sha256(salted).toHex() });
    expect(sha256(new Uint8Array([0, ...record.leaf])).toHex()).toBe(hashes[777]!);
    expect(store.log.leaf(1500)).toBeUndefined();
  });

  test("heads others have seen are known, ahead or of another history", () => {
    expect(store.log.compare({ seq: 3, hash: hashes[3]! })).toBe("known");
    expect(store.log.compare({ seq: -1, hash: "0".repeat(64) })).toBe("known");
    expect(store.log.compare({ seq: 3, hash: hashes[4]! })).toBe("differs");
    expect(store.log.compare({ seq: 1500, hash: hashes[3]! })).toBe("ahead");
  });
});

describe("secrets", () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  const body = (n: number) => JSON.stringify({ id: `evt-${n}`, command: `git push https://x:${secret}@h/ # ${n}` });

  test("never reach the file; equal ones get equal tags; other organisations' differ", () => {
    const tags = [3, 3, 4].map(key => {
      const store = openMemory({ ...storeWorld(), redactionKey: new Uint8Array(32).fill(key) });
      store.commit(() => {
        for (let n = 0; n < 50; n++) store.log.append(event(n, n % 7 === 3 ? { body: body(n) } : {}));
      });
      expect(Buffer.from(store.serialize()).includes(secret)).toBe(false);
      expect(finish(store.log.verify()).valid).toBe(true);
      expect(store.log.entry(4)!.body).toBe(event(4).body as string);
      const tags = [3, 10, 17].map(seq => /\[redacted:[a-z-]+:([0-9a-f]{12})\]/.exec(store.log.entry(seq)!.body!)![1]);
      expect(new Set(tags).size).toBe(1);
      return tags[0];
    });
    expect(tags[0]).toBe(tags[1]!);
    expect(tags[0]).not.toBe(tags[2]!);
  });

  test("state entries are kept as given: a policy may speak of secrets", () => {
    const store = openMemory();
    store.commit(() => store.log.append(event(0, { stream: "state", body: body(0) })));
    expect(store.log.entry(0)!.body).toBe(body(0));
  });
});
