import type { AnyElysia } from "elysia";
import { type Access, accessOf } from "./access.ts";

/** Every route with what it needs, read from the application itself: a route that declares nothing cannot be served. */
export interface RouteEntry {
  method: string;
  path: string;
  access: Access;
}

export interface RouteTable {
  entries: RouteEntry[];
  /** The methods a path takes; undefined when there is no such path. */
  find(path: string): Map<string, Access> | undefined;
}

const DEMO = "/api/demo/";

interface Pattern {
  segments: string[];
  methods: Map<string, Access>;
}

export function routeTable(app: AnyElysia): RouteTable {
  const entries = app.routes.map(({ method, path, hooks }) => {
    const access = accessOf(hooks?.detail);
    if (!access) throw new Error(`${method} ${path} does not say who may call it`);
    return { method, path, access };
  });
  const fixed = new Map<string, Map<string, Access>>();
  const patterns: Pattern[] = [];
  for (const entry of entries) methodsOf(entry.path, fixed, patterns).set(entry.method, entry.access);
  // A fixed path of the API that the demo lacks is no `{id}` there: `/demo/agents/self` is not offered.
  const isLacking = (path: string) => path.startsWith(DEMO) && fixed.has(path.replace(DEMO, "/api/"));
  return { entries, find: path => fixed.get(path) ?? (isLacking(path) ? undefined : match(path, patterns)) };
}

function methodsOf(path: string, fixed: Map<string, Map<string, Access>>, patterns: Pattern[]): Map<string, Access> {
  const parameters = path.includes(":");
  const known = parameters ? patterns.find(one => one.segments.join("/") === path)?.methods : fixed.get(path);
  if (known) return known;
  const methods = new Map<string, Access>();
  if (parameters) patterns.push({ segments: path.split("/"), methods });
  else fixed.set(path, methods);
  return methods;
}

function match(path: string, patterns: Pattern[]): Map<string, Access> | undefined {
  const segments = path.split("/");
  const fits = ({ segments: wanted }: Pattern) =>
    wanted.length === segments.length &&
    wanted.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
  return patterns.find(fits)?.methods;
}
