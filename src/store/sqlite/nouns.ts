import type { Agents } from "../agents.ts";
import type { Compliance } from "../compliance.ts";
import type { Policies } from "../policies.ts";
import type { Posture } from "../posture.ts";
import type { Projection } from "../projection.ts";
import type { Settings } from "../settings.ts";
import { createAgents } from "./agents.ts";
import { createCompliance } from "./compliance.ts";
import type { Database } from "./database.ts";
import { type Callers, SqliteDrifts } from "./drift.ts";
import { createPolicies } from "./policies.ts";
import { createPosture } from "./posture.ts";
import { createSettings } from "./settings.ts";

/** What is projected from the log, by noun. A new one is its interface, its tables here and a line. */
export interface Nouns {
  readonly agents: Agents;
  readonly compliance: Compliance;
  readonly drift: SqliteDrifts;
  readonly policies: Policies;
  readonly posture: Posture;
  readonly settings: Settings;
}

export function createNouns(db: Database, callers: Callers): { nouns: Nouns; projections: Projection[] } {
  const posture = createPosture(db);
  const nouns = {
    agents: createAgents(db),
    compliance: createCompliance(db),
    policies: createPolicies(db),
    posture,
    settings: createSettings(db),
    // After those it rests on.
    drift: new SqliteDrifts(db, posture, callers),
  };
  return { nouns, projections: Object.values(nouns).map(noun => noun.projection) };
}
