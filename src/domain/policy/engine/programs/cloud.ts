import type { Table } from "./table.ts";
import { hostOf, isLocal } from "../hosts.ts";
import { NETWORK } from "../taint.ts";
import { type Field, field, literal, unknown, word } from "../value.ts";
import { asKubectl } from "./containers.ts";
import { fileCode } from "./databases.ts";
import { file, language, readFile, send, sendFile, wrapped } from "./effects.ts";
import { handedOver, passedOn } from "./passed-on.ts";
import { net } from "./network.ts";
import { flagValue, flagValues, hasFlag, type Handler } from "./row.ts";

/** A bucket, or a remote of rclone: `s3://name`, `backup:folder`. */
const bucket =
  /^(?:(?:s3|gs|az|abfs|b2|r2|oss|cos):\/\/[^/]+|[\w-]{2,}:(?!\/\/)|https:\/\/[\w.-]+\.blob\.core\.windows\.net)/;

const transfers = /^(cp|mv|sync|rsync|put|upload|copy|copyto|move)$/;

/** `aws s3 cp file s3://bucket`: an upload when the last operand is a bucket, a download when the first is. */
const storage: Handler = job => {
  if (job.inv.subcommands.at(-1) === "cat") return unknown(NETWORK);
  if (/^(ssm|ecs)$/.test(job.inv.subcommands[0] ?? "")) return passedOn(job);
  const at = job.inv.subcommands.findIndex(word => transfers.test(word));
  if (at < 0) return undefined;
  const behind = job.inv.subcommands.slice(at + 1).flatMap(text => job.argv.find(f => f.text === text) ?? []);
  const [from, to] = [behind[0] ?? job.operands[0], job.operands.at(-1)];
  if (!from || !to || from === to) return undefined;
  const target = bucket.exec(to.text);
  const source = bucket.exec(from.text);
  if (target) {
    const host: Field = { ...to, text: target[0] };
    net(job, "upload", host);
    const what = from.text === "-" ? job.io.input?.val : readFile(job, from, hasFlag(job, "--recursive", "-r"));
    if (what) send(job, what, host);
  } else if (source) {
    net(job, "download", { ...from, text: source[0] });
    const data = unknown(NETWORK, { host: word({ ...from, text: source[0] }) });
    if (to.text === "-") return data;
    job.m.files.set(file(job, to, "write"), data);
  }
  return undefined;
};

/** `mc cp file alias/bucket`, `b2 upload-file bucket file name`: files of this machine are read and leave. */
const given: Handler = job => {
  if (!/^(cp|put|mv|sync|mirror|pipe|upload-file|upload|file)$/.test(job.inv.subcommands[0] ?? "")) return undefined;
  const host = field(literal(job.inv.program), job.inv.span!);
  for (const f of job.operands) sendFile(job, f, host);
  if (job.io.input) send(job, job.io.input.val, host);
  return undefined;
};

/** `az storage blob upload -f file`. */
const blob: Handler = job => {
  const named = /^upload/.test(job.inv.subcommands[2] ?? "")
    ? flagValue(job, "-f", "--file", "-s", "--source")
    : undefined;
  if (!named) return undefined;
  const host = { ...named, text: "blob.core.windows.net" };
  net(job, "upload", host);
  send(job, readFile(job, named), host);
  return undefined;
};

/** `heroku run rails db:drop -a app`: the words behind `run` are a command on the other machine. */
const dyno: Handler = job => {
  const [sub = ""] = job.inv.subcommands;
  const first = /^run(:detached)?$/.test(sub) ? job.operands[0] : undefined;
  if (!first) return handedOver(job);
  return /\s/.test(first.text)
    ? language(job, "shell", first, sub)
    : job.m.subshell(() => wrapped(job, job.argv.slice(job.argv.indexOf(first))));
};

const awsValued =
  "--profile --region --output --query --endpoint-url --filters --instance-ids --bucket --key --stack-name --cluster --name --db-instance-identifier --exclude --include --function-name --user-name --role-name --policy-arn --group-name --table-name --secret-id --ca-bundle --color --cli-read-timeout --sql --query-string";

export const cloud: Table = {
  "aws awslocal": {
    sub: 2,
    valued: awsValued,
    spawner: true,
    runs: { "--sql": "sql", "--query-string": "sql" },
    run: job => {
      // Of an emulator on this machine nothing is lost: to rules it is another program.
      const endpoints = flagValues(job, "--endpoint-url");
      if (endpoints.length > 0 && endpoints.every(f => f.known && isLocal(hostOf(f.text))))
        job.inv.program = "awslocal";
      return storage(job);
    },
  },
  gcloud: {
    sub: 3,
    valued:
      "--project --zone --region --format --account --configuration --filter --cluster --billing-project --impersonate-service-account --command --sql",
    deep: "alpha beta",
    runs: { "--command": "shell", "--sql": "sql" },
    run: job => (job.inv.subcommands[0] === "storage" ? storage(job) : handedOver(job)),
  },
  rclone: { sub: 1, valued: "--config --include --exclude --filter --transfers --rc-addr", run: storage },
  "mc s3cmd s4cmd b2": { sub: 1, valued: "-c --config --region --host", run: given },
  gsutil: { sub: 1, valued: "-o -h -u", run: storage },
  az: {
    sub: 2,
    valued:
      "-n -g -o -s -f -c -d -m --method --url --uri --body --file --container-name --name --resource-group --output --subscription --query --account-name",
    deep: "vm group network keyvault storage",
    run: job => (job.inv.subcommands[1] === "blob" ? blob(job) : handedOver(job)),
  },
  "terraform tofu terragrunt": { sub: 1, single: true, deep: "state workspace providers", valued: "" },
  pulumi: { sub: 1, deep: "stack config state", valued: "-s -C --stack --cwd -m --message" },
  "cdk cdktf sst serverless sls": { sub: 1, valued: "-a --app --profile -o --output --stage" },
  railway: { sub: 1, valued: "-e -s -p --environment --service --project", run: dyno },
  "flyctl fly vercel netlify render doctl linode-cli hcloud scw": {
    sub: 1,
    deep: "apps pg secrets kv r2 d1 compute droplet volumes machine postgres",
    valued: "-a --app -t --token -c --config -e --env",
    run: handedOver,
  },
  heroku: {
    sub: 1,
    valued: "-a -r -s -c --app --remote --size --confirm --command",
    runs: { "--command": "sql", "-c": "sql" },
    run: dyno,
  },
  wrangler: {
    sub: 1,
    deep: "kv r2 d1 secret pages queues namespace bucket key object",
    valued: "-c -e --config --env --name --command --file --namespace-id --binding --key",
    run: job => {
      // The copy of the database that lies in the project.
      if (hasFlag(job, "--local")) return undefined;
      for (const f of flagValues(job, "--command")) language(job, "sql", f, "--command");
      fileCode(job);
      return handedOver(job);
    },
  },
  adb: { sub: 1, valued: "-s -t -H -P -L", run: handedOver },
  "eksctl kops kind minikube k3d": {
    sub: 1,
    run: asKubectl,
    deep: "cluster nodegroup",
    valued: "-n --name -p --profile --region --state",
  },
  "vault consul nomad": {
    sub: 1,
    single: true,
    deep: "kv auth secrets policy token operator job metadata",
    valued: "-address -namespace -mount -field -format",
    run: handedOver,
  },
  ansible: {
    valued: "-i -m -a -u -e -l -f --module-name --args --inventory",
    runs: { "-a": "shell", "--args": "shell" },
  },
  "ansible-playbook": {
    valued: "-i -u -e -l -t -f --inventory --extra-vars --limit --tags --vault-password-file",
    operands: "execute",
  },
};
