import { type Static, Type as T } from "@sinclair/typebox";
import { roles } from "../identity/roles.ts";
import { Value } from "@sinclair/typebox/value";
import { firstError } from "../schema-error.ts";

/** What the demo is about: a company, its people and agents, and what they do (`seeds/demo.yaml`). Every object is closed. */
const closed = { additionalProperties: false } as const;
const Name = T.String({ minLength: 1, maxLength: 100 });
const DaysAgo = T.Number({ exclusiveMinimum: 0, maximum: 60 });

const Tool = T.Object(
  {
    name: Name,
    description: T.String({ minLength: 1, maxLength: 500 }),
    input_schema: T.Optional(T.Unknown()),
    annotations: T.Optional(T.Record(T.String(), T.Boolean())),
  },
  closed,
);

const Server = T.Object(
  {
    transport: T.Union([T.Literal("stdio"), T.Literal("http")]),
    command: T.Optional(Name),
    url: T.Optional(Name),
    tools: T.Array(Tool, { minItems: 1 }),
  },
  closed,
);

const Member = T.Object(
  {
    email: Name,
    name: T.String({ maxLength: 100 }),
    role: T.Union(roles.map(role => T.Literal(role))),
    days_ago: DaysAgo,
    invited: T.Optional(T.Literal(true)),
  },
  closed,
);

const Agent = T.Object(
  {
    name: Name,
    hostname: Name,
    platform: Name,
    version: Name,
    owner: Name,
    days_ago: DaysAgo,
    clients: T.Array(Name),
    calls_per_day: T.Integer({ minimum: 0, maximum: 200 }),
    servers: T.Array(Name),
    last_seen_min: T.Union([T.Null(), T.Number({ minimum: 0 })]),
  },
  closed,
);

const Redeclare = T.Object(
  {
    agent: Name,
    server: Name,
    tool: Name,
    description: T.Optional(Name),
    annotations: T.Optional(T.Record(T.String(), T.Boolean())),
  },
  closed,
);

const Change = T.Union([
  T.Object({ days_ago: DaysAgo, by: Name, mode: T.Union([T.Literal("enforce"), T.Literal("audit-only")]) }, closed),
  T.Object({ days_ago: DaysAgo, by: Name, enable: Name }, closed),
  T.Object({ days_ago: DaysAgo, by: Name, policy: T.String({ minLength: 1 }) }, closed),
  T.Object({ days_ago: DaysAgo, redeclare: Redeclare }, closed),
]);

const made = { weight: T.Integer({ minimum: 1, maximum: 100 }), agents: T.Optional(T.Array(Name, { minItems: 1 })) };
const Call = T.Union([
  T.Object({ ...made, shell: T.String({ minLength: 1, maxLength: 500 }) }, closed),
  T.Object({ ...made, server: Name, tool: Name, args: T.Record(T.String(), T.Unknown()) }, closed),
]);

const Scan = T.Object(
  {
    project: Name,
    days_ago: DaysAgo,
    pass: T.Array(Name),
    fail: T.Array(
      T.Object({ rule: Name, path: Name, line: T.Optional(T.Integer({ minimum: 1 })), message: Name }, closed),
    ),
  },
  closed,
);

export const Scenario = T.Object(
  {
    organisation: T.Object({ name: Name, plan: Name, days: T.Integer({ minimum: 7, maximum: 60 }) }, closed),
    visitor: Name,
    members: T.Array(Member, { minItems: 1 }),
    servers: T.Record(Name, Server),
    agents: T.Array(Agent, { minItems: 1 }),
    changes: T.Array(Change),
    calls: T.Array(Call, { minItems: 1 }),
    scans: T.Array(Scan),
  },
  closed,
);
export type Scenario = Static<typeof Scenario>;
export type ScenarioAgent = Static<typeof Agent>;
export type ScenarioCall = Static<typeof Call>;
export type ScenarioChange = Static<typeof Change>;
export type ScenarioScan = Static<typeof Scan>;

/** A scenario that cannot be told; the message says why. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
}

/** Throws `ScenarioError` for a wrong shape and for names that lead nowhere. */
export function parseScenario(scenario: unknown): Scenario {
  if (!Value.Check(Scenario, scenario)) {
    const { path, message } = firstError(Value.Errors(Scenario, scenario));
    throw new ScenarioError(`${path}: ${message}`);
  }
  const { members, agents, servers, calls, changes, visitor } = scenario;
  const people = new Set(members.filter(one => !one.invited).map(one => one.email));
  const machines = new Set(agents.map(one => one.name));
  const known = (set: Set<string>, name: string, what: string) => {
    if (!set.has(name)) throw new ScenarioError(`there is no ${what} "${name}"`);
  };
  known(people, visitor, "member");
  for (const { owner, servers: own } of agents) {
    known(people, owner, "member");
    for (const server of own) known(new Set(Object.keys(servers)), server, "server");
  }
  for (const call of calls) for (const agent of call.agents ?? []) known(machines, agent, "agent");
  for (const change of changes)
    if ("redeclare" in change) known(machines, change.redeclare.agent, "agent");
    else known(people, change.by, "member");
  return scenario;
}
