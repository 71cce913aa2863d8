/** Counts and checksums: nothing of the contents comes out, and a digest written down says what a file holds. */
import { NETWORK, UNKNOWN } from "../taint.ts";
import { unknown } from "../value.ts";
import { inputText } from "./effects.ts";
import { type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

const sums = /^[0-9a-f]{64,128} [ *](.+)$/gim;

/**
 * `echo "<digest>  file" | sha256sum -c`: what the file holds is no longer for its server to say. What that is
 * remains unknown here: whoever wrote the digest down may have meant no good.
 */
function pinned(job: Job): void {
  const { m } = job;
  const listed = inputText(job);
  if ((listed.taint & NETWORK) !== 0) return;
  for (const [, name] of listed.text.matchAll(sums)) {
    const path = m.place(name!);
    const held = m.files.get(path);
    if (held) m.files.set(path, { ...held, taint: (held.taint & ~NETWORK) | UNKNOWN });
  }
}

/** Only a count, a checksum or a listing comes out: nothing of the contents. */
const digest: Handler = job => unknown(0, job.io.input?.val.origin);

export const digests: Table = {
  "wc md5sum sha1sum sha224sum cksum sum md5": { operands: "read", run: digest },
  "sha256sum sha384sum sha512sum b2sum shasum": {
    valued: "-a --algorithm",
    operands: "read",
    run: job => {
      if (hasFlag(job, "-c", "--check")) pinned(job);
      return digest(job);
    },
  },
};
