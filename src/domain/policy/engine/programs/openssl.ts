/** openssl: connections, ciphers and encodings. */
import { base64Decode } from "../fold/encodings.ts";
import { DECODED, UNKNOWN } from "../taint.ts";
import { EMPTY, unknown } from "../value.ts";
import { file, inputText } from "./effects.ts";
import { client } from "./network.ts";
import { flagValue, flagValues, type Handler, hasFlag } from "./row.ts";
import type { Table } from "./table.ts";

/** `openssl s_client`, `openssl enc -d`, `openssl base64 -d`. */
const openssl: Handler = job => {
  const [sub] = job.inv.subcommands;
  if (sub === "s_client") return client(job);
  if (hasFlag(job, "-d") && /^(enc|base64|aes|des|rc4|bf|cast|smime|cms)/.test(sub ?? "")) {
    const input = job.io.input?.val;
    const encoded = sub === "base64" || hasFlag(job, "-a", "-base64");
    if (encoded && input?.known && !job.inv.flags.some(f => /^-(aes|des|k|pass)/.test(f.name))) {
      return { text: base64Decode(input.text), known: true, taint: input.taint | DECODED, origin: input.origin };
    }
    return unknown(DECODED | UNKNOWN | (input?.taint ?? 0));
  }
  for (const f of flagValues(job, "-in", "-inkey", "-key")) file(job, f, "read");
  const given = flagValue(job, "-in");
  const held = given ? inputText(job, [given]) : (job.io.input?.val ?? EMPTY);
  const made = unknown(held.taint | UNKNOWN, held.origin);
  const outputs = flagValues(job, "-out", "-keyout");
  for (const f of outputs) job.m.files.set(file(job, f, "write"), made);
  return sub === "enc" && outputs.length === 0 ? made : undefined;
};

export const ciphers: Table = {
  openssl: {
    single: true,
    sub: 1,
    valued:
      "-connect -in -out -k -K -iv -pass -key -inkey -keyout -cert -CAfile -days -subj -servername -engine -passin -passout -config -extensions",
    spawner: true,
    run: openssl,
  },
};
