import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, parse, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { childProcess } from "../builtin.ts";
import type { ScanReply } from "../client/api.ts";
import { homeOf, writeWhole } from "../client/home.ts";
import { shippedCatalogue } from "../comply/catalogue.ts";
import { report } from "../comply/report.ts";
import { sarif } from "../comply/sarif.ts";
import { type FailOn, failOnValues, fails, nativeScan, type ScanFrame, type Scanned, scan } from "../comply/scan.ts";
import { chosen, flag, readArguments, text } from "./arguments.ts";
import { CommandError, command, NO } from "./command.ts";
import { enrolment, version } from "./installation.ts";
import { type Io, UsageError } from "./io.ts";
import { paintFor } from "./paint.ts";

const formats = ["text", "json", "sarif"];
const USAGE = `Usage: gatehouse comply scan [folder] [--no-home] [--format text|json|sarif] [--output <file>]
       [--fail-on critical|high|medium|low|never] [--upload] [--project <name>] [--json]
       gatehouse comply import <file.sarif or -> [--project <name>] [--json]

scan   checks the settings, MCP servers, hooks, instructions and secrets that coding agents meet in a project, in your home and as
       set by an administrator; --no-home looks at the project alone. What was not looked at is reported as not evaluated, never as
       passed. --upload sends the result to the server. Exit code 3 when something at least as severe as --fail-on (default high)
       was found.
import sends what another scanner found (SARIF 2.1.0; - is standard input) to the server.`;

export const run = command(USAGE, async ([verb, ...rest], io) =>
  chosen({ scan: scanFolder, import: importFile }, verb, USAGE)(rest, io),
);

async function scanFolder(argv: readonly string[], io: Io): Promise<number> {
  const options = {
    "no-home": flag,
    format: text,
    output: text,
    "fail-on": text,
    upload: flag,
    project: text,
    json: flag,
  } as const;
  const { values, positionals } = readArguments(argv, options, [0, 1], USAGE);
  const format = values.json ? "json" : oneOf(formats, values.format ?? "text", "--format");
  const failOn = oneOf(failOnValues, values["fail-on"] ?? "high", "--fail-on") as FailOn;
  const project = resolve(positionals[0] ?? ".");
  if (!statSync(project, { throwIfNoEntry: false })?.isDirectory())
    throw new CommandError(`${project} is not a folder.`);
  const started_at = new Date().toISOString();
  const { user, moved } = homeOf(io.env);
  const beyond = values["no-home"] ? {} : { home: user, moved, managed: parse(project).root };
  const scanned = scan({ project, ...beyond, catalogue: shippedCatalogue() });
  const frame: ScanFrame = {
    project: values.project ?? basename(project),
    ...git(project),
    tool: { name: "gatehouse-comply", version: version() },
    started_at,
    finished_at: new Date().toISOString(),
  };
  const output = values.output;
  const written = render(format, frame, scanned, output ? undefined : paintFor(io));
  if (output) writeWhole(resolve(output), `${written}\n`);
  else io.out(written);
  if (values.upload) io.err(await upload(frame, scanned, io));
  return fails(scanned.results, failOn) ? NO : 0;
}

function render(format: string, frame: ScanFrame, scanned: Scanned, paint: Parameters<typeof report>[1]): string {
  if (format === "sarif") return JSON.stringify(sarif(frame, scanned.results), null, 2);
  if (format === "json") return JSON.stringify(nativeScan(frame, scanned.results), null, 2);
  return report(scanned, paint).trimEnd();
}

async function upload(frame: ScanFrame, scanned: Scanned, io: Io): Promise<string> {
  const body = nativeScan(frame, scanned.results);
  const key = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  return received(await enrolment(io).client.scan(body, key));
}

const received = ({ id, summary }: ScanReply): string =>
  `Uploaded as ${id}: ${Object.entries(summary)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ")}.`;

async function importFile(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { project: text, json: flag }, [1, 1], USAGE);
  const path = positionals[0]!;
  const sarif = path === "-" ? await io.stdin() : readFileSync(path, "utf8");
  const project = values.project ?? (namesItself(sarif, path) ? undefined : basename(resolve(".")));
  const key = createHash("sha256")
    .update(`${project ?? ""}\n${sarif}`)
    .digest("hex");
  const reply = await enrolment(io).client.sarif(gzipSync(sarif), project, key);
  io.out(values.json ? JSON.stringify(reply) : received(reply));
  return 0;
}

/** Whether the file says which project it is about, as the server reads it. */
function namesItself(sarif: string, path: string): boolean {
  try {
    const { runs } = JSON.parse(sarif) as { runs?: { automationDetails?: { id?: string } }[] };
    return Boolean(runs?.[0]?.automationDetails?.id);
  } catch {
    throw new CommandError(`${path === "-" ? "Standard input" : path} is not JSON.`);
  }
}

/** Where the project stands; a folder that is no repository has neither. */
function git(project: string): { commit?: string; branch?: string } {
  const ask = (...args: string[]) => {
    try {
      return childProcess()
        .execFileSync("git", ["-C", project, ...args], {
          encoding: "utf8",
          stdio: ["ignore", "pipe", "ignore"],
          timeout: 2000,
        })
        .trim();
    } catch {
      return "";
    }
  };
  const commit = ask("rev-parse", "HEAD");
  const branch = ask("symbolic-ref", "--short", "HEAD");
  return { ...(commit ? { commit } : {}), ...(branch ? { branch } : {}) };
}

function oneOf(values: readonly string[], given: string, name: string): string {
  if (!values.includes(given)) throw new UsageError(`${name} takes ${values.join(", ")}.`);
  return given;
}
