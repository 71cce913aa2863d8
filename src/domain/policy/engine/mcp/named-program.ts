/** Tools that are a program by another name: `git_push {force: true}` is `git push --force`. */
import { subcommands } from "./subcommands.ts";
import { split } from "./verbs.ts";

const programs = new Map<string, string>();
for (const names of [
  "git docker podman helm npm terraform tofu pulumi gh aws gcloud az kubectl curl wget redis-cli brew rsync scp",
  "kubectl=kubernetes k8s kube",
  "redis-cli=redis valkey",
  "az=azure azmcp",
  "systemctl=systemd",
  "launchctl=launchd",
])
  for (const name of names.replace(/^.*=/, "").split(" "))
    programs.set(name, names.includes("=") ? names.slice(0, names.indexOf("=")) : name);

/** Arguments that stand without an option, in the order programs take them. */
const operandKeys =
  "resourceType resource_type resource type kind remote repository release name names nodeName branch branchName branch_name ref refspec refspecs target commit tag image container container_id volume_name package url key value unit plist source src destination dest dst".split(
    " ",
  );
/** Arguments that are read elsewhere: the subcommand, files, texts. */
const told =
  /^(sub_?command|command|cmd|operation(_?name)?|action|mode|method|service(_?name)?|args|flags|options|(repo_?|file_?)?path|cwd|work(ing)?_?dir(ectory)?|manifest|yaml|content|body|description|apiVersion)$/i;
const moreKeys = ["parameters", "params", "kwargs", "flags", "options"];

/** The program a tool's name or its server's name speaks of. */
export const programOf = (server: string, tool: string): string | undefined =>
  [...split(tool), ...split(server)].map(word => programs.get(word)).find(program => program !== undefined);

/** Programs whose tools run commands of other programs too. */
const running = /^(docker|podman|kubectl)$/;
const within = [
  "container",
  "container_id",
  "containerId",
  "container_name",
  "pod",
  "pod_name",
  "podName",
  "id",
  "image",
];
/** Their own words that are programs besides. */
const shared = /^\s*(rm|cp|kill|exec|run|start|top|history|diff|wait)\b/;

/** What a command line given to a tool may be: the words behind the program it speaks of, or a line of its own. */
export function readings(program: string | undefined, line: string, input: Record<string, unknown>): string[] {
  if (program === undefined || /^\s*\S*[/=$]|^\s*$/.test(line) || line.split(/[\s;|&]+/).includes(program))
    return [line];
  if (!running.test(program)) return [`${program} ${line}`];
  if (within.some(key => key in input)) return [line];
  return shared.test(line) ? [`${program} ${line}`] : [`${program} ${line}`, line];
}

/** The words that program would have been given; `undefined` where the tool's name tells no subcommand. */
export function namedProgram(server: string, tool: string, args: Record<string, unknown>): string[] | undefined {
  const program = programOf(server, tool);
  if (program === undefined) return undefined;
  const input = opened(args);
  const own = split(tool).filter(word => word !== "" && programs.get(word) !== program);
  const words = subcommands(program, own, split(server), input);
  if (words.length === 0 && ![args["args"], args["options"]].some(Array.isArray)) return undefined;
  const operands = operandKeys.flatMap(key => (key === "kind" ? strings(input[key]).map(lower) : strings(input[key])));
  if (program === "git" && words[0] === "push" && !("remote" in input)) operands.unshift("origin");
  const flags = Object.entries(input).flatMap(([key, value]) => flag(program, words, key, value));
  // Behind the image stand the words of what runs in the container.
  return [program, ...words, ...(words.includes("run") ? [...flags, ...operands] : [...operands, ...flags])];
}

const lower = (text: string): string => text.toLowerCase();
const strings = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter(item => typeof item === "string") : [];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `{parameters: {InstanceIds}}`: what is handed on stands beside the rest. */
const opened = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.assign({ ...input }, ...moreKeys.map(key => input[key]).filter(isObject));

/** What tools for containers call otherwise than `docker run` does. */
const ofContainer: Record<string, string> = {
  devices: "--device",
  cap_add: "--cap-add",
  network_mode: "--network",
  pid_mode: "--pid",
  ipc_mode: "--ipc",
  security_opt: "--security-opt",
};

/** `["/a:/b"]`, `{"/a": {bind: "/b"}}`, `[{source: "/a", target: "/b"}]`. */
function mounts(value: unknown): string[] {
  if (isObject(value)) return Object.entries(value).map(([from, to]) => `${from}:${isObject(to) ? to["bind"] : to}`);
  const listed = Array.isArray(value) ? value.filter(isObject) : [];
  return [...strings(value), ...listed.map(one => `${one["source"] ?? one["src"]}:${one["target"] ?? one["dst"]}`)];
}

/** `force: true` is `--force`, `mode: "hard"` is `--hard`, `max: 3` is `--max=3`; folders of containers are `-v`. */
function flag(program: string, words: readonly string[], key: string, value: unknown): string[] {
  const dash = program === "terraform" || program === "tofu" ? "-" : "--";
  const name =
    dash +
    key
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .replaceAll("_", "-")
      .toLowerCase();
  if (value === true || value === "true") return [name];
  if (program === "docker" && Object.hasOwn(ofContainer, key))
    return strings(value).map(one => `${ofContainer[key]}=${one}`);
  if (/^(args|flags|options)$/.test(key)) return strings(value);
  if (/^(volumes|binds|mounts)$/.test(key)) return mounts(value).flatMap(v => ["-v", v]);
  if (key === "mode" && typeof value === "string" && !words.includes(value)) return [`--${value}`];
  if (told.test(key) || operandKeys.includes(key)) return [];
  if (Array.isArray(value)) return strings(value).length > 0 ? [name, ...strings(value)] : [];
  return typeof value === "string" || typeof value === "number" ? [`${name}=${value}`] : [];
}
