import { readAsset } from "../assets.ts";
import { readConfig } from "../config.ts";
import { found } from "../directory/first-run.ts";
import { hashNew } from "../directory/sign-in.ts";
import { parsePlans } from "../domain/org/plans.ts";
import { type Run, UsageError } from "./io.ts";
import { newPassword, readArguments, withDirectory } from "./open-directory.ts";

const USAGE = `Usage:
  gatehouse org add <name> --admin <email> [--plan <id>] [--password-stdin]
  gatehouse org list
The data directory is GATEHOUSE_DATA. Both work while the server runs.`;

const NAME_MAX = 100;

/** `gatehouse org`: organisations for those who have the machine. */
export const run: Run = async ([verb, ...rest], io) => {
  if (verb === "add") return add(rest, io);
  if (verb === "list")
    return withDirectory(io, async ({ organisations }) => {
      for (const { id, name, plan } of organisations.all()) io.out(`${id}  ${plan}  ${name}`);
    });
  const help = verb === "--help" || verb === "help";
  (help ? io.out : io.err)(USAGE);
  return help ? 0 : 2;
};

const add: Run = (argv, io) =>
  withDirectory(io, async directory => {
    const options = {
      admin: { type: "string" },
      plan: { type: "string" },
      "password-stdin": { type: "boolean" },
    } as const;
    const { values, positionals } = readArguments(argv, options, 1, USAGE);
    const name = positionals[0]!.trim();
    if (!values.admin || name === "" || name.length > NAME_MAX) throw new UsageError(USAGE);
    const plan = readPlan(values.plan ?? readConfig(io.env).plan);
    const entry = { email: values.admin, organisation: name, plan };
    if (directory.accounts.byEmail(values.admin)) {
      io.out(
        `${found(directory, entry).organisation.id}  ${name}: ${values.admin} is its admin. The password stays as it is.`,
      );
      return;
    }
    const { password, generated } = await newPassword(io, values["password-stdin"] ?? false);
    const password_hash = await hashNew(directory.passwords, password, values.admin, "/password");
    io.out(`${found(directory, { ...entry, password_hash }).organisation.id}  ${name}: ${values.admin} is its admin.`);
    if (generated) io.out(`Password (shown once): ${password}`);
  });

function readPlan(id: string): string {
  const plans = parsePlans(readAsset("seeds/plans.yaml"));
  if (plans.some(plan => plan.id === id)) return id;
  throw new UsageError(`--plan must be one of ${plans.map(plan => plan.id).join(", ")}.`);
}
