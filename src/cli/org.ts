import { readAsset } from "../assets.ts";
import { readConfig } from "../config.ts";
import { found } from "../directory/first-run.ts";
import { hashNew } from "../directory/sign-in.ts";
import { parsePlans } from "../domain/org/plans.ts";
import { readYaml } from "../seeds.ts";
import { chosen, flag, readArguments, text } from "./arguments.ts";
import { command } from "./command.ts";
import { type Run, UsageError } from "./io.ts";
import { deleteOrg } from "./org-delete.ts";
import { exportOrg } from "./org-export.ts";
import { newPassword, withDirectory } from "./open-directory.ts";

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
export const run = command(USAGE, ([verb, ...rest], io) =>
  chosen<Run>({ add, list, export: take, delete: remove }, verb, USAGE)(rest, io),
);

const list: Run = async (argv, io) => {
  const { values } = readArguments(argv, { json: flag }, [0, 0], USAGE);
  return withDirectory(io, async ({ organisations }) => {
    for (const { id, name, plan } of organisations.all())
      io.out(values.json ? JSON.stringify({ id, name, plan }) : `${id}  ${plan}  ${name}`);
  });
};

const add: Run = async (argv, io) => {
  const options = { admin: text, plan: text, "password-stdin": flag, json: flag } as const;
  const { values, positionals } = readArguments(argv, options, [1, 1], USAGE);
  const name = positionals[0]!.trim();
  const { admin: email } = values;
  if (!email) throw new UsageError(`--admin names whoever is its first admin.\n${USAGE}`);
  if (name === "" || name.length > NAME_MAX) throw new UsageError(`A name has 1 to ${NAME_MAX} signs.`);
  const plan = readPlan(values.plan ?? readConfig(io.env).plan);
  return withDirectory(
    io,
    async directory => {
      const entry = { email, organisation: name, plan };
      if (directory.accounts.byEmail(email)) {
        const { id } = found(directory, entry).organisation;
        if (values.json) return io.out(JSON.stringify({ id, name, plan, admin: email }));
        io.out(`${id}  ${name}: ${email} is its admin. The password stays as it is.`);
        return;
      }
      const { password, generated } = await newPassword(io, values["password-stdin"] ?? false);
      const password_hash = await hashNew(directory.passwords, password, email, "/password");
      const { id } = found(directory, { ...entry, password_hash }).organisation;
      if (values.json)
        return io.out(JSON.stringify({ id, name, plan, admin: email, ...(generated ? { password } : {}) }));
      io.out(`${id}  ${name}: ${email} is its admin.`);
      if (generated) io.out(`Password (shown once): ${password}`);
    },
    { founds: true },
  );
};

const take: Run = async (argv, io) => {
  const { values, positionals } = readArguments(argv, { json: flag }, [2, 2], USAGE);
  return withDirectory(io, async ({ organisations }) => {
    const org = organisations.get(positionals[0]!);
    const entries = await exportOrg(org, positionals[1]!, io);
    if (values.json) return io.out(JSON.stringify({ id: org.id, name: org.name, entries, folder: positionals[1] }));
    io.out(`${org.name}: ${entries} entries in ${positionals[1]}. Check them: gatehouse verify ${positionals[1]}`);
  });
};

const remove: Run = async (argv, io) => {
  const { values, positionals } = readArguments(argv, { confirm: text, json: flag }, [1, 1], USAGE);
  return withDirectory(io, async directory => {
    const org = directory.organisations.get(positionals[0]!);
    if (values.confirm !== org.name)
      throw new UsageError(`This deletes ${org.name} and its log for good. Repeat its name: --confirm "${org.name}"`);
    const accounts = deleteOrg(directory, org, io);
    if (values.json) return io.out(JSON.stringify({ id: org.id, name: org.name, accounts_deleted: accounts }));
    io.out(`${org.name} (${org.id}) is deleted, and ${accounts} accounts with it.`);
  });
};

function readPlan(id: string): string {
  const plans = parsePlans(readAsset("seeds/plans.yaml"), readYaml);
  if (plans.some(plan => plan.id === id)) return id;
  throw new UsageError(`--plan must be one of ${plans.map(plan => plan.id).join(", ")}.`);
}
