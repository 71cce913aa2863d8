import * as oauth from "oauth4webapi";

/**
 * Sign-in by an OpenID Connect provider: authorization code with PKCE (RFC 7636). What was started is kept by its `state`
 * in this browser, not in one tab: a link in a provider's e-mail opens another one.
 */
interface Started {
  issuer: string;
  client_id: string;
  verifier: string;
  state: string;
  nonce: string;
  /** Where the person wanted to go. */
  back: string;
  /** Unix ms. */
  started_at: number;
}

const PREFIX = "gatehouse.oidc.";
const KEPT_MS = 3_600_000;
const redirectUri = () => `${location.origin}/sign-in/callback`;
// A provider on this machine may be spoken to without TLS, as the server allows it too.
const loose = (issuer: string) => ({ [oauth.allowInsecureRequests]: new URL(issuer).protocol === "http:" });

/** Why the provider sent the person back without a code (RFC 6749 §4.1.2.1), or why its answer was not believed. */
export class SignInRefused extends Error {
  override readonly name = "SignInRefused";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const discover = async (issuer: string): Promise<oauth.AuthorizationServer> => {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { algorithm: "oidc", ...loose(issuer) }),
  );
};

/** `prompt` makes the provider ask again who it is (OpenID Connect Core §3.1.2.1). */
export async function startSignIn(
  { issuer, client_id }: { issuer: string; client_id: string },
  back: string,
  prompt?: "login",
): Promise<void> {
  const server = await discover(issuer);
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  keep({ issuer, client_id, verifier, state, nonce, back, started_at: Date.now() });
  const to = new URL(server.authorization_endpoint!);
  const query = {
    client_id,
    redirect_uri: redirectUri(),
    response_type: "code",
    scope: "openid email profile",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...(prompt ? { prompt } : {}),
  };
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
  location.assign(to);
}

/** What the address the provider sent the person to says. */
export function returned(): { kind: "answer" | "bare"; back: string } {
  const params = new URLSearchParams(location.search);
  const kept = started();
  const mine = kept.find(({ state }) => state === params.get("state")) ?? kept[0];
  // Without code and error it is no answer: an address was confirmed, or the provider's own page was left by a link.
  return { kind: params.has("code") || params.has("error") ? "answer" : "bare", back: mine?.back ?? "/" };
}

export interface Entered {
  token: string;
  expires_in: number;
  claims: { email?: string; email_verified?: boolean };
}

/** The provider's token. Throws `SignInRefused` when the answer is an error, or not the one that was asked for. */
export async function finishSignIn(): Promise<Entered> {
  const params = new URLSearchParams(location.search);
  const mine = started().find(({ state }) => state === params.get("state"));
  if (!mine) throw new SignInRefused("unknown_state", "This sign-in was not started in this browser, or long ago.");
  try {
    const entered = await exchange(mine);
    for (const { state } of started()) localStorage.removeItem(PREFIX + state);
    return entered;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new SignInRefused(error.error, error.error_description ?? "");
    throw new SignInRefused("bad_answer", (error as Error).message);
  }
}

async function exchange({ issuer, client_id, verifier, state, nonce }: Started): Promise<Entered> {
  const server = await discover(issuer);
  const client: oauth.Client = { client_id };
  const answer = oauth.validateAuthResponse(server, client, new URL(location.href), state);
  const none = oauth.None();
  const options = loose(issuer);
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    none,
    answer,
    redirectUri(),
    verifier,
    options,
  );
  const expected = { expectedNonce: nonce, requireIdToken: true };
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply, expected);
  const claims = oauth.getValidatedIdTokenClaims(tokens)!;
  return {
    token: tokens.id_token!,
    expires_in: claims.exp - Math.floor(Date.now() / 1000),
    claims: claims as unknown as Entered["claims"],
  };
}

function keep(one: Started): void {
  for (const { state, started_at } of started())
    if (Date.now() - started_at > KEPT_MS) localStorage.removeItem(PREFIX + state);
  localStorage.setItem(PREFIX + one.state, JSON.stringify(one));
}

/** Newest first. */
const started = (): Started[] =>
  Object.keys(localStorage)
    .filter(key => key.startsWith(PREFIX))
    .map(key => JSON.parse(localStorage.getItem(key)!) as Started)
    .sort((a, b) => b.started_at - a.started_at);
