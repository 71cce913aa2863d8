/** Tools that are a program by another name: `git_push {force: true}` is `git push --force`. */
import { split } from "./verbs.ts";

const programs = new Map(
  "git kubectl docker podman helm npm terraform tofu pulumi gh aws gcloud az".split(" ").map(name => [name, name]),
);
for (const name of ["curl", "wget"]) programs.set(name, name);
for (const name of ["redis", "valkey"]) programs.set(name, "redis-cli");
const filler = /^(execute|run|call|invoke|command|commands|generic|tool|cli|mcp|server)$/;
/** Arguments that stand without an option, in the order programs take them. */
const operandKeys =
  "resourceType resource_type resource type kind remote repository release name names branch branch_name ref target commit tag image package url key value".split(
    " ",
  );

/** The program a tool's name or its server's name speaks of. */
export const programOf = (server: string, tool: string): string | undefined =>
  [...split(tool), ...split(server)].map(word => programs.get(word)).find(program => program !== undefined);

/** The words that program would have been given; `undefined` where the tool's name tells no subcommand. */
export function namedProgram(server: string, tool: string, input: Record<string, unknown>): string[] | undefined {
  const program = programOf(server, tool);
  if (program === undefined) return undefined;
  const given = input["command"] ?? input["subcommand"] ?? input["operation"];
  const service = typeof input["service"] === "string" ? [input["service"]] : [];
  const command = typeof given === "string" && /^[a-z][\w-]*$/.test(given) ? [...service, given] : undefined;
  const words =
    command ?? split(tool).filter(word => programs.get(word) !== program && word !== "" && !filler.test(word));
  if (words.length === 0 && ![input["args"], input["options"]].some(Array.isArray)) return undefined;
  const operands = operandKeys.flatMap(key => strings(input[key]));
  if (program === "git" && words[0] === "push" && !("remote" in input)) operands.unshift("origin");
  return [program, ...words, ...operands, ...flags(program, input)];
}

const strings = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter(item => typeof item === "string") : [];

/** `force: true` is `--force`, `mode: "hard"` is `--hard`, other words are values of an option of that name. */
function flags(program: string, input: Record<string, unknown>): string[] {
  const dash = program === "terraform" || program === "tofu" ? "-" : "--";
  return Object.entries(input).flatMap(([key, value]) => {
    const name =
      dash +
      key
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .replaceAll("_", "-")
        .toLowerCase();
    if (value === true || value === "true") return [name];
    if (key === "args" || key === "flags" || key === "options") return strings(value);
    return key === "mode" && typeof value === "string" ? [`--${value}`] : [];
  });
}
