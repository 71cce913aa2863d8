import { file, outputOf } from "./effects.ts";
import { contents } from "../run/redirect.ts";
import { filled } from "../run/trees.ts";
import { type Handler, hasFlag, type Job, flagValue } from "./row.ts";
import { EMPTY, type Field, merged, tainted, unknown } from "../value.ts";
import type { Table } from "./table.ts";

/** What an archive brings lies in `to`, or in the working directory. */
function unpacked(job: Job, archive: Field | undefined, to: Field | undefined): void {
  const { m } = job;
  const from =
    archive && archive.text !== "-" ? contents(m, m.places.of(archive.text, m.state.cwd), archive) : job.io.input?.val;
  if (from) filled(m, to ? m.places.of(to.text, m.state.cwd) : (m.state.cwd ?? m.places.start), from);
}

/** `tar czf a.tgz dir`, `tar -xf a.tgz -C dir`: the first operand may hold the options without a dash. */
const tar: Handler = job => {
  const first = job.operands[0];
  const bundled = first && job.argv[1] === first && /^[A-Za-z]+$/.test(first.text) ? first.text : undefined;
  const letters =
    bundled ??
    job.inv.flags
      .filter(f => f.name.length === 2)
      .map(f => f.name[1])
      .join("");
  const rest = bundled === undefined ? job.operands : job.operands.slice(1);
  const archive = flagValue(job, "-f", "--file") ?? (bundled?.includes("f") ? rest.shift() : undefined);
  const creates = /[cru]/.test(letters) || hasFlag(job, "--create", "--append", "--update");
  if (archive && archive.text !== "-") file(job, archive, creates ? "write" : "read");
  const inside = creates ? "read" : "write";
  const to = flagValue(job, "-C", "--directory");
  if (!creates && to) file(job, to, "write", true);
  if (!creates) unpacked(job, archive, to);
  if (creates) for (const f of rest) file(job, f, inside, true);
  const read = outputOf(job, rest);
  if (creates && archive && archive.text !== "-") job.m.files.set(job.m.places.of(archive.text, job.m.state.cwd), read);
  return creates ? read : undefined;
};

/** `kill -1 4711` sends the first signal, `HUP`; `kill -9 -1` means every process. */
const signalled: Handler = job => {
  const first = job.argv[1];
  if (first?.text !== "-1" || job.argv.length < 3) return EMPTY;
  const at = job.inv.flags.findIndex(f => f.name === "-1");
  if (at >= 0) job.inv.flags[at] = { ...job.inv.flags[at]!, name: "-HUP" };
  return EMPTY;
};

/** `which sh python3`: a path each, as on most machines. */
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
  "-l --list -p --print -i --info -v --verify -d --dump -C -I -t -T -g -V --version --help -x --show-size --json -A -F".split(
    " ",
  ),
);

/** Partitioning tools write to the disk they are given, unless an option only asks. */
const partitions: Handler = job => {
  const asks = job.inv.flags.some(f => looks.has(f.name)) || job.operands.some(f => f.text === "print");
  for (const f of job.operands) if (!asks && f.text.startsWith("/")) file(job, f, "write");
  return undefined;
};

/** Overwrites before it deletes: a device loses everything on it. */
const shred: Handler = job => {
  for (const f of job.operands) {
    const path = file(job, f, "delete");
    if (path.startsWith("/dev/")) file(job, f, "write");
  }
  return EMPTY;
};

/** Archivers, schedulers, services, disks. */
export const system: Table = {
  "kill gkill": { single: true, valued: "-s -n --signal", run: signalled },
  "pkill killall pgrep": {
    single: true,
    valued:
      "-s -u -U -g -G -P -t -d -F -o -n --signal --user --euid --uid --group --parent --terminal --older-than --younger-than",
  },
  which: { valued: "", run: which },
  "shred srm wipe scrub": { valued: "-n -s --iterations --size --random-source", run: shred },
  "tar gtar bsdtar": {
    valued:
      "-f -C -I -F -T -X -b -g -H -K -L -N -V --file --directory --use-compress-program --info-script --new-volume-script --checkpoint-action --to-command --rsh-command --rmt-command --exclude --files-from --transform --strip-components --owner --group --mode",
    runs: {
      "-I": "exec",
      "--use-compress-program": "exec",
      "--checkpoint-action": "checkpoint",
      "--to-command": "shell",
      "--rsh-command": "exec",
      "--rmt-command": "exec",
      "-F": "exec",
      "--info-script": "exec",
      "--new-volume-script": "exec",
    },
    run: tar,
  },
  "zip unzip 7z 7za 7zr rar unrar cpio ar ranlib": {
    valued: "-d -P -x -i -b -TT --unzip-command --rsh-command -F -O -I",
    runs: { "-TT": "exec", "--unzip-command": "exec", "--rsh-command": "exec" },
    run: job => {
      const [archive] = /^7z|rar$/.test(job.inv.program) ? job.operands.slice(1) : job.operands;
      if (/^(unzip|unrar|7z|cpio)/.test(job.inv.program)) unpacked(job, archive, flagValue(job, "-d"));
      if (!/^(zip|7z|7za|rar)$/.test(job.inv.program) || !archive) return undefined;
      const packed = outputOf(job, job.operands.slice(job.operands.indexOf(archive) + 1));
      if (archive.text === "-") return packed;
      job.m.files.set(job.m.places.of(archive.text, job.m.state.cwd), packed);
      return undefined;
    },
  },
  "systemctl service launchctl rc-service sc initctl": {
    sub: 1,
    valued: "-t -p -H -M --type --property --signal --state",
  },
  crontab: { valued: "-u -s", operands: "read" },
  "mkfs mkfs.ext4 mkfs.ext3 mkfs.ext2 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkswap mke2fs wipefs blkdiscard badblocks":
    { valued: "-t -L -b -m -N -O", operands: "write" },
  "fdisk parted sfdisk cfdisk sgdisk gdisk hdparm": { valued: "-u", run: partitions },
  "eject mount umount losetup": { valued: "-t -o -L -U --bind" },
};
