import { createHash } from "node:crypto";
import type { People } from "../domain/compliance/evidence.ts";
import type { Framework } from "../domain/compliance/framework.ts";
import { coverage, type FrameworkCoverage } from "../domain/compliance/coverage.ts";
import { assessmentResults } from "../domain/compliance/oscal.ts";
import type { Actor } from "../domain/org/actor.ts";
import { iso } from "../domain/time.ts";
import { uuid5 } from "../domain/uuid5.ts";
import { refusal } from "../errors.ts";
import { type Context, long, write } from "./answer.ts";
import { frameworkIds, shippedCatalogue, shippedFramework } from "./catalogue.ts";
import { gatherFigures, type Gathered } from "./figures.ts";
import { record } from "./record.ts";

const enabledIds = ({ store }: Context): string[] => store.compliance.enabled().map(each => each.framework);

function view({ store }: Context, { framework, title, version, controls }: Framework) {
  const since = store.compliance.enabled().find(each => each.framework === framework)?.enabled_ms;
  return {
    id: framework,
    title,
    version,
    enabled: since !== undefined,
    ...(since !== undefined && { enabled_at: iso(since) }),
    controls: controls.length,
  };
}

/** `GET /compliance/frameworks`: the enabled ones, in the order they were enabled; or the whole catalogue. */
export const frameworks = long(function* (context, { all }: { all: boolean }) {
  const listed: ReturnType<typeof view>[] = [];
  for (const id of all ? frameworkIds() : enabledIds(context)) {
    const framework = shippedFramework(id);
    if (framework) listed.push(view(context, framework));
    yield undefined;
  }
  return listed;
});

function known(id: string): Framework {
  const framework = shippedFramework(id);
  if (framework) return framework;
  const message = `Must be one of: ${frameworkIds().join(", ")}`;
  throw refusal("invalid", { details: [{ path: "/framework", message }] });
}

interface FrameworkChange {
  framework: string;
  actor: Actor;
}

/** Enabling what is enabled changes and logs nothing. */
export const enable = write((context, { framework, actor }: FrameworkChange) => {
  const found = known(framework);
  if (!enabledIds(context).includes(framework)) record(context, "framework.enabled", actor, { framework });
  return view(context, found);
});

export const disable = write((context, { framework, actor }: FrameworkChange) => {
  const found = known(framework);
  if (enabledIds(context).includes(framework)) record(context, "framework.disabled", actor, { framework });
  return view(context, found);
});

/** `GET /compliance/rules`, `/comply/rules`. */
export const rules = long(function* (_, { framework }: { framework?: string }) {
  if (framework !== undefined) known(framework);
  return (yield* shippedCatalogue()).mapped(framework);
});

export interface CoverageQuery {
  /** One framework, enabled or not; all enabled ones when absent. */
  framework?: string;
  people: People;
  /** What is signed or handed out is counted from a chain recomputed now; what is looked at is not. */
  prove?: boolean;
}

export interface Covered extends Gathered {
  frameworks: (readonly [Framework, FrameworkCoverage])[];
}

export function* cover(
  context: Context,
  { framework, people, prove = false }: CoverageQuery,
): Generator<undefined, Covered> {
  const wanted = framework === undefined ? enabledIds(context) : [known(framework).framework];
  const catalogue = yield* shippedCatalogue();
  const gathered = yield* gatherFigures(context, people, prove);
  const covered = coverage(catalogue, wanted, context.store.compliance.newest(), gathered.figures);
  return { ...gathered, frameworks: covered.map(each => [catalogue.framework(each.framework)!, each] as const) };
}

/** `GET /compliance/status`. */
export const status = long(function* (context, query: CoverageQuery) {
  const { frameworks: covered } = yield* cover(context, query);
  return { frameworks: covered.map(([, each]) => each) };
});

export interface ExportQuery extends CoverageQuery {
  organisation: string;
  product: { name: string; version: string };
}

/** `GET /compliance/export?format=oscal`. */
export const exportOscal = long(function* (context, query: ExportQuery) {
  const { frameworks: covered } = yield* cover(context, { ...query, prove: true });
  if (covered.length === 0) throw refusal("conflict", "Enable a framework first: there is nothing to report on.");
  return assessmentResults(covered, {
    organisation: query.organisation,
    product: query.product,
    at: iso(context.now()),
    since: iso(context.store.log.entry(0)?.ts ?? context.now()),
    uuid: name => uuid5(sha1, NAMESPACE, `${context.org} ${name}`),
  });
});

const NAMESPACE = "0b6a5a5e-6f2c-5d0f-9a60-5d5f3c7a4e11";
const sha1 = (bytes: Uint8Array) => new Uint8Array(createHash("sha1").update(bytes).digest());
