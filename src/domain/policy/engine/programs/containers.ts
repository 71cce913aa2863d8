import type { Flag } from "../../facts.ts";
import { baseName } from "../paths.ts";
import { file, wrapped } from "./effects.ts";
import { withMounts } from "./mounts.ts";
import { handedOver } from "./passed-on.ts";
import { flagValue, flagValues, type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";
import { UNKNOWN } from "../taint.ts";
import { type Origin, type Field, unknown, type Val } from "../value.ts";

/** Runs the operands after the container, pod or image inside it: another file system, yet the same network and secrets. */
const inside =
  (subs: string, skip: number): Handler =>
  job => {
    const sub = job.inv.subcommands.at(-1);
    if (sub === undefined || !subs.split(" ").includes(sub)) return undefined;
    return run(job, skip);
  };

/** `docker cp file name:/path`: the file is read here and stays there. */
const copied: Handler = job => {
  const [from, to] = job.operands;
  if (job.inv.subcommands[0] === "cp" && from && to?.text.includes(":")) file(job, from, "read");
  return undefined;
};

/** The names of all there are, as `docker ps -aq` prints them. */
const everyOne: Origin = { path: { text: "every container, image, volume or object", known: true } };

const isQuiet = ({ name, value }: Flag): boolean => name === "-q" || name === "--quiet" || value?.text === "q";

/** `docker rm -f $(docker ps -aq)` is `--all`. */
const listed: Handler = job => {
  const sub = job.inv.subcommands.at(-1);
  const lists = sub === "ps" || sub === "ls" || sub === "images";
  // `-aq`: `-a` takes a value in other subcommands.
  if (lists && job.inv.flags.some(isQuiet) && !hasFlag(job, "-f", "--filter")) return unknown(UNKNOWN, everyOne);
  // `-f` takes a file only in other subcommands.
  if ([...job.operands, ...flagValues(job, "-f")].some(f => f.origin === everyOne))
    job.inv.flags.push({ name: "--all" });
  return undefined;
};

/** `kubectl get ns -o name | xargs kubectl delete`, `helm list -q | xargs helm uninstall`: everything there is. */
const everyObject: Handler = job => {
  const [sub] = job.inv.subcommands;
  const named =
    (sub === "get" &&
      /^(name|jsonpath|json$|custom-columns|go-template)/.test(flagValue(job, "-o", "--output")?.text ?? "") &&
      job.operands.length < 2) ||
    (sub === "get" && hasFlag(job, "--no-headers")) ||
    (/^(list|ls)$/.test(sub ?? "") && hasFlag(job, "-q", "--short"));
  if (named && !hasFlag(job, "-l", "--selector", "--field-selector", "-f", "--filter"))
    return unknown(UNKNOWN, everyOne);
  if (/^(delete|del|un|uninstall)$/.test(sub ?? "") && job.operands.some(f => f.origin === everyOne))
    job.inv.flags.push({ name: "--all" });
  return undefined;
};

/** Images that start one program: `docker run hashicorp/terraform destroy`. */
const tools = new Map(
  Object.entries({
    terraform: "terraform",
    opentofu: "tofu",
    "aws-cli": "aws",
    kubectl: "kubectl",
    helm: "helm",
    pulumi: "pulumi",
    flyway: "flyway",
    liquibase: "liquibase",
    rclone: "rclone",
    mc: "mc",
    restic: "restic",
    curl: "curl",
  }),
);

function toolOf(job: Job, skip: number): Field | undefined {
  const image = skip === 1 && job.inv.subcommands.at(-1) === "run" ? job.operands[0] : undefined;
  const name = image && tools.get(baseName(image.text).split(":", 1)[0]!);
  return name === undefined ? undefined : { ...image!, text: name };
}

/** `kubectl apply -f -`, or a file this very command has written: what a pod in it may do to its node. */
const owning = /\b(?:privileged\s*:\s*true|hostPID\s*:\s*true|hostNetwork\s*:\s*true|hostPath\s*:)|\bcluster-admin\b/;

/** `kubectl delete -f -`: an object that takes others or data with it. */
const lost = /\bkind\s*:\s*["']?(Namespace|PersistentVolume(?:Claim)?|CustomResourceDefinition)\b/;

const manifest: Handler = job => {
  const [sub = ""] = job.inv.subcommands;
  if (!/^(apply|create|replace|delete)$/.test(sub)) return undefined;
  for (const f of flagValues(job, "-f", "--filename")) {
    const held = f.text === "-" ? job.io.input?.val : job.m.files.get(job.m.place(f.text));
    const found = held?.known ? (sub === "delete" ? lost : owning).exec(held.text) : null;
    if (found && sub === "delete") job.inv.args.push({ text: found[1]!.toLowerCase(), known: true });
    else if (found) job.inv.flags.push({ name: "--overrides", value: { text: found[0], known: true } });
  }
  return undefined;
};

/** `k3s kubectl …`, `minikube kubectl -- …`. */
export const asKubectl: Handler = job => {
  const at = job.argv.findIndex(f => f.text === "kubectl");
  if (job.inv.subcommands[0] !== "kubectl" || at <= 0) return undefined;
  return wrapped(job, [job.argv[at]!, ...job.argv.slice(job.argv[at + 1]?.text === "--" ? at + 2 : at + 1)]);
};

function run(job: Job, skip: number): Val | undefined {
  const first = job.operands[skip];
  const dashes = job.argv.findIndex(f => f.text === "--");
  const behind = job.argv[job.rest]?.text === "--" ? job.rest + 1 : job.rest;
  const at = behind > 0 ? behind : dashes > 0 ? dashes + 1 : first ? job.argv.indexOf(first) : -1;
  if (at <= 0 || at >= job.argv.length) {
    job.inv.interactive =
      job.io.input === undefined && hasFlag(job, "-it", "-ti", "-i", "--interactive", "-t", "--tty");
    return undefined;
  }
  job.inv.args = job.operands.slice(0, skip);
  const entry = flagValue(job, "--entrypoint") ?? toolOf(job, skip);
  const inner = [...(entry && entry.text !== "" ? [entry] : []), ...job.argv.slice(at)];
  return job.m.subshell(() => withMounts(job, () => wrapped(job, inner, job.io, false)));
}

const dockerValued =
  "-v -e -p -w -u -h -l -m -c -f -H -n --namespace --project-directory --ansi --parallel --volume --env --env-file --publish --workdir --user --hostname --name --network --net --mount --entrypoint --label --memory --cpus --add-host --device --cap-add --cap-drop --security-opt --restart --platform --pull --ulimit --tmpfs --link --log-driver --log-opt --dns --ip --pid --ipc --uts --userns --cgroupns --volumes-from --gpus --shm-size --runtime --context --host --config --log-level --project-name --file --profile --tag --build-arg --target --cache-from --cache-to --output --secret --ssh --progress --filter --format --time --signal --tail --since --until --index -a --attach --annotation --cidfile --expose --health-cmd --init-path --isolation --stop-signal --sysctl --domainname --group-add";

const dockerWithin = { run: 1, exec: 1, create: 1 };

/** Where `-a`, `-f` and `-v` are switches. */
const dockerSubs = {
  rm: "",
  rmi: "--platform",
  down: "-t --timeout --rmi",
  prune: "--filter --keep-storage",
  ps: "-n --last --filter --format",
};

/** A container's mounts are accesses of this machine; its command runs elsewhere. */
export const containers: Table = {
  "docker podman nerdctl buildah finch": {
    sub: 1,
    deep: "compose container image volume network system builder buildx context stack swarm service secret config node plugin manifest machine pod trust",
    valued: dockerValued,
    subs: dockerSubs,
    within: dockerWithin,
    spawner: true,
    session: true,
    run: job => copied(job) ?? listed(job) ?? inside("exec run create", 1)(job) ?? inside("unshare", 0)(job),
  },
  "docker-compose podman-compose": {
    sub: 1,
    valued: dockerValued,
    subs: dockerSubs,
    within: dockerWithin,
    run: job => inside("exec run", 1)(job),
  },
  "kubectl oc k3s microk8s": {
    sub: 1,
    deep: "rollout config auth set top certificate",
    valued:
      "-n -f -l -o -c -s -k -p --namespace --context --cluster --kubeconfig --filename --selector --output --container --server --user --token --as --as-group --image --overrides --type --patch --replicas --timeout --grace-period --field-selector --template --sort-by --env --port --from-literal --from-file --tail --since --kustomize --cache-dir --request-timeout --certificate-authority --client-certificate --client-key",
    spawner: true,
    run: job =>
      asKubectl(job) ?? copied(job) ?? manifest(job) ?? everyObject(job) ?? inside("exec debug run rsh", 1)(job),
  },
  "helm helmfile": {
    sub: 1,
    deep: "repo plugin dependency get show",
    valued:
      "-n -f -e -l --environment --selector --namespace --values --set --set-string --kube-context --kubeconfig --version --repo --timeout --post-renderer -o --output",
    runs: { "--post-renderer": "exec" },
    run: everyObject,
  },
  "lxc incus": {
    sub: 1,
    deep: "config image network storage profile volume bucket device file",
    valued: "-c --config --alias --type --project",
    run: job => {
      if (job.inv.subcommands[0] === "file" && job.inv.subcommands[1] === "push" && job.operands[0])
        file(job, job.operands[0], "read");
      return inside("exec", 1)(job);
    },
  },
  "nsenter unshare": {
    valued: "-t -S -G --target --setuid --setgid --root --wd --map-user --map-group --propagation",
    wraps: 0,
  },
  "systemd-nspawn": {
    valued: "-D -M -u -b --directory --machine --user --bind --ro-bind --dev --proc --chdir --setenv --tmpfs --profile",
    wraps: 0,
  },
  chroot: {
    valued: "-D -M -u --userspec --groups --directory --machine --user --bind --ro-bind --dev --proc --chdir --setenv",
    wraps: 1,
  },
  crictl: {
    sub: 1,
    valued: "-r -i -c -t --runtime-endpoint --image-endpoint --config --timeout",
    run: job => inside("exec", 1)(job),
  },
  ctr: {
    sub: 1,
    deep: "container containers task tasks image images snapshot snapshots content namespace namespaces c t i",
    valued: "-n -a --namespace --address --mount --exec-id",
    run: job => inside("run exec", 2)(job),
  },
  "vagrant multipass limactl colima wsl wsl.exe distrobox toolbox lima": {
    sub: 1,
    valued: "-c -d -u --command",
    runs: { "-c": "shell", "--command": "shell" },
    run: handedOver,
  },
};
