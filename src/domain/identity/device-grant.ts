/**
 * The device authorization grant as a state machine (RFC 8628 §3.5): a person decides once, the device polls in between
 * and receives its token once. Times in Unix milliseconds.
 */
export const DEVICE_EXPIRES_IN_S = 600;
export const DEVICE_INTERVAL_S = 5;
const SLOW_DOWN_S = 5;

export interface DeviceGrant {
  status: "pending" | "approved" | "denied";
  expires_at: number;
  interval_s: number;
  /** The latest poll; null before the first, which may come at once. */
  polled_at: number | null;
}

export type PollReply = "granted" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token";

export const newGrant = (now: number): DeviceGrant => ({
  status: "pending",
  expires_at: now + DEVICE_EXPIRES_IN_S * 1000,
  interval_s: DEVICE_INTERVAL_S,
  polled_at: null,
});

/** What a poll is told and how it changes the grant. `granted` is told once: the caller drops the grant with it. */
export function poll(grant: DeviceGrant, now: number): { reply: PollReply; grant: DeviceGrant } {
  if (now >= grant.expires_at) return { reply: "expired_token", grant };
  if (grant.status === "denied") return { reply: "access_denied", grant };
  if (grant.status === "approved") return { reply: "granted", grant };
  const early = grant.polled_at !== null && now < grant.polled_at + grant.interval_s * 1000;
  const interval_s = grant.interval_s + (early ? SLOW_DOWN_S : 0);
  return { reply: early ? "slow_down" : "authorization_pending", grant: { ...grant, interval_s, polled_at: now } };
}

/** The person's answer; undefined when it comes too late or a second time. */
export function decide(grant: DeviceGrant, action: "approve" | "deny", now: number): DeviceGrant | undefined {
  if (now >= grant.expires_at || grant.status !== "pending") return undefined;
  return { ...grant, status: action === "approve" ? "approved" : "denied" };
}
