import { type Access, accessOf } from "./access.ts";
import type { Route } from "./mount.ts";

/** Every route with what it needs, read from the application itself: a route that declares nothing cannot be served. */
export interface RouteEntry {
  method: string;
  path: string;
  access: Access;
  serve: Route["serve"];
}

/** What a path takes, by method. */
export type Methods = Map<string, RouteEntry>;

export interface RouteTable {
  entries: RouteEntry[];
  /** The methods a path takes; undefined when there is no such path. */
  find(path: string): Methods | undefined;
}

const DEMO = "/api/demo/";

interface Pattern {
  segments: string[];
  methods: Methods;
}

export function routeTable({ routes }: { routes: readonly Route[] }): RouteTable {
  const entries = routes.map(({ method, path, hooks, serve }) => {
    const access = accessOf(hooks.detail);
    if (!access) throw new Error(`${method} ${path} does not say who may call it`);
    return { method, path, access, serve };
  });
  const fixed = new Map<string, Methods>();
  const patterns: Pattern[] = [];
  for (const entry of entries) methodsOf(entry.path, fixed, patterns).set(entry.method, entry);
  // A fixed path of the API that the demo lacks is no `{id}` there: `/demo/agents/self` is not offered.
  const isLacking = (path: string) => path.startsWith(DEMO) && fixed.has(path.replace(DEMO, "/api/"));
  return { entries, find: path => fixed.get(path) ?? (isLacking(path) ? undefined : match(path, patterns)) };
}

function methodsOf(path: string, fixed: Map<string, Methods>, patterns: Pattern[]): Methods {
  const parameters = path.includes(":");
  const known = parameters ? patterns.find(one => one.segments.join("/") === path)?.methods : fixed.get(path);
  if (known) return known;
  const methods: Methods = new Map();
  if (parameters) patterns.push({ segments: path.split("/"), methods });
  else fixed.set(path, methods);
  return methods;
}

function match(path: string, patterns: Pattern[]): Methods | undefined {
  const segments = path.split("/");
  const fits = ({ segments: wanted }: Pattern) =>
    wanted.length === segments.length &&
    wanted.every((part, index) => (part.startsWith(":") ? segments[index] !== "" : part === segments[index]));
  return patterns.find(fits)?.methods;
}
