import type { Page } from "playwright-core";
import { pages } from "../../src/web/pages.ts";
import { ADMIN } from "../world.ts";

/** One thing people see: an address, and what is pressed there. */
export interface Screen {
  name: string;
  path: string;
  /** Leads from the open page to what is looked at. */
  act?(page: Page): Promise<unknown>;
  /** It shows a failure, on purpose. */
  fails?: true;
}

/** Somebody with a second factor. */
export const CAREFUL = "careful@example.com";

/** Addresses that only the sample knows. */
export interface Known {
  agent: string;
  scan: string;
  blocked: number;
  user_code: string;
}

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).first().click();

/** On narrow screens the pages are behind a button. */
async function openMenu(page: Page) {
  await page.setViewportSize({ width: 360, height: 740 });
  await press(page, "Open menu");
  await page.getByRole("link", { name: "Settings", exact: true }).waitFor();
}

export const entrances: Screen[] = [
  { name: "sign-in", path: "/sign-in" },
  {
    name: "sign-in-refused",
    path: "/sign-in",
    fails: true,
    async act(page) {
      await page.getByLabel("Email").fill(ADMIN.email);
      await page.getByLabel("Password").fill("not the password");
      await press(page, "Sign in");
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "second-factor",
    path: "/sign-in",
    async act(page) {
      await page.getByLabel("Email").fill(CAREFUL);
      await page.getByLabel("Password").fill(ADMIN.password);
      await press(page, "Sign in");
      await page.getByRole("heading", { name: "Confirm it is you" }).waitFor();
    },
  },
  { name: "sign-in-callback", path: "/sign-in/callback?error=access_denied&state=none", fails: true },
  { name: "setup", path: "/setup" },
  { name: "invitation", path: "/invitation?token=abc" },
  { name: "invitation-cut", path: "/invitation" },
  { name: "demo-start", path: "/demo" },
];

export const screens = ({ agent, scan, blocked, user_code }: Known): Screen[] => [
  { name: "overview", path: "/" },
  { name: "audit", path: "/audit" },
  { name: "audit-filtered", path: "/audit?type=policy.decision&decision=BLOCK" },
  { name: "audit-entry", path: `/audit?entry=${blocked}` },
  { name: "audit-nothing", path: "/audit?q=nobody-typed-this" },
  { name: "audit-export", path: "/audit", act: page => press(page, "Export") },
  { name: "menu", path: "/", act: openMenu },
  { name: "agents", path: "/agents" },
  { name: "agents-nothing", path: "/agents?q=nobody" },
  { name: "agent", path: `/agents/${agent}` },
  { name: "agent-remove", path: `/agents/${agent}`, act: page => press(page, "Remove") },
  { name: "agent-unknown", path: "/agents/agt_nobody", fails: true },
  { name: "policy", path: "/policy", act: page => page.getByText("No mistakes").waitFor() },
  {
    name: "policy-mistake",
    path: "/policy",
    async act(page) {
      await page.getByLabel("Policy in YAML").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText("policy: 1\nno_match: MAYBE\nrules:\n  - id: org.first\n");
      await page.getByText(/Line 2, column/).waitFor();
    },
  },
  {
    name: "policy-changes",
    path: "/policy",
    async act(page) {
      await page.getByLabel("Policy in YAML").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.insertText("# one more line\n");
      await page.getByRole("tab", { name: "Changes" }).click();
      await page.getByText("+ # one more line").waitFor();
    },
  },
  {
    name: "policy-replay",
    path: "/policy?tab=replay",
    async act(page) {
      await page.getByRole("tab", { name: "Editor" }).click();
      await page.getByLabel("Policy in YAML").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText("policy: 1\nno_match: ASK\nnot_understood: ASK\n");
      await page.getByText("No mistakes").waitFor();
      await page.getByRole("tab", { name: "Replay" }).click();
      await press(page, "Replay");
      await page.getByText(/would change/).waitFor();
    },
  },
  { name: "policy-history", path: "/policy?tab=history&version=1" },
  { name: "packs", path: "/packs" },
  { name: "pack", path: "/packs/ci" },
  { name: "playground", path: "/playground" },
  { name: "playground-mcp", path: "/playground?type=mcp" },
  { name: "posture", path: "/posture?framework=soc2" },
  { name: "posture-control", path: "/posture?framework=soc2&control=CC6.1" },
  {
    name: "chain",
    path: "/posture/chain?first=0",
    act: page => page.getByText(/root and signature verified/).waitFor(),
  },
  { name: "drift", path: "/drift" },
  { name: "drift-accept", path: "/drift", act: page => press(page, "Accept read_file") },
  { name: "compliance", path: "/compliance" },
  { name: "scans", path: "/compliance/scans" },
  { name: "scan", path: `/compliance/scans/${scan}` },
  { name: "members", path: "/members" },
  { name: "members-invite", path: "/members", act: page => press(page, "Invite") },
  { name: "settings", path: "/settings" },
  { name: "account", path: "/account" },
  { name: "device", path: `/device?user_code=${user_code}` },
  { name: "device-code", path: "/device" },
];

/** What a new organisation sees, and the way in by its identity provider. */
export const empty: Screen[] = [
  { name: "sign-in-provider", path: "/sign-in", act: page => page.getByText("Continue with").waitFor() },
  ...["overview", "audit", "agents", "posture", "drift", "compliance"].map(name => ({
    name: `empty-${name}`,
    path: name === "overview" ? "/" : `/${name}`,
  })),
];

export const demo: Screen[] = [
  { name: "demo-overview", path: "/demo" },
  { name: "demo-audit", path: "/demo/audit?range=7d" },
  { name: "demo-agents", path: "/demo/agents" },
  { name: "demo-posture", path: "/demo/posture" },
  { name: "demo-drift", path: "/demo/drift" },
];

/** Pages that no screen shows. */
export function unseen(shown: Screen[]): string[] {
  const paths = shown.map(({ path }) => path.split("?")[0]!);
  const pattern = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
  return pages.map(({ path }) => path).filter(path => !paths.some(one => pattern(path).test(one)));
}
