import { readAsset } from "../assets.ts";
import { readConfig } from "../config.ts";
import { found } from "../directory/first-run.ts";
import { hashNew } from "../directory/sign-in.ts";
import { parsePlans } from "../domain/org/plans.ts";
import { readYaml } from "../seeds.ts";
import { type Run, UsageError } from "./io.ts";
import { deleteOrg } from "./org-delete.ts";
import { exportOrg } from "./org-export.ts";
import { newPassword, readArguments, withDirectory } from "./open-directory.ts";

const USAGE = `Usage:
  gatehouse org add <name> --admin <email> [--plan <id>] [--password-stdin] [--json]
  gatehouse org list [--json]
  gatehouse org export <id> <folder> [--json]
  gatehouse org delete <id> --confirm <name> [--json]
The data directory is GATEHOUSE_DATA. All but delete work while the server runs. An export holds every event of the organisation,
its policy and its members, and proves itself: gatehouse verify <folder>. Deleting is for good: its log, its agents, its members'
access, and the accounts that belong to no other organisation. Export it first.`;

const NAME_MAX = 100;

/** `gatehouse org`: organisations for those who have the machine. */
export const run: Run = async ([verb, ...rest], io) => {
  if (verb === "add") return add(rest, io);
  if (verb === "list") return list(rest, io);
  if (verb === "export") return take(rest, io);
  if (verb === "delete") return remove(rest, io);
  const help = verb === "--help" || verb === "-h" || verb === "help";
  (help ? io.out : io.err)(USAGE);
  return help ? 0 : 2;
};

const list: Run = (argv, io) =>
  withDirectory(io, async ({ organisations }) => {
    const { values } = readArguments(argv, { json: { type: "boolean" } }, 0, USAGE);
    for (const { id, name, plan } of organisations.all())
      io.out(values.json ? JSON.stringify({ id, name, plan }) : `${id}  ${plan}  ${name}`);
  });

const add: Run = (argv, io) =>
  withDirectory(io, async directory => {
    const options = {
      admin: { type: "string" },
      plan: { type: "string" },
      "password-stdin": { type: "boolean" },
      json: { type: "boolean" },
    } as const;
    const { values, positionals } = readArguments(argv, options, 1, USAGE);
    const name = positionals[0]!.trim();
    if (!values.admin || name === "" || name.length > NAME_MAX) throw new UsageError(USAGE);
    const plan = readPlan(values.plan ?? readConfig(io.env).plan);
    const entry = { email: values.admin, organisation: name, plan };
    if (directory.accounts.byEmail(values.admin)) {
      const { id } = found(directory, entry).organisation;
      if (values.json) return io.out(JSON.stringify({ id, name, plan, admin: values.admin }));
      io.out(`${id}  ${name}: ${values.admin} is its admin. The password stays as it is.`);
      return;
    }
    const { password, generated } = await newPassword(io, values["password-stdin"] ?? false);
    const password_hash = await hashNew(directory.passwords, password, values.admin, "/password");
    const { id } = found(directory, { ...entry, password_hash }).organisation;
    if (values.json)
      return io.out(JSON.stringify({ id, name, plan, admin: values.admin, ...(generated ? { password } : {}) }));
    io.out(`${id}  ${name}: ${values.admin} is its admin.`);
    if (generated) io.out(`Password (shown once): ${password}`);
  });

const take: Run = (argv, io) =>
  withDirectory(io, async ({ organisations }) => {
    const { values, positionals } = readArguments(argv, { json: { type: "boolean" } }, 2, USAGE);
    const org = organisations.get(positionals[0]!);
    const entries = await exportOrg(org, positionals[1]!, io);
    if (values.json) return io.out(JSON.stringify({ id: org.id, name: org.name, entries, folder: positionals[1] }));
    io.out(`${org.name}: ${entries} entries in ${positionals[1]}. Check them: gatehouse verify ${positionals[1]}`);
  });

const remove: Run = (argv, io) =>
  withDirectory(io, async directory => {
    const { values, positionals } = readArguments(
      argv,
      { confirm: { type: "string" }, json: { type: "boolean" } },
      1,
      USAGE,
    );
    const org = directory.organisations.get(positionals[0]!);
    if (values.confirm !== org.name)
      throw new UsageError(`This deletes ${org.name} and its log for good. Repeat its name: --confirm "${org.name}"`);
    const accounts = deleteOrg(directory, org, io);
    if (values.json) return io.out(JSON.stringify({ id: org.id, name: org.name, accounts_deleted: accounts }));
    io.out(`${org.name} (${org.id}) is deleted, and ${accounts} accounts with it.`);
  });

function readPlan(id: string): string {
  const plans = parsePlans(readAsset("seeds/plans.yaml"), readYaml);
  if (plans.some(plan => plan.id === id)) return id;
  throw new UsageError(`--plan must be one of ${plans.map(plan => plan.id).join(", ")}.`);
}
