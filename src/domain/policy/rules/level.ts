/** Decisions and severities as numbers, so that comparing them is one instruction. */
import { type Decision, decisions, type Severity, severities } from "../verdict.ts";

export const [warn, ask, block] = [1, 2, 3];
/** Nothing comes of it. */
export const nothing = -1;

export const levelOf = (decision: Decision): number => decisions.indexOf(decision);
export const gravityOf = (severity: Severity): number => severities.indexOf(severity);
