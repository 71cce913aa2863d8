import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { ed25519Signer } from "../crypto.ts";
import { openOrgStore } from "../open.ts";

const world = () => ({
  origin: "gatehouse/demo",
  signer: ed25519Signer(randomBytes(32)),
  now: () => 1_700_000_000_000,
  random: randomBytes,
  redactionKey: randomBytes(32),
});

test("copies of an image are apart from each other and may not outgrow their limit", () => {
  const original = openOrgStore({ path: ":memory:" }, world());
  const image = original.serialize();
  const bytes_max = image.length + 256 * 1024;
  const [one, other] = [openOrgStore({ image, bytes_max }, world()), openOrgStore({ image, bytes_max }, world())];
  const write = () =>
    one.commit(() => {
      const body = JSON.stringify({ noise: randomBytes(8192).toString("hex") });
      one.log.append({ stream: "telemetry", kind: "a.b", body });
    });
  write();
  expect([one.log.head().size, other.log.head().size]).toEqual([1, 0]);
  expect(() => {
    for (let more = 0; more < 100; more++) write();
  }).toThrow(/full/);
  expect(one.sizeBytes()).toBeLessThanOrEqual(bytes_max + 8192);
  expect(one.log.head().size).toBeGreaterThan(5);
  const steps = one.log.verify();
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value.valid).toBe(true);
  for (const store of [original, one, other]) store.close();
});
