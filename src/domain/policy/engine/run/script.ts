/** Lists, `&&`, `||` and pipelines: what each prints goes where the shell would send it. */
import type { AndOr, CompoundList, Pipeline, PipelineNode, Script, Statement } from "unbash";
import { concat, EMPTY, type Val } from "../value.ts";
import { runCommand } from "./command.ts";
import { runCompound } from "./compound.ts";
import { eitherOf } from "./either.ts";
import { fedBy, type Input, type Io, type Machine } from "./machine.ts";
import type { Variable } from "./state.ts";

/** Runs every statement in order; the result is what they print together. */
export function runScript(m: Machine, script: Script | CompoundList, input: Input | undefined): Val {
  return runStatements(m, script.commands, { input, socket: undefined });
}

export function runStatements(m: Machine, statements: readonly Statement[], io: Io): Val {
  let printed = EMPTY;
  for (const s of statements) {
    const own = runNode(m, s.command, io);
    if (m.state.out === undefined) printed = concat(printed, own);
    else diverted(m, m.state.out.path, own);
  }
  return printed;
}

/** What is printed after `exec > file`. */
function diverted(m: Machine, path: string, printed: Val): void {
  if (printed !== EMPTY) m.files.set(path, concat(m.files.get(path) ?? EMPTY, printed));
}

/** Both sides of `&&` and `||` run: which one does is decided by what nobody here can know. */
export function runNode(m: Machine, node: PipelineNode | AndOr, io: Io): Val {
  m.step();
  if (node.type === "Command") return runCommand(m, node, io);
  if (node.type === "AndOr") return runAndOr(m, node, io);
  if (node.type === "Pipeline") return runPipeline(m, node, io);
  return runCompound(m, node, io);
}

function runAndOr(m: Machine, node: AndOr, io: Io): Val {
  let printed = EMPTY;
  let answered = false;
  for (let i = 0; i < node.commands.length; i++) {
    const command = node.commands[i]!;
    const never = i > 0 && m.answer !== undefined && m.answer === (node.operators[i - 1] === "||");
    const before = m.answer === undefined && i > 0 ? assignedBy(m, command) : undefined;
    m.answer = undefined;
    // What is guarded by a condition known to fail is told all the same, but changes nothing.
    const own = never ? m.subshell(() => runNode(m, command, io)) : runNode(m, command, io);
    if (before) for (const [name, value] of before) m.state.otherwise(name, value);
    // `which python3 || which python`: what stands behind an answer is not printed as well.
    const or = node.operators[i - 1] === "||";
    if (or && own !== EMPTY && printed !== EMPTY && !answered) printed = eitherOf(m, [printed, own]);
    else if (!(answered && or)) printed = concat(printed, own);
    answered = answers(command, own);
  }
  return printed;
}

/** `test && x=1`: the variables an assignment sets that may not happen, as they are before it. */
const assignedBy = (m: Machine, node: PipelineNode): [string, Variable | undefined][] | undefined =>
  node.type === "Command" && node.name === undefined && m.state.vars
    ? node.prefix.flatMap(p => (p.type === "Assignment" ? [[p.name, m.state.vars!.get(p.name)]] : []))
    : undefined;

/** A search for a program that found one. */
const answers = (node: PipelineNode, printed: Val): boolean =>
  node.type === "Command" &&
  printed.known &&
  printed.text !== "" &&
  /^(which|command|type)$/.test(node.name?.value ?? "");

function runPipeline(m: Machine, node: Pipeline, io: Io): Val {
  const last = node.commands.length - 1;
  if (last === 0) return runNode(m, node.commands[0]!, io);
  let stage = io;
  let printed = EMPTY;
  for (let i = 0; i <= last; i++) {
    m.branched = 0;
    printed = runStage(m, node, i, stage, io);
    if (m.branched > 0 && i < last && m.choice === undefined) eachStage(m, node, i, stage, io);
    stage = fedBy(printed);
  }
  return printed;
}

function runStage(m: Machine, node: Pipeline, i: number, stage: Io, io: Io): Val {
  const last = i === node.commands.length - 1;
  const socket = last ? io.socket : undefined;
  return m.subshell(() => {
    if (!last) m.state.out = undefined;
    return runNode(m, node.commands[i]!, socket === stage.socket ? stage : { ...stage, socket });
  });
}

/** `{ x && echo a || echo b; } | sh`: the rest of the pipeline for what each branch prints. */
function eachStage(m: Machine, node: Pipeline, from: number, stage: Io, io: Io): void {
  for (let k = 0, choices = m.branched; k < choices; k++) {
    m.choice = k;
    let next = stage;
    for (let i = from; i < node.commands.length; i++) next = fedBy(runStage(m, node, i, next, io));
  }
  m.choice = undefined;
}
