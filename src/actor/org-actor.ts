import * as attestations from "./attestations.ts";
import * as agents from "./agents.ts";
import type { Answer, InputOf, OutputOf } from "./answer.ts";
import * as audit from "./audit.ts";
import * as check from "./check.ts";
import * as compliance from "./compliance.ts";
import * as dashboard from "./dashboard.ts";
import * as drift from "./drift.ts";
import * as events from "./events.ts";
import * as hooks from "./hooks.ts";
import * as org from "./org.ts";
import * as packs from "./packs.ts";
import * as policy from "./policy.ts";
import * as posture from "./posture.ts";
import * as replay from "./replay.ts";
import * as scans from "./scans.ts";

/** The table of questions an organisation answers. Adding one is its answer in the noun's file and a line here. */
export const questions = {
  "org.mode": org.getMode,
  "org.set_mode": org.setMode,
  "org.note": org.note,
  "org.rebuild": org.rebuild,
  "agents.register": agents.register,
  "agents.list": agents.list,
  "agents.stats": agents.stats,
  "agents.get": agents.get,
  "agents.rename": agents.rename,
  "agents.remove": agents.remove,
  "agents.heartbeat": agents.heartbeat,
  "policy.document": policy.document,
  "policy.yaml": policy.yaml,
  "policy.config": policy.config,
  "policy.change": policy.change,
  "policy.history": policy.history,
  "policy.past": policy.past,
  "policy.examine": policy.examine,
  "policy.replay": replay.replay,
  "packs.list": packs.list,
  "packs.get": packs.get,
  "policy.check": check.check,
  "playground.analyze": check.analyze,
  "events.ingest": events.ingest,
  "hooks.judge": hooks.judge,
  "audit.page": audit.page,
  "audit.entry": audit.entry,
  "audit.stats": audit.stats,
  "audit.export": audit.exportLines,
  "audit.tail": audit.tail,
  "audit.newest": audit.newest,
  "audit.mcp_servers": audit.mcpServers,
  "posture.verify": posture.verify,
  "posture.span": posture.span,
  "posture.checkpoint": posture.checkpoint,
  "posture.keys": posture.keys,
  "posture.proof": posture.proof,
  "posture.evidence": attestations.evidence,
  "posture.control_evidence": attestations.controlEvidence,
  "posture.drift": drift.list,
  "posture.accept_drift": drift.accept,
  "compliance.frameworks": compliance.frameworks,
  "compliance.enable": compliance.enable,
  "compliance.disable": compliance.disable,
  "compliance.rules": compliance.rules,
  "compliance.status": compliance.status,
  "compliance.export": compliance.exportOscal,
  "scans.read": scans.readUpload,
  "scans.ingest": scans.ingest,
  "scans.latest": scans.latest,
  "scans.history": scans.history,
  "scans.detail": scans.detail,
  "scans.projects": scans.projects,
  dashboard: dashboard.numbers,
};

export type Questions = typeof questions;
export type Question = keyof Questions;
export type Input<Q extends Question> = InputOf<Questions[Q]>;
export type Output<Q extends Question> = OutputOf<Questions[Q]>;

questions satisfies Record<string, Answer<never, unknown>>;
