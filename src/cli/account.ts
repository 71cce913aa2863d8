import type { Account } from "../directory/accounts.ts";
import type { Directory } from "../directory/directory.ts";
import { hashNew } from "../directory/sign-in.ts";
import { type Role, roles } from "../domain/identity/roles.ts";
import { refusal } from "../errors.ts";
import { chosen, flag, readArguments, text } from "./arguments.ts";
import { command } from "./command.ts";
import { type Run, UsageError } from "./io.ts";
import { newPassword, withDirectory } from "./open-directory.ts";

const USAGE = `Usage:
  gatehouse account add <email> [--org <id or name>] [--role ${roles.join("|")}] [--name <name>] [--password-stdin] [--json]
  gatehouse account reset <email> [--two-factor] [--password-stdin] [--json]
The data directory is GATEHOUSE_DATA. Both work while the server runs.`;

/** `gatehouse account`: accounts for those who have the machine. A generated password is printed once. */
export const run = command(USAGE, ([verb, ...rest], io) => chosen<Run>({ add, reset }, verb, USAGE)(rest, io));

const add: Run = async (argv, io) => {
  const options = { org: text, role: text, name: text, "password-stdin": flag, json: flag } as const;
  const { values, positionals } = readArguments(argv, options, [1, 1], USAGE);
  const email = positionals[0]!;
  const role = readRole(values.role ?? "member");
  return withDirectory(io, async directory => {
    const { accounts, passwords } = directory;
    const org = organisation(directory, values.org);
    if (accounts.byEmail(email)) {
      directory.atomic(() => join(directory, org.id, accounts.byEmail(email)!, role));
      const text = `${email} is now ${role} of ${org.name}. The password stays as it is.`;
      io.out(values.json ? JSON.stringify({ email, role, org: org.id }) : text);
      return;
    }
    const { password, generated } = await newPassword(io, values["password-stdin"] ?? false);
    const password_hash = await hashNew(passwords, password, email, "/password");
    directory.atomic(() => {
      const account = accounts.create({ email, password_hash, ...(values.name ? { name: values.name } : {}) });
      join(directory, org.id, account, role);
    });
    if (values.json) return io.out(JSON.stringify({ email, role, org: org.id, ...(generated ? { password } : {}) }));
    io.out(`${email} is now ${role} of ${org.name}.`);
    if (generated) io.out(`Password (shown once): ${password}`);
  });
};

const reset: Run = async (argv, io) => {
  const options = { "two-factor": flag, "password-stdin": flag, json: flag } as const;
  const { values, positionals } = readArguments(argv, options, [1, 1], USAGE);
  return withDirectory(io, async ({ accounts, members, passwords, twoFactor, outbox, atomic }) => {
    const account = accounts.byEmail(positionals[0]!);
    if (!account) throw refusal("not_found", `There is no account ${positionals[0]}.`);
    const { password, generated } = await newPassword(io, values["password-stdin"] ?? false);
    const password_hash = await hashNew(passwords, password, account.email, "/password");
    atomic(() => {
      accounts.setPassword(account.id, password_hash);
      if (values["two-factor"]) twoFactor.reset(account.id);
      const attributes = { account: account.id, email: account.email, two_factor_off: values["two-factor"] ?? false };
      for (const { id } of members.places(account.id)) outbox.add(id, "account.password_changed", attributes);
    });
    const two_factor_off = values["two-factor"] ?? false;
    if (values.json)
      return io.out(JSON.stringify({ email: account.email, two_factor_off, ...(generated ? { password } : {}) }));
    io.out(`${account.email} has a new password and is signed out everywhere.`);
    if (values["two-factor"]) io.out("Two-factor is off.");
    if (generated) io.out(`Password (shown once): ${password}`);
  });
};

function join({ members, outbox }: Directory, org: string, account: Account, role: Role): void {
  members.add(org, account.id, role);
  outbox.add(org, "member.joined", { account: account.id, email: account.email, role });
}

function readRole(given: string): Role {
  const role = roles.find(one => one === given);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(", ")}.`);
  return role;
}

/** The one asked for, or the only one there is. */
function organisation({ organisations }: Directory, wanted: string | undefined) {
  const all = organisations.all();
  const found = wanted === undefined ? all : all.filter(one => one.id === wanted || one.name === wanted);
  if (found.length === 1) return found[0]!;
  if (all.length === 0)
    throw refusal("not_found", "There is no organisation yet. Make one: gatehouse org add <name> --admin <email>");
  const list = all.map(one => `  ${one.id}  ${one.name}`).join("\n");
  throw refusal("not_found", `Say which organisation with --org <id>:\n${list}`);
}
