import { parseCheckpointText } from "../domain/audit/note.ts";
import { type Attestation, attest } from "../domain/posture/attestation.ts";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import { type Context, long } from "./answer.ts";
import { shippedFramework } from "./catalogue.ts";
import { type Covered, type CoverageQuery, cover } from "./compliance.ts";

export interface EvidenceQuery extends CoverageQuery {
  /** The last one of the page before. */
  after?: { framework: string; control: string };
  limit: number;
}

/** `GET /posture/evidence`: one attestation per control of the enabled frameworks, or of the one that is named. */
export const evidence = long(function* (context, query: EvidenceQuery) {
  const covered = yield* cover(context, { ...query, prove: true });
  const all = pairs(covered);
  const { after, limit } = query;
  const start = after
    ? all.findIndex(p => p.framework.framework === after.framework && p.control.control === after.control) + 1
    : 0;
  const page = all.slice(start, start + limit);
  return { items: page.map(pair => seal(context, covered, pair)), more: start + limit < all.length };
});

export interface ControlQuery extends CoverageQuery {
  framework: string;
  control: string;
}

/** `GET /posture/control-evidence`. */
export const controlEvidence = long(function* (context, query: ControlQuery) {
  const framework = shippedFramework(query.framework);
  if (!framework) throw refusal("not_found", "There is no such framework.");
  if (!framework.controls.some(control => control.id === query.control))
    throw refusal("not_found", "There is no such control.");
  const covered = yield* cover(context, { ...query, prove: true });
  const wanted = pairs(covered).filter(pair => pair.control.control === query.control);
  return wanted.map(pair => seal(context, covered, pair));
});

type Pair = ReturnType<typeof pairs>[number];

const pairs = ({ frameworks }: Covered) =>
  frameworks.flatMap(([framework, { controls }]) => controls.map(control => ({ framework, control })));

function seal(context: Context, { checkpoint }: Covered, { framework, control }: Pair): Attestation {
  const { origin, size, root } = parseCheckpointText(checkpoint)!;
  const log = { origin, size, root: root.toHex() };
  const sign = (message: Uint8Array) => Uint8Array.fromBase64(context.sign(new TextDecoder().decode(message)));
  return attest(framework, control, log, iso(context.now()), { keyid: context.vkey, sign });
}
