/**
 * The shape of packs and organisation policies (docs/policy-language.md). Every object is closed: a key that does
 * nothing is refused, so that no author believes in a rule that is not there.
 */
import { type Static, type TSchema, Type as T } from "@sinclair/typebox";
import { dialects, fileActs, flowSinks, flowSources, grants, netActs, sqlActs } from "../facts.ts";
import { decisions, severities } from "../verdict.ts";

const closed = { additionalProperties: false } as const;
const some = <S extends TSchema>(item: S) => T.Union([item, T.Array(item, { minItems: 1, maxItems: 500 })]);
const word = <V extends string>(...values: readonly V[]) => T.Union(values.map(value => T.Literal(value)));

const Sentence = T.String({ minLength: 1, maxLength: 300 });
const Glob = T.String({ minLength: 1, maxLength: 200 });
const Command = T.String({ minLength: 1, maxLength: 2000 });
const Globs = some(Glob);
const Day = T.String({ pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$", description: "a day, YYYY-MM-DD" });
const RuleId = T.String({
  pattern: "^[a-z][a-z0-9-]{0,63}\\.[a-z0-9][a-z0-9-]{0,63}$",
  description: "an id such as pack.rule",
});
const RuleGlob = T.String({
  pattern: "^[a-z][a-z0-9-]*\\.([a-z0-9-]+|\\*)$",
  description: "a rule id, or all of a pack as pack.*",
});
const packName = "^[a-z][a-z0-9-]{0,63}$";
const PackName = T.String({ pattern: packName, description: "a pack name" });
const Version = T.String({ pattern: "^\\d+\\.\\d+\\.\\d+$", description: "a version such as 1.0.0" });

export const Decision = word(...decisions);
export const Severity = word(...severities);
const FlowWord = T.String({
  pattern: `^(${flowSources.join("|")}) (->|<->) (${flowSinks.join("|")})$`,
  description: "a flow such as network -> shell",
});

/** One description of a fact and of the call it belongs to. All keys must hold; in a list any entry suffices. */
export const Match = T.Object(
  {
    run: T.Optional(Globs),
    flags: T.Optional(Globs),
    flags_all: T.Optional(T.Array(Glob, { minItems: 1, maxItems: 50 })),
    args: T.Optional(Globs),
    ref: T.Optional(Globs),
    interactive: T.Optional(T.Boolean()),
    dialect: T.Optional(some(word(...dialects))),
    mcp: T.Optional(Globs),
    input: T.Optional(T.Record(T.String({ minLength: 1, maxLength: 100 }), Globs)),
    hints: T.Optional(some(word("destructive", "open_world"))),
    does: T.Optional(some(word(...fileActs))),
    path: T.Optional(Globs),
    recursive: T.Optional(T.Boolean()),
    grants: T.Optional(some(word(...grants))),
    flow: T.Optional(some(FlowWord)),
    net: T.Optional(some(word(...netActs))),
    host: T.Optional(Globs),
    env: T.Optional(Globs),
    sql: T.Optional(some(word(...sqlActs))),
  },
  { ...closed, minProperties: 1, description: "a description" },
);

const Matches = some(Match);
const Scope = T.Object(
  {
    agent: T.Optional(Globs),
    client: T.Optional(Globs),
    repo: T.Optional(Globs),
    branch: T.Optional(Globs),
  },
  { ...closed, minProperties: 1, description: "a scope" },
);

const Sets = T.Record(
  T.String({ pattern: "^[a-z][a-z_]{0,63}$" }),
  T.Array(T.String({ minLength: 1, maxLength: 200 }), { maxItems: 2000 }),
  {
    ...closed,
    description: "sets of globs",
  },
);
const World = {
  cwd: T.Optional(Sentence),
  home: T.Optional(Sentence),
  repo: T.Optional(Sentence),
  branch: T.Optional(Sentence),
  agent: T.Optional(Sentence),
  client: T.Optional(Sentence),
  sets: T.Optional(Sets),
};
/** One call with the answer it must get; `sets` is what an organisation's policy would add. */
export const Case = T.Union([
  Command,
  T.Object({ sh: Command, ...World }, closed),
  T.Object({ powershell: Command, ...World }, closed),
  T.Object({ cmd: Command, ...World }, closed),
  T.Object(
    {
      mcp: T.String({ pattern: "^[^/\\s]+/[^/\\s]+$", description: "server/tool" }),
      input: T.Optional(T.Record(T.String(), T.Unknown())),
      hints: T.Optional(
        T.Object({ destructive: T.Optional(T.Boolean()), open_world: T.Optional(T.Boolean()) }, closed),
      ),
      ...World,
    },
    closed,
  ),
]);
const CaseList = T.Array(Case, { maxItems: 200 });
export const Cases = T.Object(
  { block: T.Optional(CaseList), ask: T.Optional(CaseList), warn: T.Optional(CaseList), allow: T.Optional(CaseList) },
  { ...closed, description: "cases" },
);

export const Rule = T.Object(
  {
    id: RuleId,
    status: T.Optional(word("nursery", "stable")),
    what: Sentence,
    why: Sentence,
    instead: Sentence,
    decision: Decision,
    severity: Severity,
    when: Matches,
    unless: T.Optional(Matches),
    unsure: T.Optional(word("IGNORE", "WARN", "ASK")),
    locked: T.Optional(T.Boolean()),
    scope: T.Optional(Scope),
    attack: T.Optional(
      T.Array(T.String({ pattern: "^T\\d{4}(\\.\\d{3})?$", description: "an ATT&CK technique such as T1059.004" })),
    ),
    controls: T.Optional(T.Array(T.String({ pattern: "^[a-z][a-z0-9-]*$", description: "a control word" }))),
    cases: Cases,
  },
  { ...closed, description: "a rule" },
);

/** A document we ship, or an organisation keeps: rules about one subject with the sets they speak of. */
export const Pack = T.Object(
  {
    pack: PackName,
    version: Version,
    title: Sentence,
    description: T.Optional(Sentence),
    plan: T.Optional(word("community", "entitled")),
    default: T.Optional(word("on", "off")),
    sets: T.Optional(Sets),
    rules: T.Array(Rule, { minItems: 1, maxItems: 500 }),
  },
  { ...closed, description: "a pack" },
);

/** What one organisation decides for itself. */
export const Policy = T.Object(
  {
    policy: T.Literal(1),
    no_match: T.Optional(word("ALLOW", "WARN", "ASK")),
    not_understood: T.Optional(word("ASK", "BLOCK")),
    packs: T.Optional(
      T.Object({ on: T.Optional(T.Array(PackName)), off: T.Optional(T.Array(PackName)) }, { ...closed }),
    ),
    sets: T.Optional(Sets),
    rules: T.Optional(T.Array(Rule, { maxItems: 500 })),
    allow: T.Optional(
      T.Array(T.Object({ when: Matches, scope: T.Optional(Scope), reason: Sentence }, closed), { maxItems: 500 }),
    ),
    exceptions: T.Optional(
      T.Array(
        T.Object(
          {
            rules: T.Array(RuleGlob, { minItems: 1 }),
            when: Matches,
            scope: T.Optional(Scope),
            reason: Sentence,
            owner: Sentence,
            until: Day,
          },
          closed,
        ),
        { maxItems: 500 },
      ),
    ),
    overrides: T.Optional(
      T.Array(
        T.Object(
          {
            rules: T.Array(RuleGlob, { minItems: 1 }),
            decision: T.Optional(word("OFF", "WARN", "ASK", "BLOCK")),
            severity: T.Optional(Severity),
            scope: T.Optional(Scope),
            reason: T.Optional(Sentence),
            until: T.Optional(Day),
          },
          closed,
        ),
        { maxItems: 500 },
      ),
    ),
    cases: T.Optional(Cases),
  },
  { ...closed, description: "a policy" },
);

export type Match = Static<typeof Match>;
export type Scope = Static<typeof Scope>;
export type Case = Static<typeof Case>;
export type Cases = Static<typeof Cases>;
export type Rule = Static<typeof Rule>;
export type Pack = Static<typeof Pack>;
export type Policy = Static<typeof Policy>;
export type Sets = Static<typeof Sets>;
