/** Databases that are spoken to over HTTP: ClickHouse, InfluxDB, Elasticsearch, rqlite. */
import { runCode } from "../unwrap/text.ts";
import type { Field, Val } from "../value.ts";
import type { Job } from "./row.ts";

/** A body that begins as a statement does, alone or as `q=…`: `curl ch:8123 -d 'DROP TABLE t'`. */
const body = /^(?:[\w-]{1,20}=|\[\s*")?\s*(?:drop|truncate|delete\s+from|alter\s+table|update\s+\w+\s+set)\b/i;
const query = /[?&](?:q|query|sql|statement)=((?:drop|truncate|delete|alter|update)(?:\+|%20|\s)[^&]*)/i;

/** What a request has a database do. */
export function statements(job: Job, sent: readonly Val[], urls: readonly Field[]): void {
  for (const what of sent)
    if (what.known && body.test(what.text)) runCode(job.m, "sql", what, `${job.inv.program} -d`, job.io);
  for (const url of urls) {
    const text = query.exec(url.text)?.[1];
    if (text !== undefined)
      runCode(job.m, "sql", { ...url, text: text.replace(/\+|%20/g, " ") }, `${job.inv.program} ?query=`, job.io);
  }
}
