/** Programs that hand a whole folder to whoever asks over the network. */
import { isSecret } from "../paths.ts";
import { SECRET } from "../taint.ts";
import { EMPTY, type Field, field, literal } from "../value.ts";
import { file } from "./effects.ts";
import { flagValue, type Handler, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Folders in which credentials lie, whatever else is there. */
const holdsSecrets = (path: string): boolean =>
  isSecret(path) || /^(\/|~|\/etc|\/home|\/Users|\/run|\/var\/run)$/.test(path);

/** Serves `folder`, or the working directory. */
export function serve(job: Job, folder: Field | undefined): undefined {
  const { m } = job;
  const here = folder ?? field(literal(m.here), job.inv.span!);
  const path = m.place(here.text);
  if (!holdsSecrets(path)) return undefined;
  file(job, here, "read", true);
  const origin = { path: { text: path, known: here.known } };
  m.flow(job.of, { ...EMPTY, taint: SECRET, origin }, "network", { text: "0.0.0.0", known: true });
  return undefined;
}

const served: Handler = job => serve(job, flagValue(job, "-h", "-d", "--dir", "--root", "-r") ?? job.operands[0]);

export const fileServers: Table = {
  "http-server serve live-server webfsd darkhttpd miniserve simple-http-server updog httpd thttpd static-web-server": {
    valued: "-p -l -h -d -a -c -r -m --port --listen --dir --root --bind",
    run: served,
  },
};
