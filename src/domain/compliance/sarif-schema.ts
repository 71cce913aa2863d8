import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { scanLimits } from "./scan.ts";

/**
 * The part of SARIF 2.1.0 (OASIS, errata 01) that is read. Unknown members are allowed everywhere, and null where
 * tools write it instead of leaving a member out.
 */
const Maybe = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
const Index = Type.Integer({ minimum: -1 });
const Message = Type.Object({
  text: Maybe(Type.String()),
  markdown: Maybe(Type.String()),
  id: Maybe(Type.String()),
  arguments: Maybe(Type.Array(Type.String())),
});
const Properties = Type.Record(Type.String(), Type.Unknown());

const ReportingDescriptor = Type.Object({
  id: Type.String({ maxLength: 400 }),
  defaultConfiguration: Maybe(Type.Object({ level: Maybe(Type.String()) })),
  messageStrings: Maybe(Type.Record(Type.String(), Message)),
  properties: Maybe(Properties),
});

const ArtifactLocation = Type.Object({
  uri: Maybe(Type.String()),
  uriBaseId: Maybe(Type.String()),
  index: Maybe(Index),
});

const Region = Type.Object({
  startLine: Maybe(Type.Integer({ minimum: 0 })),
  snippet: Maybe(Type.Object({ text: Maybe(Type.String()) })),
});

const Location = Type.Object({
  physicalLocation: Maybe(Type.Object({ artifactLocation: Maybe(ArtifactLocation), region: Maybe(Region) })),
});

const Result = Type.Object({
  ruleId: Maybe(Type.String({ maxLength: 400 })),
  ruleIndex: Maybe(Index),
  rule: Maybe(Type.Object({ id: Maybe(Type.String({ maxLength: 400 })), index: Maybe(Index) })),
  kind: Maybe(Type.String()),
  level: Maybe(Type.String()),
  message: Message,
  locations: Maybe(Type.Array(Location, { maxItems: scanLimits.locationsPerResult })),
  partialFingerprints: Maybe(Type.Record(Type.String(), Type.String())),
  suppressions: Maybe(Type.Array(Type.Object({ status: Maybe(Type.String()) }))),
  baselineState: Maybe(Type.String()),
  properties: Maybe(Properties),
});

const Run = Type.Object({
  tool: Type.Object({
    driver: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      version: Maybe(Type.String()),
      semanticVersion: Maybe(Type.String()),
      rules: Maybe(Type.Array(ReportingDescriptor, { maxItems: scanLimits.rulesPerRun })),
    }),
  }),
  results: Maybe(Type.Array(Result, { maxItems: scanLimits.resultsPerRun })),
  artifacts: Maybe(Type.Array(Type.Object({ location: Maybe(ArtifactLocation) }))),
  originalUriBaseIds: Maybe(Type.Record(Type.String(), ArtifactLocation)),
  invocations: Maybe(
    Type.Array(
      Type.Object({
        executionSuccessful: Maybe(Type.Boolean()),
        startTimeUtc: Maybe(Type.String()),
        endTimeUtc: Maybe(Type.String()),
        workingDirectory: Maybe(ArtifactLocation),
      }),
    ),
  ),
  automationDetails: Maybe(Type.Object({ id: Maybe(Type.String({ maxLength: 400 })) })),
  versionControlProvenance: Maybe(
    Type.Array(Type.Object({ revisionId: Maybe(Type.String()), branch: Maybe(Type.String()) })),
  ),
});

export const SarifLog = Type.Object({
  version: Type.Literal("2.1.0"),
  runs: Type.Array(Run, { maxItems: scanLimits.runs }),
});

export type SarifLog = Static<typeof SarifLog>;
export type SarifRun = Static<typeof Run>;
export type SarifResult = Static<typeof Result>;
export type SarifRule = Static<typeof ReportingDescriptor>;
export type SarifArtifactLocation = Static<typeof ArtifactLocation>;
