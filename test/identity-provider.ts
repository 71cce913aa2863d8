import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";
import * as client from "openid-client";

export const CLIENT_ID = "gatehouse-web";
const REDIRECT = "https://gatehouse.example/callback";

/** Somebody the provider knows. */
export interface Known {
  sub: string;
  email: string;
  email_verified: boolean;
}

/** A certified OpenID Connect provider on this machine; people sign in with authorization code and PKCE, without a browser. */
export async function startProvider() {
  let keys = [await freshKey("key-1")];
  let handle: (req: IncomingMessage, res: ServerResponse) => unknown;
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url!);
    void handle(req, res);
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let who: Known = { sub: "nobody", email: "", email_verified: false };
  const redirects = [REDIRECT];
  let refusal: { error: string; error_description: string } | undefined;
  const restart = () =>
    (handle = handler(issuer, keys, redirects, () => ({ ...who, ...(refusal ? { refusal } : {}) })));
  restart();
  return {
    issuer,
    /** Paths the provider was asked for so far. */
    asked,
    key: () => keys.at(-1)!,
    async rotate(kid: string) {
      keys = [await freshKey(kid)];
      restart();
    },
    /** Everything fails from here on. */
    breakDown: () => (handle = (_, res) => res.writeHead(500).end()),
    repair: restart,
    replace: (path: string, body: string | Buffer, status = 200, headers = {}) => {
      const before = handle;
      handle = (req, res) => (req.url === path ? res.writeHead(status, headers).end(body) : before(req, res));
    },
    /** Sends people back to that address too. */
    allow(redirect: string) {
      redirects.push(redirect);
      restart();
    },
    /** Who signs in from now on, in a browser; with `refusal` the provider sends them back with that error. */
    expect(person: Known, refused?: typeof refusal) {
      [who, refusal] = [person, refused];
    },
    /** An ID token as the dashboard would receive it. */
    signIn: (person: Known) => ((who = person), signInHeadless(issuer)),
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

async function freshKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: "RS256", use: "sig" };
}

/** A token made by hand with any of its parts wrong. */
export async function forge(
  key: JWK | Uint8Array,
  header: { alg: string; kid?: string; typ?: string },
  claims: object,
) {
  return new SignJWT({ ...claims }).setProtectedHeader(header).sign(key);
}

type Expected = Known & { refusal?: { error: string; error_description: string } };

function handler(issuer: string, keys: JWK[], redirect_uris: string[], who: () => Expected) {
  const configuration: Configuration = {
    clients: [{ client_id: CLIENT_ID, redirect_uris, token_endpoint_auth_method: "none" }],
    jwks: { keys: keys as never },
    cookies: { keys: ["cookie-key"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    // The dashboard fetches its token from the browser.
    clientBasedCORS: () => true,
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 3600 },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => claimsOf(who()) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  };
  const provider = new Provider(issuer, configuration);
  const ordinary = provider.callback();
  return (req: IncomingMessage, res: ServerResponse) =>
    req.url!.startsWith("/interaction/") ? agree(provider, req, res, who()) : ordinary(req, res);
}

const claimsOf = ({ sub, email, email_verified }: Known) => ({ sub, email, email_verified });

/** Logs the person in and agrees to everything, or refuses. */
async function agree(provider: Provider, req: IncomingMessage, res: ServerResponse, { sub, refusal }: Expected) {
  if (refusal) return provider.interactionFinished(req, res, refusal);
  const { prompt, params, session } = await provider.interactionDetails(req, res);
  if (prompt.name === "login") return provider.interactionFinished(req, res, { login: { accountId: sub } });
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params["client_id"]) });
  grant.addOIDCScope(String(params["scope"]));
  return provider.interactionFinished(
    req,
    res,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

async function signInHeadless(issuer: string): Promise<string> {
  const options = { execute: [client.allowInsecureRequests] };
  const config = await client.discovery(new URL(issuer), CLIENT_ID, undefined, client.None(), options);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const start = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri: REDIRECT, scope: "openid email", state: expectedState, code_challenge_method: "S256" },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  });
  const back = await follow(start);
  const tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  return tokens.id_token!;
}

/** Goes from redirect to redirect with the cookies, as a browser would. */
async function follow(start: URL): Promise<URL> {
  const cookies = new Map<string, string>();
  for (let url = start; ; ) {
    if (url.href.startsWith(REDIRECT)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, value] = line.split(";", 1)[0]!.split(/=(.*)/s) as [string, string];
      cookies.set(name, value);
    }
    const next = response.headers.get("location");
    if (!next) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
    url = new URL(next, url);
  }
}
