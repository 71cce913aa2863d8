/** The subcommand a tool's name and arguments speak of, in the order its program takes the words. */
import { split } from "./verbs.ts";

type Input = Record<string, unknown>;

const filler = /^(execute|run|call|use|invoke|command|commands|generic|tool|cli|mcp|server|api|raw|boto3?)$/;
const askedKeys = ["command", "subcommand", "subCommand", "operation", "operation_name", "method", "action"];
const clouds = /^(aws|gcloud|az)$/;

export function subcommands(
  program: string,
  tool: readonly string[],
  server: readonly string[],
  input: Input,
): string[] {
  const own = tool.filter(word => !filler.test(word) || (word === "run" && "image" in input));
  const asked = askedKeys
    .map(key => input[key])
    .find(value => typeof value === "string" && /^[A-Za-z][\w-]*$/.test(value));
  const words = typeof asked === "string" ? [...own, ...split(asked)] : own;
  if (clouds.test(program)) return cloud(program, words, server, input);
  return orders[program]?.(words, input) ?? words;
}

const orders: Record<string, (words: string[], input: Input) => string[]> = {
  git,
  docker,
  podman: docker,
  kubectl,
  systemctl: words => words.filter(word => !/^(services?|units?|manage)$/.test(word)),
};

const joined = new Set("update-ref filter-branch filter-repo symbolic-ref cherry-pick ls-files ls-remote".split(" "));
/** Subcommands of git that have subcommands; `mode` of others is an option. */
const modal = /^(stash|worktree|remote|submodule|notes|reflog|bisect)$/;

function git([first = "", second = "", ...rest]: string[], input: Input): string[] {
  if (joined.has(`${first}-${second}`)) return [`${first}-${second}`, ...rest];
  const { mode, action, operation } = input;
  if (modal.test(first) && typeof mode === "string") return [first, mode];
  if (second !== "" && [action, operation].includes(second) && !modal.test(first))
    return [first, `--${second}`, ...rest];
  return [first, second, ...rest].filter(Boolean);
}

const parts = /^(image|volume|network|system|compose|context|stack|service|builder)s?$/;
const inDocker = new Map([
  ["remove", "rm"],
  ["delete", "rm"],
  ["list", "ls"],
]);

/** `remove_volume` is `volume rm`, `run_container` is `run`. */
function docker(words: string[], { target, type }: Input): string[] {
  const rest = words
    .map(word => inDocker.get(word) ?? word)
    .filter(word => !parts.test(word) && !/^containers?$/.test(word));
  const part = [...words, target, type].find(word => typeof word === "string" && parts.test(word)) as
    | string
    | undefined;
  if (part === undefined) return rest[0] === "prune" ? ["system", ...rest] : rest;
  return [part.replace(/s$/, ""), ...rest];
}

const kubeVerb =
  /^(get|delete|apply|create|patch|replace|exec|scale|drain|cordon|taint|rollout|cp|label|annotate|run|logs|describe|expose)$/;
const inKube = new Map([
  ["remove", "delete"],
  ["list", "get"],
]);

/** `pods_delete` is `delete pods`, `resources_delete` is `delete`. */
function kubectl(words: string[]): string[] {
  const all = words.map(word => inKube.get(word) ?? word);
  const verb = all.find(word => kubeVerb.test(word));
  if (verb === undefined) return all;
  return [
    verb,
    ...all.filter(word => word !== verb && /^(pods?|namespaces?|secrets?|nodes?|deployments?)$/.test(word)),
  ];
}

const services =
  /^(s3(api)?|ec2|iam|rds|eks|ecs|ecr|lambda|dynamodb|kms|sqs|sns|route53|cloudformation|secretsmanager|ssm|cloudtrail|efs)$/;

/** `ec2_terminate_instances`, `{service: "ec2", operation: "TerminateInstances"}`: `ec2 terminate-instances`. */
function cloud(
  program: string,
  words: string[],
  server: readonly string[],
  { service, service_name }: Input,
): string[] {
  const named = [service, service_name, ...words, ...server].find(
    word => typeof word === "string" && services.test(word),
  );
  // Tools of Azure are named after their group, and told it once more.
  if (program === "az")
    return words.filter((word, i) => word !== words[i - 1]).map(word => (word === "get" ? "show" : word));
  if (program !== "aws" || typeof named !== "string") return words;
  const does = words.filter(word => word !== named).join("-");
  return does === "" ? [named] : [named === "s3" ? "s3api" : named, does];
}
