/** Programs that join a socket and another program, or a file. */
import { hostOf } from "../hosts.ts";
import { contents } from "../run/redirect.ts";
import { NETWORK, UNKNOWN } from "../taint.ts";
import { runCode } from "../unwrap/text.ts";
import { EMPTY, type Field, field, literal, unknown, type Val, word } from "../value.ts";
import { file, language, send } from "./effects.ts";
import { hostField, net } from "./network.ts";
import { flagValue, type Handler, hasFlag } from "./row.ts";
import type { Table } from "./table.ts";

/** `nc host port`, `nc -l port`, `-e program`. */
const nc: Handler = job => {
  const { m, operands, io } = job;
  const listens = hasFlag(job, "-l", "--listen");
  const host = listens ? field(literal("0.0.0.0"), job.inv.span!) : operands[0];
  if (hasFlag(job, "-z", "--zero")) return EMPTY;
  if (host) net(job, listens ? "listen" : "connect", hostField(host));
  const program = flagValue(job, "-e", "--exec", "-c", "--sh-exec", "--lua-exec");
  const at = host ? word(hostField(host)) : { text: "", known: false };
  if (program) {
    m.wired(job.of, at);
    return language(job, "shell", program, "-e");
  }
  if (io.input && host) send(job, io.input.val, hostField(host));
  // Redis and memcached take their commands as plain text.
  if (io.input?.val.known && /^(6379|11211)$/.test(operands[1]?.text ?? ""))
    runCode(m, "sql", io.input.val, `${job.inv.program} <`, io);
  return unknown(NETWORK, { host: at });
};

/** socat addresses: `EXEC:/bin/sh,pty`, `TCP:host:port`, `FILE:/etc/shadow`. */
const socat: Handler = job => {
  const { m } = job;
  let host: Field | undefined;
  let runs: Field | undefined;
  let given: Val | undefined = job.io.input?.val;
  for (const f of job.operands) {
    const address = /^([a-z0-9-]+):(.*)$/i.exec(f.text);
    const type = (address?.[1] ?? f.text).toLowerCase();
    const rest = address?.[2] ?? "";
    if (/^(tcp|udp|ssl|openssl|sctp|socks|proxy|vsock)/.test(type)) {
      const listens = /listen|-l$|recv/.test(type);
      host = { ...f, text: listens ? "0.0.0.0" : hostOf(rest.split(":")[0] ?? "") };
      net(job, listens ? "listen" : "connect", host);
    } else if (/^(exec|system|shell)$/.test(type)) runs = { ...f, text: type === "exec" ? rest.split(",")[0]! : rest };
    else if (/^(file|open|create|gopen)/.test(type)) {
      const named = { ...f, text: rest.split(",")[0]! };
      const path = file(job, named, type === "create" ? "write" : "read");
      if (type !== "create") given = contents(m, path, named);
    }
  }
  if (runs && host) m.wired(job.of, word(host));
  if (runs) language(job, "shell", runs, "exec:");
  if (host && given) send(job, given, host);
  return unknown(host ? NETWORK : UNKNOWN, host && { host: word(host) });
};

export const sockets: Table = {
  "nc ncat netcat nc.traditional nc.openbsd": {
    valued:
      "-e -c -p -s -w -i -g -G -q -x -X -T -I -O -P -m --exec --sh-exec --lua-exec --source --source-port --proxy",
    spawner: true,
    run: nc,
  },
  socat: { valued: "-b -t -T -lf -l", spawner: true, run: socat },
};
