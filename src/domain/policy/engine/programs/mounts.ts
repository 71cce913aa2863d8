/**
 * Folders of a container that lie elsewhere: `-v data:/d`, `--mount type=bind,src=.,dst=/src`. Inside they are followed
 * like links, so that what is deleted there is deleted where it really lies.
 */
import { hole } from "../../facts.ts";
import { flagValue, flagValues, type Job } from "./row.ts";

/** Where Docker keeps a named volume. */
const volume = (name: string): string => `/var/lib/docker/volumes/${name}/_data`;

const isPath = /^[./~$]/;
/** Folders that are made anew by what runs there. */
const rebuilt = /\/(?:node_modules|\.?venv|\.?cache|vendor|target|dist|build|tmp)(?:\/|$)/;

/** `type=volume,source=data,target=/d` as `data:/d`. */
function longForm(text: string): [from: string, to: string] {
  let from = "";
  let to = "";
  for (const part of text.split(",")) {
    const [key, value = ""] = part.split("=", 2) as [string, string?];
    if (key === "source" || key === "src") from = value;
    else if (key === "target" || key === "dst" || key === "destination") to = value;
  }
  return [from, to];
}

/** What is mounted and where; nothing for what could not be resolved. */
function mountsOf(job: Job): Map<string, string> {
  const { m } = job;
  const out = new Map<string, string>();
  const pairs = [
    ...flagValues(job, "-v", "--volume").map(f => f.text.split(":", 2) as [string, string?]),
    ...flagValues(job, "--mount").map(f => longForm(f.text)),
  ];
  for (const [from, to] of pairs) {
    if (from === "" || !to?.startsWith("/") || to === "/" || from.includes(hole)) continue;
    const named = !isPath.test(from);
    if (named && rebuilt.test(to)) continue;
    const source = named ? volume(from) : m.place(from);
    if (source !== to) out.set(m.places.of(to, undefined), source);
  }
  return out;
}

/** Runs `body` where the folders of the container lead to what is mounted there. */
export function withMounts<T>(job: Job, body: () => T): T {
  const mounts = mountsOf(job);
  if (mounts.size === 0) return body();
  const { m } = job;
  const before = new Map(m.links);
  const outer = m.mounts;
  m.mounts = new Set(mounts.keys());
  for (const [to, from] of mounts) m.links.set(to, from);
  const folder = flagValue(job, "-w", "--workdir");
  if (folder?.known) m.state.cwd = m.followed(m.places.of(folder.text, undefined), true);
  try {
    return body();
  } finally {
    m.mounts = outer;
    m.links.clear();
    for (const [link, target] of before) m.links.set(link, target);
  }
}
