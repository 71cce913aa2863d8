import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { besides, keywords, redactJson, redactText } from "./redact.ts";

const tag = (secret: string) => `t${secret.length}`;
const clean = (text: string) => redactText(text, tag);

// Built from pieces, so that no scanner takes this file for a leak.
const alnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
const secrets: [what: string, secret: string][] = [
  ["github-token", `ghp_${alnum.slice(0, 36)}`],
  ["github-token", `github_pat_${alnum}`],
  ["gitlab-token", `glpat-${alnum.slice(0, 20)}`],
  ["gatehouse-token", `gha_${alnum}abc`],
  ["aws-key", `AKIA${"IOSFODNN7EXAMPLE"}`],
  ["google-key", `AIza${alnum.slice(0, 35)}`],
  ["slack-token", `xoxb-${"1234567890"}-${alnum.slice(0, 12)}`],
  ["stripe-key", `sk_live_${alnum.slice(0, 24)}`],
  ["api-key", `sk-ant-api03-${alnum}`],
  ["npm-token", `npm_${alnum.slice(0, 36)}`],
  ["pypi-token", `pypi-${alnum}${alnum}`],
  ["huggingface-token", `hf_${alnum.slice(0, 34)}`],
  ["sendgrid-key", `SG.${alnum.slice(0, 22)}.${alnum}`],
  ["vault-token", `hvs.${alnum}`],
  ["shopify-token", `shpat_${"0123456789abcdef".repeat(2)}`],
  ["digitalocean-token", `dop_v1_${"0123456789abcdef".repeat(4)}`],
  ["google-token", `ya29.${alnum}`],
  ["jwt", `eyJhbGciOiJI.eyJzdWIiOiIx.${alnum}`],
  ["github-token", `ghs_${alnum.slice(0, 36)}`],
  ["gatehouse-token", `ghd_${alnum}abc`],
  ["aws-key", `ASIA${"IOSFODNN7EXAMPLE"}`],
  ["stripe-key", `rk_test_${alnum.slice(0, 24)}`],
  ["private-key", `-----BEGIN PGP PRIVATE KEY BLOCK-----\n${alnum}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ["private-key", `-----BEGIN RSA PRIVATE KEY-----\n${alnum}\n-----END RSA PRIVATE KEY-----`],
];

describe("secrets in text", () => {
  test.each(secrets)("%s", (what, secret) => {
    expect(clean(`run it with ${secret} now`)).toBe(`run it with [redacted:${what}:t${secret.length}] now`);
  });

  test.each([
    ["DB_PASSWORD=hunter2 ./run", "DB_PASSWORD=[redacted:secret:t7] ./run"],
    ['export API_KEY="a b c"; ls', 'export API_KEY="[redacted:secret:t5]"; ls'],
    ["PGPASSWORD='x y' psql", "PGPASSWORD='[redacted:secret:t3]' psql"],
    ["client_secret: abc123", "client_secret: [redacted:secret:t6]"],
    ["mysql --password hunter2 -e 1", "mysql --password [redacted:secret:t7] -e 1"],
    ["tool --api-key=k1k2 x", "tool --api-key=[redacted:secret:t4] x"],
    ["curl -H 'Authorization: Bearer abcdef' x", "curl -H 'Authorization: Bearer [redacted:authorization:t6]' x"],
    ['curl -H "X-Api-Key: abcdef"', 'curl -H "X-Api-Key: [redacted:secret:t6]"'],
    ["proxy-authorization: token abcdef", "proxy-authorization: token [redacted:authorization:t6]"],
    ["send bearer abcdefghijklmnop", "send bearer [redacted:bearer:t16]"],
    [
      `post https://${"hooks.slack.com"}/services/T0/B0/${alnum}`,
      "post https://hooks.slack.com/services/[redacted:slack-webhook:t46]",
    ],
    ["-----BEGIN PRIVATE KEY-----\ncut off", "[redacted:private-key:t35]"],
    ["authorization: Basic dTpw", "authorization: Basic [redacted:authorization:t4]"],
    ["git clone https://me:pa55@host/x", "git clone https://me:[redacted:url-password:t4]@host/x"],
    ["redis://:pa55@host:1/0", "redis://:[redacted:url-password:t4]@host:1/0"],
  ])("%s", (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  test.each([
    "TOKEN=$GITHUB_TOKEN ./run",
    "curl -H 'Authorization: Bearer $TOKEN'",
    "API_KEY=$(pass show key) run",
    "git clone https://host:8080/x@y",
    "npm i @scope/name",
    "how do I reset a password?",
    "the token bucket is full",
    "sk-learn",
    "https://user@host/path",
    "--password-file /run/secrets/db",
    "max_tokens=4096 token_count: 12 use_token=true",
  ])("left alone: %s", text => {
    expect(clean(text)).toBe(text);
  });

  test("nothing is redacted twice", () => {
    for (const [, secret] of secrets) {
      const once = clean(`password=${secret} Authorization: Bearer ${secret} https://u:${alnum}@h/`);
      expect(clean(once)).toBe(once);
      expect(once).not.toContain(alnum.slice(0, 10));
    }
  });

  test("a URL is never changed without what has to be there besides its keyword", () => {
    const part = fc.string({ unit: fc.constantFrom(..."ab:/@?#$<['\"\\ \n\u0001ä"), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), parts => {
        const text = `x://u:${parts.join("://")}@h`;
        if (clean(text) !== text) expect(JSON.stringify(text)).toMatch(besides["://"]!);
      }),
    );
  });

  test("a text without a keyword is never changed: what the fast path rests on", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), fc.constantFrom(...secrets), (text, [, secret]) => {
        for (const candidate of [text, text + secret, `pw=${secret}`])
          if (clean(candidate) !== candidate) expect(keywords.some(keyword => candidate.includes(keyword))).toBe(true);
      }),
    );
    const names =
      "password Passwd PASSPHRASE secret SECRET_KEY token auth-key AUTH_KEY apikey api-key apiKey access_key ACCESSKEY accesskey private_key privatekey signingKey signing-key encryption_key account_key AccountKey credentials X-API-KEY".split(
        " ",
      );
    for (const name of names) {
      expect(clean(`${name}=hunter2`)).not.toContain("hunter2");
      expect(keywords.some(keyword => `${name}=hunter2`.includes(keyword))).toBe(true);
    }
  });
});

describe("secrets in JSON", () => {
  test("strings at any depth, right behind an escape, and values of secret-like members", () => {
    const body = JSON.stringify({
      a: [{ command: `x\n${secrets[0]![1]}` }],
      env: { DB_PASSWORD: 'a"b', HOME: "/root" },
      max_tokens: 5,
    });
    expect(JSON.parse(redactJson(body, tag))).toEqual({
      a: [{ command: "x\n[redacted:github-token:t40]" }],
      env: { DB_PASSWORD: "[redacted:secret:t3]", HOME: "/root" },
      max_tokens: 5,
    });
  });

  test("stays JSON, and what holds no secret stays as it is", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(...secrets), (json, [, secret]) => {
        const body = JSON.stringify([JSON.parse(json)]);
        if (!keywords.some(keyword => body.includes(keyword))) expect(redactJson(body, tag)).toBe(body);
        const hidden = redactJson(JSON.stringify([JSON.parse(json), secret]), tag);
        expect(JSON.parse(hidden).at(-1)).toStartWith("[redacted:");
      }),
    );
  });

  test("what is not JSON is redacted as text", () => {
    expect(redactJson(`{"a": PASSWORD=hunter2`, tag)).not.toContain("hunter2");
  });
});
