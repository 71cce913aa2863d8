import { setVariable } from "../unwrap/environment.ts";
import { part } from "./args.ts";
import { file, wrapped } from "./effects.ts";
import { killedByName, processes } from "./processes.ts";
import { flagValue, type Handler, hasFlag, type Row } from "./row.ts";
import { EMPTY, merged, tainted, unknown } from "../value.ts";
import type { Table } from "./table.ts";

/** `kill -1 4711` sends the first signal, `HUP`; `kill -9 -1` means every process. */
const signalled: Handler = job => {
  for (const f of job.operands) killedByName(job, f);
  const first = job.argv[1];
  if (first?.text !== "-1" || job.argv.length < 3) return EMPTY;
  const at = job.inv.flags.findIndex(f => f.name === "-1");
  if (at >= 0) job.inv.flags[at] = { ...job.inv.flags[at]!, name: "-HUP" };
  return EMPTY;
};

/** `which sh python3`, `type -P sh`, `whereis -b sh`: a path each, as on most machines. */
const which: Handler = job => {
  const { taint, origin } = merged(job.operands);
  if (!job.operands.every(f => f.known)) return unknown(taint, origin);
  const paths = job.operands.map(({ text }) => {
    if (text.includes("/")) return text;
    return `${/^(ba|da|z|k)?sh$/.test(text) ? "/bin" : "/usr/bin"}/${text}`;
  });
  return tainted(`${paths.join("\n")}\n`, true, taint, origin);
};

const looks = new Set(
  "-J -l --list -p --print -i --info -v --verify -d --dump -C -I -t -T -g -V --version --help -x --show-size --json -A -F".split(
    " ",
  ),
);

/** Partitioning tools write to the disk they are given, unless an option only asks. */
const partitions: Handler = job => {
  const asks = job.inv.flags.some(f => looks.has(f.name)) || job.operands.some(f => f.text === "print");
  for (const f of job.operands) if (!asks && f.text.startsWith("/")) file(job, f, "write");
  return undefined;
};

/** Writes to the devices it is given only with one of these options; without, it looks at them. */
const erasing =
  (...options: readonly [string, string?, string?, string?]): Handler =>
  job => {
    const erases = hasFlag(job, ...options);
    for (const f of job.operands) if (erases) file(job, f, "write");
    return undefined;
  };

/** `ddrescue from to map`. */
const rescued: Handler = job => {
  const [from, to] = job.operands;
  if (from) file(job, from, "read");
  if (to) file(job, to, "write");
  return undefined;
};

/** Overwrites before it deletes: a device loses everything on it. */
const shred: Handler = job => {
  const recursive = hasFlag(job, "-r", "-R", "--recursive");
  for (const f of job.operands) {
    const path = file(job, f, "delete", recursive);
    if (path.startsWith("/dev/")) file(job, f, "write");
  }
  return EMPTY;
};

/** `mount --bind / m`: below `m` lies what lies below the other. */
const mount: Handler = job => {
  const binds = hasFlag(job, "--bind", "--rbind", "-B", "-R") || flagValue(job, "-o")?.text.includes("bind") === true;
  const [from, to] = job.operands;
  const { m } = job;
  // One file in the place of another.
  if (binds && to && /^\/(etc|usr|s?bin|lib)\//.test(to.text)) file(job, to, "write");
  if (binds && from && to) m.links.set(m.place(to.text), m.place(from.text));
  return undefined;
};

/** `systemctl set-environment A=b`, `launchctl setenv A b`: a variable of every program started later. */
const service: Handler = job => {
  const [sub] = job.inv.subcommands;
  // `service ../../bin/sh`: looked up below /etc/init.d.
  if (sub?.includes("/") && job.inv.program === "service" && job.argv[1])
    return wrapped(job, [{ ...job.argv[1], text: sub.replace(/^(\.\.\/)+/, "/") }, ...job.argv.slice(2)]);
  const [name, value] = job.operands;
  if (sub === "setenv" && name && value) setVariable(job.m, job.of, name.text, value);
  if (sub === "set-environment")
    for (const f of job.operands) {
      const eq = f.text.indexOf("=");
      if (eq > 0) setVariable(job.m, job.of, f.text.slice(0, eq), part(f, eq + 1));
    }
  return undefined;
};

const byNames: Row = {
  single: true,
  valued:
    "-s -u -U -g -G -P -t -d -F -o -n --signal --user --euid --uid --group --parent --terminal --older-than --younger-than",
};

/** Schedulers, services, disks. */
export const system: Table = {
  "kill gkill": { single: true, valued: "-s -n --signal", run: signalled },
  ps: { valued: "-o -p -u -U -C -t -g --sort --format --pid --user", run: processes },
  pidof: { valued: "-o", run: processes },
  pgrep: { ...byNames, run: processes },
  "pkill killall": byNames,
  "which type whereis": { valued: "-B -M -S", run: which },
  "shred gshred srm wipe scrub": { valued: "-n -s --iterations --size --random-source", run: shred },
  "systemctl service launchctl rc-service sc initctl": {
    sub: 1,
    valued: "-t -p -H -M --type --property --signal --state",
    run: service,
  },
  crontab: { valued: "-u -s", operands: "read" },
  "mkfs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.jfs mkfs.minix mkfs.nilfs2 mkfs.reiserfs mkfs.bcachefs mkfs.msdos mkswap mke2fs blkdiscard":
    { valued: "-t -L -b -m -N -O -n -i -l --volume-label --length --offset", operands: "write" },
  wipefs: { valued: "-t -o -O --types --offset --output", run: erasing("-a", "--all", "-o", "--offset") },
  badblocks: { valued: "-b -c -d -e -i -o -p -t", run: erasing("-w", "-n") },
  pv: {
    valued: "-o -L -B -N -s -i -w -H -d -E -F --output --rate-limit --buffer-size --name --size",
    operands: "read",
    files: { "-o": "write", "--output": "write" },
  },
  "ddrescue dd_rescue": { valued: "-b -c -i -m -o -s --size", run: rescued },
  "fdisk parted sfdisk cfdisk sgdisk gdisk hdparm": { valued: "-u", run: partitions },
  mount: { valued: "-t -o -L -U", run: mount },
  "lvresize lvextend lvreduce": { valued: "-L -l -n --size --extents --name" },
  "eject umount losetup": { valued: "-t -o -L -U" },
};
