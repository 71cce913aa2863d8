import { LRUCache } from "lru-cache";
import type { Directory } from "../directory/directory.ts";
import type { MemberKey } from "../directory/members.ts";
import type { Member } from "../domain/org/members.ts";
import type { Organisation } from "../directory/organisations.ts";
import type { WorkspaceFacts } from "../domain/demo/workspace.ts";
import { refusal } from "../errors.ts";

/** What handlers ask of the directory, answered from the workspace that the caller has just entered. */
export interface DemoDirectory {
  directory: Directory;
  entered(facts: WorkspaceFacts): void;
}

const AT_A_TIME_MAX = 1000;

/** The truth is in the demo's thread; this holds what it said with the request under way. Anything else is not in the demo. */
export function createDemoDirectory(): DemoDirectory {
  const facts = new LRUCache<string, WorkspaceFacts>({ max: AT_A_TIME_MAX });
  const of = (org: string): WorkspaceFacts => {
    const known = facts.get(org);
    if (!known) throw refusal("demo_expired");
    return known;
  };
  const organisations: Partial<Directory["organisations"]> = {
    get(org): Organisation {
      const { name, plan, created_at } = of(org);
      return { id: org, name, plan, created_at };
    },
    rename: (org, name) => void facts.set(org, { ...of(org), name }),
  };
  const members: Partial<Directory["members"]> = {
    list(org, limit, after): Member[] {
      const all = of(org).members.toSorted((a, b) => order(keyOf(a), keyOf(b)));
      return all.filter(one => !after || order(keyOf(one), after) > 0).slice(0, limit);
    },
    seats: org => of(org).members.length,
  };
  const agents: Partial<Directory["agents"]> = { count: org => of(org).agents };
  return {
    directory: nouns({ organisations, members, agents }),
    entered: known => void facts.set(known.org, known),
  };
}

const keyOf = ({ created_at, id }: Member): MemberKey => [created_at, id];
const order = (a: MemberKey, b: MemberKey) => a[0] - b[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

/** Handlers are made with every noun in hand; what a noun does not do here is refused when it is used. */
const nouns = (offered: Record<string, object>): Directory =>
  new Proxy({} as Directory, { get: (_, noun) => only(offered[noun as string] ?? {}) });

const only = (offered: object): object =>
  new Proxy(offered, {
    get(target, name) {
      if (Object.hasOwn(target, name)) return Reflect.get(target, name);
      throw refusal("not_in_demo");
    },
  });
