/** Clients of code forges: what they post anybody may read who sees the project. */
import { NETWORK } from "../taint.ts";
import { type Field, field, literal, unknown } from "../value.ts";
import { isStandardInput, send, sendFile } from "./effects.ts";
import { handedOver } from "./passed-on.ts";
import { flagValues, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** The file's contents, or what is read where the name says so, go to the forge. */
function post(job: Job, named: Field, host: Field): void {
  if (!isStandardInput(named.text)) sendFile(job, named, host);
  else if (job.io.input) send(job, job.io.input.val, host);
}

/** `gh gist create file`, `gh issue create -F file -b text`, `gh release upload tag file`, `gh api -F x=@file`. */
function posted(job: Job): void {
  const [sub, verb] = job.inv.subcommands;
  const host = field(literal(job.inv.program === "glab" ? "gitlab.com" : "github.com"), job.inv.span!);
  for (const f of flagValues(job, "-b", "--body", "-d", "--description", "-m", "--message")) send(job, f, host);
  const fields = [
    ...flagValues(job, "-F", "--body-file", "--notes-file", "--input"),
    ...flagValues(job, "-f", "--field", "--raw-field"),
  ];
  for (const f of fields) {
    const at = f.text.indexOf("=@");
    if (sub === "api" && at < 0) send(job, f, host);
    else post(job, at < 0 ? f : { ...f, text: f.text.slice(at + 2) }, host);
  }
  const does = `${sub} ${verb}`;
  if (/^gist (create|edit)$/.test(does)) {
    for (const f of job.operands) post(job, f, host);
    if (job.operands.length === 0 && job.io.input) send(job, job.io.input.val, host);
  }
  // Signatures and certificates go along with what is released.
  if (/^release (create|upload)$/.test(does))
    for (const f of job.operands.slice(1)) if (!f.text.endsWith(".pem")) post(job, f, host);
}

export const forges: Table = {
  "gh hub glab tea": {
    sub: 2,
    valued:
      "-R -b -t -F -f -H -X -q -B -m -l -a -r -d -n --repo --body --body-file --notes --notes-file --title --field --raw-field --header --method --jq --template --input --base --head --label --assignee --hostname --description --desc --message",
    run: job => {
      const [sub = ""] = job.inv.subcommands;
      if (/^(codespace|cs)$/.test(sub)) return handedOver(job);
      posted(job);
      return /^(gist|api)$/.test(sub) ? unknown(NETWORK) : undefined;
    },
  },
};
