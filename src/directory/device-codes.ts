import {
  DEVICE_EXPIRES_IN_S,
  type DeviceGrant,
  decide,
  newGrant,
  type PollReply,
  poll,
} from "../domain/identity/device-grant.ts";
import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { makeUserCode, readUserCode, showUserCode } from "../domain/identity/user-code.ts";
import { refusal } from "../errors.ts";
import type { Agents } from "./agents.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

/** What an installation says of itself; nobody vouches for it but the person who approves. */
export interface Device {
  client_id?: string;
  name?: string;
  hostname?: string;
  platform?: string;
  version?: string;
  installation_id?: string;
}

/** What a person is shown before deciding. */
export interface DeviceRequest extends Device {
  user_code: string;
  ip: string;
  created_at: number;
  expires_at: number;
}

export type Polled =
  | { reply: "granted"; token: string; agent: string; org: string }
  | { reply: Exclude<PollReply, "granted"> | "invalid_grant" };

interface Row {
  hash: Uint8Array;
  device: string;
  ip: string;
  status: DeviceGrant["status"];
  interval_s: number;
  polled_at: number | null;
  created_at: number;
  expires_at: number;
  agent: string | null;
}

const OPEN_MAX = 10_000;
/** An expired code is told so for an hour, then it is unknown. */
const REMEMBERED_MS = 3_600_000;

export type DeviceCodes = ReturnType<typeof createDeviceCodes>;

/** RFC 8628. Both codes are kept as hashes; `domain/identity/device-grant.ts` decides. */
export function createDeviceCodes({ db, now, random, atomic }: DirectoryWorld, agents: Pick<Agents, "issue">) {
  const byUserCode = (typed: string): Row | undefined => {
    const code = readUserCode(typed);
    return code === undefined
      ? undefined
      : db.query<Row>("SELECT * FROM device_codes WHERE user_hash = ?").get(sha256(code));
  };
  const freshUserCode = (): string => {
    const code = makeUserCode(random);
    return db.query("SELECT 1 FROM device_codes WHERE user_hash = ?").get(sha256(code)) ? freshUserCode() : code;
  };
  const setStatus = (hash: Uint8Array, from: DeviceGrant["status"], to: DeviceGrant["status"]) =>
    db.query("UPDATE device_codes SET status = ? WHERE hash = ? AND status = ? AND agent IS NULL").run(to, hash, from)
      .changes === 1;
  const answer = (typed: string, action: "approve" | "deny"): Row | undefined =>
    atomic(() => {
      const row = byUserCode(typed);
      const next = row && decide(grantOf(row), action, now());
      return next && setStatus(row.hash, "pending", next.status) ? row : undefined;
    });
  const sweep = () => db.query("DELETE FROM device_codes WHERE expires_at < ?").run(now() - REMEMBERED_MS);
  const granted = (row: Row): Polled => {
    db.query("DELETE FROM device_codes WHERE hash = ?").run(row.hash);
    const { org } = db.query<{ org: string }>("SELECT org FROM agents WHERE id = ?").get(row.agent)!;
    return { reply: "granted", token: agents.issue(org, row.agent!)!, agent: row.agent!, org };
  };
  return {
    /** Throws `busy` while ten thousand are open. */
    start(device: Device, ip: string) {
      sweep();
      if (db.query<{ n: number }>("SELECT count(*) n FROM device_codes").get()!.n >= OPEN_MAX)
        throw refusal("busy", { message: "Too many devices wait to be confirmed.", retry_after_s: 60 });
      const device_code = makeToken("device", random);
      const user_code = freshUserCode();
      const { interval_s, expires_at } = newGrant(now());
      db.query(
        "INSERT INTO device_codes(hash, user_hash, device, ip, status, interval_s, created_at, expires_at) VALUES(?, ?, ?, ?, 'pending', ?, ?, ?)",
      ).run(sha256(device_code), sha256(user_code), JSON.stringify(device), ip, interval_s, now(), expires_at);
      return { device_code, user_code: showUserCode(user_code), expires_in: DEVICE_EXPIRES_IN_S, interval: interval_s };
    },
    /** The request behind a code that can still be decided. */
    describe(typed: string): DeviceRequest | undefined {
      const row = byUserCode(typed);
      if (row?.status !== "pending" || now() >= row.expires_at) return undefined;
      const { ip, created_at, expires_at } = row;
      return { ...deviceOf(row), user_code: showUserCode(readUserCode(typed)!), ip, created_at, expires_at };
    },
    /**
     * Takes the one decision, in three steps so that the log comes first: `approve`, log the agent's entry, `grant` – or
     * `release`, when that failed. Until `grant` the device still hears `authorization_pending`.
     */
    approve(typed: string): { code: Uint8Array; device: Device } | undefined {
      const row = answer(typed, "approve");
      return row && { code: row.hash, device: deviceOf(row) };
    },
    grant: (code: Uint8Array, agent: string): void =>
      void db.query("UPDATE device_codes SET agent = ? WHERE hash = ? AND status = 'approved'").run(agent, code),
    release: (code: Uint8Array): void => void setStatus(code, "approved", "pending"),
    deny: (typed: string): boolean => answer(typed, "deny") !== undefined,
    /** One poll of the device. The token is handed out once; afterwards the code is unknown. */
    poll: (device_code: string): Polled =>
      atomic(() => {
        const hash = sha256(device_code);
        const row =
          isToken("device", device_code) && db.query<Row>("SELECT * FROM device_codes WHERE hash = ?").get(hash);
        if (!row) return { reply: "invalid_grant" };
        const { reply, grant } = poll(grantOf(row), now());
        if (reply === "granted") return granted(row);
        db.query("UPDATE device_codes SET interval_s = ?, polled_at = ? WHERE hash = ?").run(
          grant.interval_s,
          grant.polled_at,
          hash,
        );
        return { reply };
      }),
    sweep: (): void => void sweep(),
  };
}

/** Approved, but its agent not in the log yet: still pending for the device. */
function grantOf({ status, agent, expires_at, interval_s, polled_at }: Row): DeviceGrant {
  return { status: status === "approved" && agent === null ? "pending" : status, expires_at, interval_s, polled_at };
}

const deviceOf = (row: Row) => JSON.parse(row.device) as Device;
