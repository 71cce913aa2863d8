import * as oauth from "oauth4webapi";

/** Sign-in by an OpenID Connect provider: authorization code with PKCE (RFC 7636), its state kept in this tab. */
interface Started {
  issuer: string;
  client_id: string;
  verifier: string;
  state: string;
  nonce: string;
  back: string;
}

const KEY = "gatehouse.oidc";
const redirectUri = () => `${location.origin}/sign-in/callback`;
// A provider on this machine may be spoken to without TLS, as the server allows it too.
const loose = (issuer: string) => ({ [oauth.allowInsecureRequests]: new URL(issuer).protocol === "http:" });

const discover = async (issuer: string): Promise<oauth.AuthorizationServer> => {
  const url = new URL(issuer);
  return oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { algorithm: "oidc", ...loose(issuer) }),
  );
};

export async function startSignIn(issuer: string, client_id: string): Promise<void> {
  const server = await discover(issuer);
  const started: Started = {
    issuer,
    client_id,
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    back: location.pathname + location.search,
  };
  sessionStorage.setItem(KEY, JSON.stringify(started));
  const to = new URL(server.authorization_endpoint!);
  const query = {
    client_id,
    redirect_uri: redirectUri(),
    response_type: "code",
    scope: "openid email profile",
    code_challenge: await oauth.calculatePKCECodeChallenge(started.verifier),
    code_challenge_method: "S256",
    state: started.state,
    nonce: started.nonce,
  };
  for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
  location.assign(to);
}

/** The provider's token and where the person wanted to go. Throws when the answer is not the one that was asked for. */
export async function finishSignIn(): Promise<{ token: string; expires_in: number; back: string }> {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (!kept) throw new Error("This sign-in was not started in this tab.");
  const { issuer, client_id, verifier, state, nonce, back } = JSON.parse(kept) as Started;
  const server = await discover(issuer);
  const client: oauth.Client = { client_id };
  const answer = oauth.validateAuthResponse(server, client, new URL(location.href), state);
  const options = loose(issuer);
  const reply = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    answer,
    redirectUri(),
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, reply, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  return { token: tokens.id_token!, expires_in: Number(tokens.expires_in ?? 3600), back };
}
