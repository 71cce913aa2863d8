/** A file system of its own in a file, mounted through a loop device: it can be cut off as by a power failure, or fill up. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dlopen, ptr } from "bun:ffi";
import { isRoot, mounted } from "./storm.ts";

export interface LoopDisk {
  /** Where it is mounted. */
  folder: string;
  mount(): void;
  unmount(): void;
  /** From now on nothing reaches the device, as when the power goes: what was not synced is lost. */
  cut(): void;
  remove(): void;
}

const PROGRAMS = ["mkfs.ext4", "mount", "umount"];

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
}

/** Why there can be none here; undefined where there can. */
export function loopMissing(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux";
  if (!isRoot()) return "mounting a file system needs root";
  const absent = PROGRAMS.filter(program => spawnSync("which", [program]).status !== 0);
  if (absent.length > 0) return `${absent.join(", ")} not installed`;
  try {
    makeLoopDisk(16).remove();
    return undefined;
  } catch (error) {
    return `no loop device can be mounted (${(error as Error).message.trim().split("\n")[0]})`;
  }
}

export function makeLoopDisk(megabytes: number): LoopDisk {
  const home = mkdtempSync(join(tmpdir(), "gatehouse-disk-"));
  const [image, folder] = [join(home, "image"), join(home, "mounted")];
  const unmount = () => {
    if (mounted(folder)) run("umount", folder);
  };
  const disk = {
    folder,
    mount: () => run("mount", "-o", "loop", image, folder),
    unmount,
    cut: () => shutdown(folder),
    remove() {
      unmount();
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    writeFileSync(image, "");
    truncateSync(image, megabytes * 1024 * 1024);
    run("mkfs.ext4", "-q", "-F", image);
    mkdirSync(folder);
    disk.mount();
    return disk;
  } catch (error) {
    disk.remove();
    throw error;
  }
}

/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: not even the journal is written (linux/fs/ext4/ext4.h). */
const EXT4_IOC_SHUTDOWN = 0x8004587d;
const NO_LOG_FLUSH = 2;

function shutdown(folder: string): void {
  const { symbols, close } = dlopen("libc.so.6", { ioctl: { args: ["i32", "u64", "ptr"], returns: "i32" } });
  const handle = openSync(folder, "r");
  const failed = symbols.ioctl(handle, EXT4_IOC_SHUTDOWN, ptr(new Uint32Array([NO_LOG_FLUSH]))) !== 0;
  closeSync(handle);
  close();
  if (failed) throw new Error("the file system could not be cut off");
}
