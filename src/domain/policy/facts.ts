/**
 * What the engine found in a call, and all that a rule can speak of.
 * The engine (parse, fold, unwrap, taint) writes facts; rules read them; neither sees the other.
 */
export const dialects = ["posix", "powershell", "cmd"] as const;
export type Dialect = (typeof dialects)[number];
export const fileActs = ["read", "write", "delete", "execute", "permissions", "link"] as const;
export type FileAct = (typeof fileActs)[number];
export const netActs = ["upload", "download", "connect", "listen"] as const;
export type NetAct = (typeof netActs)[number];
export const sqlActs = ["drop", "truncate", "delete_all", "update_all", "grant", "run_program"] as const;
export type SqlAct = (typeof sqlActs)[number];
export const flowSources = ["network", "secret", "decoded", "written", "unknown", "shell"] as const;
export type FlowSource = (typeof flowSources)[number];
export const flowSinks = ["shell", "interpreter", "network", "executed", "device"] as const;
export type FlowSink = (typeof flowSinks)[number];
/** What a change of permissions gives away. */
export const grants = ["world_write", "setuid"] as const;
export type Grant = (typeof grants)[number];
export type Span = [start: number, end: number];

/** Stands in `Word.text` for each part that could not be resolved: `"$X/.ssh"` is `${hole}/.ssh`. */
export const hole = "\u{FFFC}";

/**
 * A word after folding. `known` is false where it rests on something the engine could not resolve; each such part
 * is one `hole` in the text, so that what is known around it can still be judged. A glob nobody has expanded stays
 * as it was written (`/etc/*`).
 */
export interface Word {
  text: string;
  known: boolean;
  span?: Span;
}

/** `-f`, `--force`, `--env=prod`: combined short flags are taken apart, values attached where the program table says so. */
export interface Flag {
  name: string;
  value?: Word;
  span?: Span;
}

/** One resolved invocation of a program, whatever wrapped it. */
export interface Invocation {
  kind: "run";
  dialect: Dialect;
  /** Base name, lower-cased for Windows dialects: `git`. */
  program: string;
  /** The word as written when it held a path (`/tmp/git`): restricting rules match by name, allowing ones do not. */
  path?: string;
  /** `["push"]`, `["s3", "rb"]`: by the program table. */
  subcommands: string[];
  flags: Flag[];
  /** Operands after the subcommands, plus values whose arity is not known. A wrapper's (`sudo`) wrapped command is not repeated here. */
  args: Word[];
  /** Branch or tag names the invocation acts on. */
  refs: Word[];
  /** Started with nothing to run: a shell or REPL whose input reaches no check. */
  interactive: boolean;
  via: string[];
  span?: Span;
}

/** One MCP tool call, or one `command` member of it is an Invocation whose `via` starts with `server/tool`. */
export interface ToolCall {
  kind: "mcp";
  server: string;
  tool: string;
  input: Record<string, unknown>;
  hints: { destructive: boolean; open_world: boolean };
  via: string[];
}

export type Subject = Invocation | ToolCall;

/** Every fact belongs to one call; `of` indexes `Findings.subjects`. */
interface Base {
  of: number;
  span?: Span;
}
export interface FileFact extends Base {
  kind: "file";
  does: FileAct;
  /**
   * Normalised to one spelling of each place, so that a rulebook compiles once for every caller:
   * - below a home directory (`$HOME`, `~bob`, `/root`, `/home/bob`, the caller's `home`): `~` or `~/…`
   * - below the caller's working directory at the start (relative paths, `cwd`, `$PWD`): `$repo` or `$repo/…`
   *   (a relative path that climbs out of an unknown directory: `$repo/..` or `$repo/../…`)
   * - everything else absolute: `/etc/passwd`, `/tmp/x` (`$TMPDIR`, `mktemp` and `/private/tmp` are `/tmp`).
   * `known` false: some part could not be resolved, and `text` holds that part as written (`$DIR/build`).
   * A trailing `/*` is taken off and gives `recursive: true`; other globs stay in the text.
   */
  path: Word;
  /** The access reaches everything below `path`. */
  recursive: boolean;
  grants?: Grant[];
}
/**
 * Tainted data reaching a sink. `shell -> executed`: a program that is no shell was made to start an interactive one
 * (`vim -c '!sh'`, `tar --checkpoint-action=exec=/bin/sh`, `find -exec /bin/sh`).
 */
export interface FlowFact extends Base {
  kind: "flow";
  from: FlowSource;
  to: FlowSink;
  /** Both directions (`network <-> shell`): a socket wired to a shell. */
  both?: boolean;
  host?: Word;
  path?: Word;
}
export interface NetFact extends Base {
  kind: "net";
  does: NetAct;
  host: Word;
}
export interface EnvFact extends Base {
  kind: "env";
  name: string;
  value?: Word;
}
export interface SqlFact extends Base {
  kind: "sql";
  does: SqlAct;
}
export type Fact = FileFact | FlowFact | NetFact | EnvFact | SqlFact;

/**
 * Something that was not understood: it sets the floor `not_understood` (ASK unless a policy says BLOCK).
 * `refused_line` is understood: no shell runs any of it, so it only warns.
 */
export interface Gap {
  why:
    | "too_long"
    | "too_deep"
    | "too_many_steps"
    | "hidden_unicode"
    | "parse_error"
    | "refused_line"
    | "unresolved_program";
  detail: string;
  span?: Span;
  via: string[];
}

export interface Findings {
  subjects: Subject[];
  facts: Fact[];
  gaps: Gap[];
}
