/** An MCP tool call: its arguments by name and by look, each handed to whoever reads such text. */
import type { FileAct, ToolCall, Word } from "../../facts.ts";
import type { McpCall } from "../../verdict.ts";
import { posix } from "../findings.ts";
import { gate } from "../gate.ts";
import { hostOf } from "../hosts.ts";
import { limits } from "../limits.ts";
import { isSecret } from "../paths.ts";
import { invoke } from "../run/invoke.ts";
import { type Machine, TERMINAL } from "../run/machine.ts";
import { SECRET } from "../taint.ts";
import { sqlActs } from "../unwrap/sql.ts";
import { runCode } from "../unwrap/text.ts";
import { EMPTY, field, literal } from "../value.ts";
import { decode, localPath } from "./local-path.ts";
import { type Leaf, leaves } from "./leaves.ts";
import { namedProgram, programOf, readings } from "./named-program.ts";
import { isMongo, mongoActs } from "./mongo.ts";
import { takesSession } from "./page-script.ts";
import { nestedCalls } from "./nested.ts";
import { isPatch, isSound, patched } from "../unwrap/patch.ts";
import { cellCommands, decodedCommand, fillsPage, isCode, languageOf, piped, typedKey, typesInto } from "./typed.ts";
import { holdsSecret, holdsSetting } from "./secrets.ts";
import { split, type Verb, verbOf } from "./verbs.ts";
import { windows } from "../windows/run.ts";
import { shareHost } from "../windows-path.ts";

const commandKey =
  /^((\w+_)?(command|cmd)(s|_?line|_?string|_?text)?|(\w+_)?script(_?(block|text))?|shell|bash|ps1?|powershell|shell_?command|run|exec|argv)$/i;
const codeKey =
  /^((\w+_)?code|source|cells?|cell_?(source|code)|source_?code|code_?(snippet|string|text)|snippet|program|expr|expression|python|javascript|js|function)$/i;
/** Servers whose `script` is code of their language, and no command line. */
const scripted = /deno|node|\bjs|javascript|typescript|python|applescript|osascript|ruby|perl|powershell|pwsh/i;
const sqlKey = /^(sql|query|queries|statement|statements|q)$/i;
const dataKey =
  /^(content|contents|text|body|message|messages|description|title|comment|old_?(string|str|text)|new_?(string|str|text)|file_?text|data|prompt|summary|reason|note|markdown|html|pattern|regex|value|instructions|observations?|thoughts?|facts?|notes|question|answer|context|keywords|topic|search_?(phrase|term|query))$/i;
/** The words behind the program of a `command`, or behind one named beside them. */
const wordsKey = /^(args|arguments|parameters)$/i;
const programKey = /^(program|executable|binary|exe)$/i;
/** What a tool that executes is given under a name that says nothing. */
const inputKey = /^(text|body|input|value|line|raw|payload)$/i;
const databases =
  /\b(pg|db)\b|maria|cockroach|sql|query|database|postgres|mongo|oracle|duckdb|clickhouse|snowflake|bigquery|supabase/i;
/** Words of tools that look something up in texts, where a statement is but a phrase. */
const lookups = new Set("search find lookup grep docs doc documentation web wiki library issues articles".split(" "));
/** Servers of other people: what is written to one has left, whatever path it lies under there. */
const elsewhere = /github|gitlab|bitbucket|gist|pastebin/i;
/** What an editor is told to do, where other tools have a command line. */
const editorVerb = /^(view|create|str_replace|insert|undo_edit|read|write|append|delete|rename|move|copy|search|list)$/;
/** Tools whose scripts run in a page. */
const inPage = /evaluate|javascript|puppeteer|playwright|browser|chrome|selenium|webdriver|devtools/i;
const pathKey =
  /(^|_)(paths?|files?|file_?names?|file_?paths?|dir(ectory|ectories|s)?|folders?|source|src|from|destination|dest|dst|to|target|output|out|uris?|locations?|root|cwd|workdir|working_?directory|workspace|entry|item|link|repo_?path|allowed_?directories)$/i;
const targetKey =
  /^(to|dest|dst|destination|target|new_?path|new_?name|output|out|output_?(path|file|dir)|save_?(path|to|as)|new_?file_?path)$/i;
const pathText = /^(\/|~|\.\.?(\/|\\|$)|(view-source:)?file:|[A-Za-z]:[\\/]|\\\\|\$\{?(HOME|env:|USERPROFILE))/i;
const urlText = /^(https?|wss?|ftps?|sftp|ssh|s3|gs|smtp|ldap|gopher|dict):\/\//i;

/** An MCP call: its arguments, of whatever shape, read for paths, hosts, secrets, statements and commands. */
export function mcp(m: Machine, call: McpCall): void {
  const subject: ToolCall = {
    kind: "mcp",
    server: call.server ?? "",
    tool: call.tool,
    input: call.args,
    hints: { destructive: call.hints?.destructive === true, open_world: call.hints?.open_world === true },
    via: [],
  };
  const of = m.subject(subject);
  const { found, complete } = leaves(call.args);
  if (!complete) m.gap("too_deep", "the arguments are nested or numerous beyond what is read");
  const reader = new Reader(m, subject, of, verbOf(editorCommand(subject) ?? call.tool));
  reader.words = found.find(leaf => leaf.list !== undefined && wordsKey.test(leaf.key))?.list;
  reader.tail = found.find(leaf => leaf.list === undefined && wordsKey.test(leaf.key))?.text;
  for (const leaf of found) reader.leaf(leaf);
  reader.end();
  const inside = nestedCalls(call.args);
  if (!inside.complete) m.gap("too_deep", "more calls inside the call than are read");
  for (const { server = subject.server, tool, args } of inside.calls)
    m.within(`${subject.server}/${call.tool}`, () => mcp(m, { ...call, server, tool, args }));
}

/** `{command: "view", path}`: the tool's command says what happens to the path. */
function editorCommand({ input }: ToolCall): string | undefined {
  const { command } = input;
  const named = "path" in input || "file_path" in input;
  return named && typeof command === "string" && editorVerb.test(command) ? command : undefined;
}

class Reader {
  private readonly hosts: Word[] = [];
  private readonly seenLists = new Set<readonly string[]>();
  private secret: Word | undefined;
  private holdsSecret = false;
  /** The list behind a command's name, wherever it stands among the arguments. */
  words: readonly string[] | undefined;
  /** The same as one text: `{args: "delete ns prod"}`. */
  tail: string | undefined;
  private pendingCommand: string | undefined;
  private readonly m: Machine;
  private readonly call: ToolCall;
  private readonly of: number;
  private readonly verb: Verb;
  private readonly types: boolean;
  private readonly editor: string | undefined;
  private namesPath = false;

  constructor(m: Machine, call: ToolCall, of: number, verb: Verb) {
    this.m = m;
    this.call = call;
    this.of = of;
    const posts = typeof call.input["method"] === "string" && /^(post|put|patch)$/i.test(call.input["method"]);
    this.verb = posts || fillsPage(call.server, call.tool) ? { ...verb, sends: true } : verb;
    this.types = typesInto(call.server, call.tool);
    this.editor = editorCommand(call);
  }

  leaf(leaf: Leaf): void {
    const { key, text } = leaf;
    this.m.step();
    if (text === "") return;
    if (/^(apply_?)patch$/i.test(this.call.tool) && /^(input|patch|diff)$/i.test(key)) this.patch(text);
    else if (isPatch(text) && (/patch|diff|edit/i.test(this.call.tool) || /^(input|patch|diff|command)$/i.test(key)))
      this.patch(text);
    else if (key === "command" && text === this.editor) return;
    else if (isMongo(this.call) && (commandKey.test(key) || codeKey.test(key))) this.sql(text);
    else if (/^(script|function|expression)$/i.test(key) && inPage.test(this.name())) this.code(text);
    else if (/^script$/i.test(key) && scripted.test(this.name())) this.code(text);
    else if (this.types && typedKey.test(key)) this.typed((decodedCommand(text) ?? text).replace(/\r\n?/g, "\n"));
    else if (key === "stdin" && this.verb.runs) this.shell(piped(this.call.input, text));
    else if (wordsKey.test(key) && leaf.list === undefined && this.takesWords()) this.shell(this.whole(text));
    else if (commandKey.test(key) || (programKey.test(key) && this.words !== undefined)) this.command(leaf);
    else if (leaf.list !== undefined && leaf.list === this.words) return;
    else if (codeKey.test(key) && this.runsCode()) this.code(text);
    else if (this.verb.runs && inputKey.test(key)) this.given(leaf);
    else if (dataKey.test(key)) this.data(leaf);
    else this.classify(leaf);
  }

  /** Whether a text of arguments belongs to a program, named beside it or by the tool. */
  private takesWords(): boolean {
    if (/^(shell|command|raw)$/.test(String(this.call.input["module"]))) return true;
    return this.verb.runs || this.program() !== undefined || programOf(this.call.server, this.call.tool) !== undefined;
  }

  /** A program named on its own, by a word that says so. */
  private program(): string | undefined {
    const { program, executable, binary, exe, command, file, path } = this.call.input;
    const started = this.verb.runs && this.words !== undefined ? [file, path] : [this.verb.runs ? file : undefined];
    const named = [program, executable, binary, exe, command, ...started];
    return named.find(one => typeof one === "string" && /^\S+$/.test(one)) as string | undefined;
  }

  private whole(words: string): string {
    const program = this.program();
    return program === undefined ? words : `${program} ${words}`;
  }

  /** Flows are known only when every argument has been seen. */
  end(): void {
    const named = this.verb.runs && this.words !== undefined ? this.program() : undefined;
    if (named !== undefined && this.pendingCommand === undefined) this.argv([named, ...this.words!]);
    const given = [...(this.pendingCommand === undefined ? [] : [this.pendingCommand]), ...(this.words ?? [])];
    const program = programOf(this.call.server, this.call.tool);
    if (this.pendingCommand !== undefined || this.verb.runs) {
      this.argv(given);
      if (program !== undefined && given.length > 0) this.argv([program, ...given]);
    }
    const words = namedProgram(this.call.server, this.call.tool, this.call.input);
    if (words !== undefined) this.argv(words);
    if (isMongo(this.call))
      for (const does of mongoActs(this.call)) this.m.facts.push({ kind: "sql", of: this.of, does });
    // What is created somewhere, but in no file, lies with the service behind the server.
    const keeps = this.verb.does === "write" && (!this.namesPath || elsewhere.test(this.call.server));
    const sends = this.hosts.length > 0 || this.verb.sends || keeps || this.call.hints.open_world;
    if (!sends || (this.secret === undefined && !this.holdsSecret)) return;
    const host = this.hosts[0] ?? { text: this.call.server, known: this.call.server !== "" };
    const from = { ...EMPTY, taint: SECRET, origin: this.secret ? { path: this.secret } : undefined };
    this.m.flow(this.of, from, "network", host);
  }

  private runsCode(): boolean {
    return (
      this.verb.runs ||
      /code|python|node|jupyter|notebook|eval|repl|browser/i.test(`${this.call.tool} ${this.call.server}`)
    );
  }

  private data(leaf: Leaf): void {
    const commands = this.runsCode() ? cellCommands(leaf.text) : undefined;
    if (commands !== undefined) this.shell(commands);
    this.holdsSecret ||= holdsSecret(leaf.text) || holdsSetting(leaf.text);
    if (urlText.test(leaf.text) && !/\s/.test(leaf.text.trim())) this.url(leaf.text);
  }

  /** `run_code {input}` is code, `run_query {input}` a statement, `execute {input}` a command line. */
  private given({ text }: Leaf): void {
    this.holdsSecret ||= holdsSecret(text);
    if (databases.test(this.name())) this.sql(text);
    else if (/code|python|node|javascript|typescript/i.test(this.call.tool)) this.code(text);
    else this.shell(text);
  }

  private classify(leaf: Leaf): void {
    const { key, text } = leaf;
    this.holdsSecret ||= holdsSecret(text) || (this.verb.sends && holdsSetting(text));
    if (urlText.test(text)) this.url(text);
    else if (this.isStatement(key, text)) this.sql(text);
    else if (
      !/^[^\s/\\@]+@[\w.-]+$/.test(text) &&
      (pathKey.test(key) || pathText.test(text)) &&
      text.length < 4096 &&
      !text.includes("\n")
    )
      this.path(key, text);
  }

  /** A statement to a database, or the words somebody looks for. */
  private isStatement(key: string, text: string): boolean {
    const asks = [...split(this.call.tool), ...split(this.call.server)].some(word => lookups.has(word));
    if (databases.test(asks ? this.call.server : this.name()) && /\s/.test(text)) return true;
    return sqlKey.test(key) && !asks;
  }

  private sql(text: string): void {
    if (programOf(this.call.server, this.call.tool) === "redis-cli") this.shell(text);
    for (const does of sqlActs(text)) this.m.facts.push({ kind: "sql", of: this.of, does });
  }

  private url(text: string): void {
    const host: Word = { text: hostOf(text), known: true };
    const told = decode(text).replace(/[?&#]/g, " ");
    this.holdsSecret ||= holdsSecret(told) || holdsSetting(told) || holdsSetting(told.replace(/ \w+=/g, " "));
    this.hosts.push(host);
    this.m.facts.push({ kind: "net", of: this.of, does: this.verb.sends ? "upload" : "download", host });
  }

  private path(key: string, text: string): void {
    this.namesPath = true;
    const share = shareHost(text);
    if (share !== undefined)
      this.m.facts.push({ kind: "net", of: this.of, does: "connect", host: { text: share, known: true } });
    const hidden = gate(text);
    if (hidden && !hidden.stop) this.m.gap("hidden_unicode", hidden.gap.detail);
    for (const spelling of localPath(text)) {
      const path: Word = {
        text: this.m.places.of(spelling, undefined),
        known: !/\$[{(A-Za-z]|%\w+%/.test(spelling) || spelling.startsWith("$repo"),
      };
      const target = targetKey.test(key) && this.verb.does !== "read";
      this.file(target ? this.verb.target : this.act(), path);
      if (isSecret(path.text)) this.secret ??= path;
    }
  }

  /** A tool its server declares destructive writes, whatever its name says. */
  private act(): FileAct {
    return this.call.hints.destructive && this.verb.does === "read" ? "write" : this.verb.does;
  }

  private file(does: FileAct, path: Word): void {
    const all = path.text.endsWith("/*");
    const at = all ? { ...path, text: path.text.slice(0, -2) || "/" } : path;
    this.m.file(this.of, does, at, does === "delete" || all || this.call.input["recursive"] === true);
  }

  private patch(text: string): void {
    if (!isSound(text)) this.m.gap("parse_error", "a patch that cannot be read to its end");
    for (const { does, path } of patched(text))
      for (const spelling of localPath(path))
        this.m.file(this.of, does, { text: this.m.places.of(spelling, undefined), known: true });
  }

  private command(leaf: Leaf): void {
    if (leaf.list !== undefined) {
      if (this.seenLists.has(leaf.list)) return;
      this.seenLists.add(leaf.list);
      const lines =
        /s$/i.test(leaf.key) || leaf.list.some(t => /\s/.test(t) && !/^-/.test(t)) ? looksLikeLines(leaf.list) : false;
      const program =
        (/^argv$/i.test(leaf.key) ? this.program() : undefined) ?? programOf(this.call.server, this.call.tool);
      if (lines) for (const line of leaf.list) this.shell(line);
      else this.argv(leaf.list);
      if (program !== undefined && !lines && leaf.list[0] !== program) this.argv([program, ...leaf.list]);
    } else if (/^(\S+)$/.test(leaf.text) && this.words !== undefined) this.pendingCommand = leaf.text;
    else this.shell(decodedCommand(leaf.text) ?? leaf.text);
  }

  private shell(line: string): void {
    const program = programOf(this.call.server, this.call.tool);
    for (const text of readings(program, line, this.call.input)) this.line(text);
  }

  private line(text: string): void {
    const refused = gate(text);
    if (refused) this.m.gaps.push({ ...refused.gap, via: [this.name()] });
    if (refused?.stop) return;
    const { shell, language } = this.call.input;
    const told = [shell, language].find(one => typeof one === "string") as string | undefined;
    const tool = told ?? `${this.call.server} ${this.call.tool}`;
    this.m.within(this.name(), () =>
      this.m.based([0, 0], () => {
        if (/powershell|pwsh|winrm|[_ ]ps1?$/i.test(tool)) windows(this.m, text, "powershell");
        else if (/(^|[_ ])(cmd(\.exe|_|$)|bat(ch)?$)/i.test(tool) && !/terminal|shell/i.test(tool))
          windows(this.m, text, "cmd");
        else posix(this.m, text);
      }),
    );
  }

  /** What is typed is read by a shell, or by the console of a language. */
  private typed(text: string): void {
    const before = this.m.gaps.length;
    this.shell(text);
    if (!isCode(text)) return;
    // A line that no shell takes is the console's alone.
    if (!text.trim().includes("\n"))
      this.m.gaps.splice(before, Infinity, ...this.m.gaps.slice(before).filter(gap => gap.why !== "parse_error"));
    this.code(text);
  }

  private argv(words: readonly string[]): void {
    const fields = words.map(w => field(literal(w), [0, 0]));
    this.m.within(this.name(), () => this.m.based([0, 0], () => invoke(this.m, fields, TERMINAL)));
  }

  /** Code in a language the tool's name tells, or else read as both usual ones. */
  private code(text: string): void {
    const taken = inPage.test(this.name()) ? takesSession(text) : undefined;
    if (taken !== undefined) {
      this.holdsSecret = true;
      this.hosts.push({ text: taken, known: true });
    }
    if (text.length > limits.chars) {
      this.m.gap("too_long", `${text.length} characters of code`);
      return;
    }
    const { language, languageId, lang, runtime } = this.call.input;
    const given = [language, languageId, lang, runtime].find(one => typeof one === "string") as string | undefined;
    const named = inPage.test(this.name()) ? "node" : languageOf(given ?? `${this.call.tool} ${this.call.server}`);
    const commands = named === "python" ? cellCommands(text) : undefined;
    if (commands !== undefined || named === "shell") this.shell(commands ?? text);
    else if (named === "powershell") this.m.within(this.name(), () => windows(this.m, text, "powershell"));
    else
      this.m.within(this.name(), () =>
        this.m.based([0, 0], () => runCode(this.m, named, literal(text), "code", TERMINAL)),
      );
  }

  private name(): string {
    return `${this.call.server}/${this.call.tool}`;
  }
}

/** `["ls -la", "rm x"]` are lines; `["bash", "-c", "rm x"]` are the words of one command. */
function looksLikeLines(list: readonly string[]): boolean {
  return (
    /\s/.test(list[0] ?? "") || list.every(t => !t.startsWith("-") && /^\w+(\s|$)/.test(t) && !/^(ba|z|da)?sh$/.test(t))
  );
}
