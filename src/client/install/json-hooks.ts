import { applyEdits, type JSONPath, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { CannotInstall, type Edit, isOurs } from "./recipe.ts";

type Entries = Record<string, unknown>;

export interface JsonHooks {
  client: string;
  path: string;
  /** Members a fresh file starts with, such as `{"version": 1}`. */
  fresh?: Entries;
  /** Our entry for each event. */
  hooks: Record<string, unknown>;
  /** Further settings that belong to the hooks; taken out again only where they still have our value. */
  settings?: [path: JSONPath, value: unknown][];
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: "\n" };
const parsing = { allowTrailingComma: true, disallowComments: false };

/**
 * Entries under `hooks.<event>[]` of a JSON file, as seven agents keep them. Everything else in the file stays to the
 * byte: comments, order, other people's hooks. Installing twice changes nothing.
 */
export function jsonHooks({ client, path, fresh = {}, hooks, settings = [] }: JsonHooks): Edit {
  return {
    path,
    install(text) {
      const start = text === undefined || text.trim() === "" ? `${JSON.stringify(fresh, null, 2)}\n` : text;
      const placed = Object.entries(hooks).reduce((now, [event, entry]) => place(now, event, entry, client), start);
      return settings.reduce(
        (now, [at, value]) => (same(valueAt(read(now), at), value) ? now : set(now, at, value)),
        placed,
      );
    },
    uninstall(text) {
      const root = read(text);
      const events = Object.keys((root["hooks"] as Entries | undefined) ?? {});
      const cleared = events.reduce((now, event) => remove(now, event, client), text);
      const rest = settings.reduce(
        (now, [at, value]) => (same(valueAt(read(now), at), value) ? set(now, at, undefined) : now),
        cleared,
      );
      return same(read(rest), fresh) || same(read(rest), {}) ? undefined : rest;
    },
    installed(text) {
      const found = Object.keys(hooks).map(event => [
        event,
        entriesOf(read(text), event).filter(entry => isOurs(entry, client)),
      ]);
      return found.every(([, entries]) => (entries as unknown[]).length > 0) ? JSON.stringify(found) : undefined;
    },
  };
}

function read(text: string): Entries {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, parsing);
  if (errors[0])
    throw new CannotInstall(`not valid JSON (${placeOf(text, errors[0])}). Mend it first; nothing was changed.`);
  if (typeof root !== "object" || root === null || Array.isArray(root))
    throw new CannotInstall("not a JSON object. Mend it first; nothing was changed.");
  return root as Entries;
}

function placeOf(text: string, { error, offset }: ParseError): string {
  return `line ${text.slice(0, offset).split("\n").length}: ${printParseErrorCode(error)}`;
}

function entriesOf(root: Entries, event: string): unknown[] {
  const hooks = root["hooks"];
  if (hooks === undefined) return [];
  const entries = (hooks as Entries | null)?.[event];
  if (entries !== undefined && !Array.isArray(entries))
    throw new CannotInstall(`hooks.${event} is not a list. Nothing was changed.`);
  return entries ?? [];
}

const set = (text: string, at: JSONPath, value: unknown): string =>
  applyEdits(text, modify(text, at, value, { formattingOptions }));

function place(text: string, event: string, entry: unknown, client: string): string {
  const entries = entriesOf(read(text), event);
  if (entries.filter(each => isOurs(each, client)).length === 1 && entries.some(each => same(each, entry))) return text;
  const cleared = remove(text, event, client);
  const others = entriesOf(read(cleared), event);
  // First in the list: where an agent stops at the first refusal, ours is the one that is logged.
  return others.length === 0
    ? set(cleared, ["hooks", event], [entry])
    : applyEdits(cleared, modify(cleared, ["hooks", event, 0], entry, { formattingOptions, isArrayInsertion: true }));
}

function remove(text: string, event: string, client: string): string {
  const at = entriesOf(read(text), event).findLastIndex(entry => isOurs(entry, client));
  if (at < 0) return text;
  const less = set(text, ["hooks", event, at], undefined);
  const empty = entriesOf(read(less), event).length === 0;
  const tidy = empty ? set(less, ["hooks", event], undefined) : less;
  const none = same(read(tidy)["hooks"], {}) ? set(tidy, ["hooks"], undefined) : tidy;
  return remove(none, event, client);
}

const valueAt = (root: unknown, at: JSONPath): unknown =>
  at.reduce<unknown>((value, key) => (value as Record<string | number, unknown> | undefined)?.[key], root);

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
