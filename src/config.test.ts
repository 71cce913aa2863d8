import { expect, test } from "bun:test";
import { inspect } from "node:util";
import { ConfigError, dataPaths, readConfig, settingNames, settingsHelp } from "./config.ts";

const fault = (env: Record<string, string>, argv: string[] = []) => {
  try {
    readConfig(env, argv);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("it was accepted");
};

test("with nothing set there is a default for everything that is needed", () => {
  const config = readConfig({});
  expect(config).toMatchObject({ host: "127.0.0.1", port: 8787, plan: "team", demo_capacity: 500, demo_idle_s: 3600 });
  expect(config).toMatchObject({ heartbeat_s: 60, playground_per_minute: 30, trusted_proxies: [], log_level: "info" });
  expect(config.workers).toBeGreaterThanOrEqual(1);
  expect(config.admin_password).toBeUndefined();
  expect(dataPaths(config).directory).toEndWith("/data/directory.sqlite");
});

test("a flag wins over the variable, in both spellings; an empty variable is absent", () => {
  const env = { GATEHOUSE_PORT: "1", GATEHOUSE_HOST: "", GATEHOUSE_PLAYGROUND_PER_MINUTE: "5" };
  expect(readConfig(env).port).toBe(1);
  expect(readConfig(env, ["--port", "9000"]).port).toBe(9000);
  expect(readConfig(env, ["--port=0", "--playground-per-minute=7"])).toMatchObject({
    port: 0,
    playground_per_minute: 7,
  });
  expect(readConfig(env).host).toBe("127.0.0.1");
});

test("a bad value is one sentence that names what was written", () => {
  expect(fault({ GATEHOUSE_PORT: "65536" })).toBe("GATEHOUSE_PORT must be a whole number from 0 to 65535.");
  expect(fault({}, ["--port", "-1"])).toBe("--port must be a whole number from 0 to 65535.");
  expect(fault({ GATEHOUSE_PORT: "1e3" })).toContain("GATEHOUSE_PORT");
  expect(fault({ GATEHOUSE_LOG_LEVEL: "loud" })).toContain("one of debug, info, warn, error");
  expect(fault({ GATEHOUSE_PUBLIC_URL: "https://x.example/path" })).toContain("without a path");
  expect(fault({ GATEHOUSE_PUBLIC_URL: "ftp://x.example" })).toContain("http or https");
  expect(fault({ GATEHOUSE_TRUSTED_PROXIES: "10.0.0.0/8, 10.0.0.0/33" })).toContain('"10.0.0.0/33" is neither');
  expect(fault({ GATEHOUSE_HOST: "a b" })).toContain("GATEHOUSE_HOST");
  expect(fault({ GATEHOUSE_ORG_NAME: "a\u0007b" })).toContain("one line");
});

test("unknown flags, missing values and stray words are refused", () => {
  expect(fault({}, ["--prot", "1"])).toContain("There is no setting --prot");
  expect(fault({}, ["--port"])).toBe("--port needs a value.");
  expect(fault({}, ["9000"])).toContain('"9000" is not expected here');
});

test("what only makes sense together is asked for together", () => {
  expect(fault({ GATEHOUSE_ADMIN_EMAIL: "a@b.example" })).toContain("needs GATEHOUSE_ADMIN_PASSWORD");
  expect(fault({ GATEHOUSE_DEMO_PASSWORD: "x" })).toContain("needs GATEHOUSE_DEMO_EMAIL");
  expect(fault({ GATEHOUSE_OIDC_ISSUER: "https://id.example" })).toContain("GATEHOUSE_OIDC_AUDIENCE");
});

test("an issuer is https, or http on this machine, and kept as written", () => {
  const issuer = (text: string) =>
    readConfig({ GATEHOUSE_OIDC_ISSUER: text, GATEHOUSE_OIDC_CLIENT_ID: "web" }).oidc_issuer;
  expect(issuer("https://id.example/realms/a/")).toBe("https://id.example/realms/a/");
  expect(issuer("http://127.0.0.1:9/")).toBe("http://127.0.0.1:9/");
  expect(() => issuer("http://id.example")).toThrow("https");
  expect(() => issuer("http://127.0.0.1.evil.example")).toThrow("https");
});

test("a secret does not print, whole configuration included", () => {
  const config = readConfig({
    GATEHOUSE_ADMIN_EMAIL: "a@b.example",
    GATEHOUSE_ADMIN_PASSWORD: "correct horse battery ",
  });
  expect(config.admin_password!.reveal()).toBe("correct horse battery ");
  for (const text of [JSON.stringify(config), inspect(config), `${config.admin_password}`, Bun.inspect(config)]) {
    expect(text).not.toContain("horse");
    expect(text).toContain("[secret]");
  }
});

test("the help names every setting", () => {
  for (const name of settingNames()) expect(settingsHelp()).toContain(name);
});
