/** Seldom used ways to fetch. */
import { baseName, withoutSlash } from "../paths.ts";
import { filled } from "../run/trees.ts";
import { NETWORK } from "../taint.ts";
import { unknown, word } from "../value.ts";
import { file } from "./effects.ts";
import { hostField, net } from "./network.ts";
import type { Handler } from "./row.ts";
import type { Table } from "./table.ts";

/** `svn export url [path]`, `hg clone url`: what they bring lies in a folder or file of that name. */
const checkout: Handler = job => {
  if (!/^(checkout|co|export|clone)$/.test(job.inv.subcommands[0] ?? "")) return undefined;
  const [url, to] = job.operands;
  if (!url?.text.includes("://")) return undefined;
  const host = hostField(url);
  net(job, "download", host);
  const name = to ?? {
    ...url,
    text: baseName(withoutSlash(url.text)),
  };
  filled(job.m, file(job, name, "write"), unknown(NETWORK, { host: word(host) }));
  return undefined;
};

/** `GET url`, `fetch -o - url`: the page on standard output. */
const page: Handler = job => {
  const url = job.operands.find(f => /\w\.\w|:\/\//.test(f.text));
  if (!url) return undefined;
  net(job, "download", hostField(url));
  return unknown(NETWORK, { host: word(hostField(url)) });
};

export const fetchers: Table = {
  "svn hg bzr fossil": { spawner: true, sub: 1, valued: "-r -u -m --revision --username --password", run: checkout },
  "lwp-request GET fetch": { valued: "-o -m -H -C", run: page },
};
