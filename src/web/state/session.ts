import { signal } from "@preact/signals";

/** Who is signed in, kept for all tabs of this browser until it ends or somebody signs out. */
export interface Session {
  token: string;
  /** Unix ms. */
  expires_at: number;
  account: { id: string; email: string; name: string | null; two_factor: boolean };
  organisation: { id: string; name: string; role: Role };
}
export type Role = "admin" | "member" | "auditor";

const KEY = "gatehouse.session";
const DEVICE = "gatehouse.device";

export const session = signal<Session | undefined>(read());
/** Why the last session ended, for the sign-in page. */
export const ended = signal<"expired" | undefined>(undefined);

function read(): Session | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Session | null;
    return kept && kept.expires_at > Date.now() ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Whether that token is still the one in use. Another tab may have signed in anew before its message arrived here. */
export const inUse = (token: string): boolean => (read() ?? session.value)?.token === token;

/** What sign-in, set-up, the second factor and invitations answer. */
export interface SignedIn extends Pick<Session, "token" | "account" | "organisation"> {
  expires_in: number;
  trusted_device?: string;
}

export function keepSession({ token, expires_in, account, organisation, trusted_device }: SignedIn): void {
  if (trusted_device) localStorage.setItem(DEVICE, trusted_device);
  const kept: Session = { token, account, organisation, expires_at: Date.now() + expires_in * 1000 };
  localStorage.setItem(KEY, JSON.stringify(kept));
  ended.value = undefined;
  session.value = kept;
}

export function updateSession(change: Partial<Session>): void {
  if (!session.value) return;
  session.value = { ...session.value, ...change };
  localStorage.setItem(KEY, JSON.stringify(session.value));
}

export function dropSession(why?: "expired"): void {
  localStorage.removeItem(KEY);
  ended.value = why;
  session.value = undefined;
}

/** Given with the password, it spares the second factor on this machine. */
export const trustedDevice = (): string | undefined => localStorage.getItem(DEVICE) ?? undefined;

// Signing in or out in one tab holds for the others.
addEventListener("storage", event => {
  if ((event as StorageEvent).key === KEY) session.value = read();
});
