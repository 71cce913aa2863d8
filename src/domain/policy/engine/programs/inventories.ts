/** Programs that list what a machine has: files of packages, mount points, disks. One line stands for all of them. */
import { tainted, type Val } from "../value.ts";
import type { Job } from "./row.ts";
import { wordsBehind } from "./secret-sources.ts";

/** The words behind the program, and what it then lists. */
export type Inventory = readonly [asked: RegExp, stands: string];

const packaged: Inventory = [/^(-L|--listfiles)\b/, "/usr/*"];
const mounted: Inventory = [/^(?!-\w*[ahV])/, "/"];

const lists: Record<string, readonly Inventory[]> = {
  "dpkg dpkg-query": [packaged],
  dlocate: [[/^-(L|lsfile)/, "/usr/*"]],
  rpm: [[/^(-q\w*l|--list|-q .*(-\w*l|--list)\b)/, "/usr/*"]],
  rpmquery: [[/^(-\w*l|--list)/, "/usr/*"]],
  pacman: [[/^(-Q\w*l|--query .*--list)/, "/usr/*"]],
  apk: [[/^info (.* )?(-\w*L|--contents)/, "/usr/*"]],
  equery: [[/^f(iles)?\b/, "/usr/*"]],
  "xbps-query": [[/^(-\w*f|--files)/, "/usr/*"]],
  pkg: [[/^(info -\w*l|query %Fp)/, "/usr/*"]],
  "locate plocate mlocate": [[/^(-\S+ )*(\/|\*|\.\*)?$/, "/*"]],
  mount: [[/^(-l|-v|-t \S+)?$/, "/"]],
  "findmnt df": [mounted],
  lsblk: [
    [/MOUNT/i, "/"],
    [/^-\w*p|--paths/, "/dev/sda"],
    [/^/, "sda"],
  ],
  blkid: [[/^/, "/dev/sda"]],
  "systemd-mount": [[/^--list/, "/dev/sda"]],
};

export const inventories: ReadonlyMap<string, readonly Inventory[]> = new Map(
  Object.entries(lists).flatMap(([names, noted]) => names.split(" ").map(name => [name, noted] as const)),
);

/** What this invocation lists; undefined: nothing that is noted here. */
export function inventory({ spec, argv }: Job): Val | undefined {
  const { lists } = spec.traits;
  if (lists === undefined) return undefined;
  const words = wordsBehind(argv);
  const stands = lists.find(([asked]) => asked.test(words))?.[1];
  return stands === undefined ? undefined : tainted(`${stands}\n`, false, 0, undefined);
}
