import { mostUsedPasswords } from "./most-used-passwords.ts";
import { timingSafeEqual } from "node:crypto";
import { type Config, ConfigError } from "../config.ts";
import { emailKey } from "../domain/identity/email.ts";
import { passwordFault } from "../domain/identity/password.ts";
import { makeRecoveryCode, readRecoveryCode } from "../domain/identity/recovery-code.ts";
import { refusal } from "../errors.ts";
import type { Account } from "./accounts.ts";
import type { Directory } from "./directory.ts";
import type { Organisation } from "./organisations.ts";
import { hashNew } from "./sign-in.ts";
import { sha256 } from "./world.ts";

/** An organisation with its first admin. */
export interface Founded {
  organisation: Organisation;
  account: Account;
}

export interface FirstRun {
  /** Founded from the settings just now. */
  founded?: Founded;
  /** Its organisation is new when `fresh`. */
  demo?: { account: Account; org: string; fresh: boolean };
  /** To be printed once: whoever has it founds the first organisation with `POST /auth/setup`. */
  setup_code?: string;
  /** Sentences for the operator. */
  warnings: string[];
}

type Settings = Pick<Config, "admin_email" | "admin_password" | "org_name" | "plan" | "demo_email" | "demo_password">;

const ADMIN_PASSWORD_MIN = 8;

/** The setup code of this process, in memory only. */
export interface SetupCode {
  code: string;
  matches(typed: string): boolean;
}

export function createSetupCode(random: (bytes: number) => Uint8Array): SetupCode {
  const code = makeRecoveryCode(random);
  const wanted = sha256(readRecoveryCode(code)!);
  return { code, matches: typed => timingSafeEqual(sha256(readRecoveryCode(typed) ?? ""), wanted) };
}

/**
 * What the settings ask for at start: the first admin and organisation while there is no account, the demo account.
 * Without the first there is a setup code. Throws `ConfigError`.
 */
export async function firstRun(directory: Directory, settings: Settings, setup: SetupCode): Promise<FirstRun> {
  const result: FirstRun = { warnings: [] };
  if (!directory.accounts.any()) {
    if (settings.admin_email) result.founded = await foundFromSettings(directory, settings, result.warnings);
    else result.setup_code = setup.code;
  }
  if (settings.demo_email) result.demo = await demoAccount(directory, settings);
  return result;
}

/** The operator decides on short passwords, but hears of them. */
async function foundFromSettings(directory: Directory, settings: Settings, warnings: string[]): Promise<Founded> {
  const [email, password] = [settings.admin_email!, settings.admin_password!.reveal()];
  if (!emailKey(email)) throw new ConfigError("GATEHOUSE_ADMIN_EMAIL must be an email address.");
  if ([...password].length < ADMIN_PASSWORD_MIN)
    throw new ConfigError(`GATEHOUSE_ADMIN_PASSWORD must have at least ${ADMIN_PASSWORD_MIN} characters.`);
  const fault = passwordFault(password, email, mostUsedPasswords());
  if (fault) warnings.push(`GATEHOUSE_ADMIN_PASSWORD is weak: ${fault}`);
  const password_hash = await directory.passwords.hash(password);
  return found(directory, { email, password_hash, organisation: settings.org_name, plan: settings.plan });
}

/**
 * Founds the first organisation with the code printed at start.
 * Throws `already_set_up`, `invalid_credentials`, `invalid`, `busy`.
 */
export async function setUp(
  directory: Directory,
  setup: SetupCode,
  entry: { code: string; email: string; name?: string; password: string; organisation: string; plan: string },
): Promise<Founded> {
  if (directory.accounts.any()) throw refusal("already_set_up");
  if (!setup.matches(entry.code))
    throw refusal("invalid_credentials", "The setup code is wrong. It is printed where the server starts.");
  const password_hash = await hashNew(directory.passwords, entry.password, entry.email, "/password");
  return directory.atomic(() => {
    if (directory.accounts.any()) throw refusal("already_set_up");
    return found(directory, { ...entry, password_hash });
  });
}

/** A new organisation and its admin: a new account, or an existing one. */
export function found(
  directory: Directory,
  entry: { email: string; name?: string; password_hash?: string; organisation: string; plan: string },
): Founded {
  const { accounts, organisations, members, atomic } = directory;
  return atomic(() => {
    const account = accounts.byEmail(entry.email) ?? accounts.create(entry);
    const organisation = organisations.create(entry.organisation, entry.plan);
    members.add(organisation.id, account.id, "admin");
    directory.outbox.add(organisation.id, "member.joined", {
      account: account.id,
      email: account.email,
      role: "admin",
    });
    return { organisation, account };
  });
}

/** An auditor in an organisation of its own; a changed password in the settings is taken over. */
async function demoAccount(directory: Directory, settings: Settings): Promise<NonNullable<FirstRun["demo"]>> {
  const { accounts, organisations, members, passwords } = directory;
  const [email, password] = [settings.demo_email!, settings.demo_password!.reveal()];
  const known = accounts.byEmail(email);
  if (known && !known.demo)
    throw new ConfigError("GATEHOUSE_DEMO_EMAIL belongs to an ordinary account. Choose another address.");
  if (known) {
    if (!(await passwords.verify(password, accounts.passwordHash(known.id))))
      accounts.setPassword(known.id, await passwords.hash(password));
    return { account: known, org: members.places(known.id)[0]!.id, fresh: false };
  }
  if (!emailKey(email)) throw new ConfigError("GATEHOUSE_DEMO_EMAIL must be an email address.");
  const password_hash = await passwords.hash(password);
  return directory.atomic(() => {
    const account = accounts.create({ email, name: "Demo", password_hash, demo: true });
    const organisation = organisations.create("Demo", settings.plan);
    members.add(organisation.id, account.id, "auditor");
    directory.outbox.add(organisation.id, "member.joined", { account: account.id, email, role: "auditor" });
    return { account, org: organisation.id, fresh: true };
  });
}
