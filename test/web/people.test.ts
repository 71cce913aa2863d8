import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signIn, SLOW_MS, type Watched } from "./browser.ts";
import { fillSample } from "./sample.ts";

/** People, their roles, and what they hand out: invitations, tokens, keys, plans. */
let world: World;

async function enter(email = ADMIN.email, password = ADMIN.password): Promise<Watched> {
  const watched = await open(world.url);
  await signIn(watched, email, password);
  await watched.page.getByRole("heading", { name: "Overview" }).waitFor();
  return watched;
}

describe.skipIf(!haveBrowser)("people", () => {
  beforeAll(async () => {
    world = await createWorld();
    await fillSample(world);
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "an invitation: its link joins once, with a role that holds on every page, and is refused the second time",
    async () => {
      const { page, context } = await enter();
      await page.getByRole("link", { name: "Members", exact: true }).click();
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByLabel("Email").fill("lin@example.com");
      await page.getByLabel("Role", { exact: true }).selectOption("member");
      await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
      const link = await page.getByRole("dialog").locator("code").innerText();
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("row").filter({ hasText: "lin@example.com" }).getByText("invited").waitFor();
      await context.close();

      const invited = await open(world.url);
      await invited.page.goto("/invitation");
      await invited.page.getByText("This link is incomplete").waitFor();
      await invited.page.goto(link.replace(/^https?:\/\/[^/]+/, world.url));
      await invited.page.getByLabel("Your name").fill("Lin");
      await invited.page.getByLabel("Password").fill("short");
      await invited.page.getByRole("button", { name: "Accept the invitation" }).click();
      expect(
        await invited.page.getByLabel("Password").evaluate((input: HTMLInputElement) => input.validity.tooShort),
      ).toBe(true);
      await invited.page.getByLabel("Password").fill("a long and fresh one");
      await invited.page.getByRole("button", { name: "Accept the invitation" }).click();
      await invited.page.getByRole("heading", { name: "Overview" }).waitFor();
      await invited.page.getByText(/member · lin@example.com/).waitFor();
      await invited.context.close();

      const again = await open(world.url);
      await again.page.goto(link.replace(/^https?:\/\/[^/]+/, world.url));
      await again.page.getByLabel("Password").fill("a long and fresh one");
      await again.page.getByRole("button", { name: "Accept the invitation" }).click();
      expect(await again.page.getByRole("alert").innerText()).toContain("unknown, used, withdrawn");
      await again.context.close();
    },
    SLOW_MS,
  );

  const changes: Record<string, string[]> = {
    "/members": ["Invite"],
    "/settings": ["Rename", "New key", "Change to Free"],
    "/compliance": ["Disable SOC 2 Trust Services Criteria"],
    "/policy": ["Save"],
  };
  for (const role of ["admin", "member", "auditor"] as const)
    test(
      `a ${role} is offered what the role may do and nothing else`,
      async () => {
        const email = `${role}@roles.example`;
        const { directory } = world.gatehouse.parts;
        const { id: org } = directory.members.places(directory.accounts.byEmail(ADMIN.email)!.id)[0]!;
        const password_hash = await directory.passwords.hash(ADMIN.password);
        directory.members.add(org, directory.accounts.create({ email, password_hash }).id, role);
        const { page, context, problems } = await enter(email);
        for (const [path, buttons] of Object.entries(changes)) {
          await page.goto(path);
          await page.locator("h1").waitFor();
          await page.waitForFunction(() => document.querySelector('[aria-label="Loading"]') === null);
          for (const name of buttons) {
            const button = page.getByRole("button", { name, exact: true });
            if (role === "admin") await button.first().waitFor();
            expect([path, name, (await button.count()) > 0]).toEqual([path, name, role === "admin"]);
          }
          expect([path, await page.getByRole("alert").allInnerTexts()]).toEqual([path, []]);
        }
        await page.goto("/agents");
        await page.getByRole("link", { name: "ada's laptop" }).click();
        await page.getByRole("heading", { name: "ada's laptop" }).waitFor();
        expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(role === "admin" ? 1 : 0);
        const { user_code } = (await world.call("POST", "/api/auth/device-code", { body: { name: `of ${role}` } }))
          .json;
        await page.goto(`/device?user_code=${user_code}`);
        await page.getByText(user_code, { exact: true }).waitFor();
        expect(await page.getByRole("button", { name: "Approve" }).isDisabled()).toBe(role === "auditor");
        if (role === "member") {
          expect(await page.getByText("127.0.0.1").count()).toBe(1);
          await page.getByRole("button", { name: "Deny" }).click();
          await page.getByText("It got no access.").waitFor();
        }
        expect(problems).toEqual([]);
        await context.close();
      },
      SLOW_MS,
    );

  test(
    "access tokens and enrolment keys are shown once, work, and stop working when they are revoked",
    async () => {
      const { page, context, problems } = await enter();
      await page.goto("/account");
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name", { exact: true }).fill("weekly report");
      await page.getByRole("dialog").getByRole("button", { name: "New token" }).click();
      const token = (await page.getByRole("dialog").locator("code.code").first().innerText()).trim();
      expect(token).toMatch(/^ghp_/);
      const org = () => world.call("GET", "/api/org", { token });
      expect((await org()).status).toBe(200);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Revoke weekly report" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke weekly report" }).waitFor({ state: "detached" });
      expect((await org()).status).toBe(401);

      await page.goto("/settings");
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("build machines");
      await page.getByLabel("Uses").fill("2");
      await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
      const key = (await page.getByRole("dialog").locator("code.code").first().innerText()).trim();
      const enrol = () => world.call("POST", "/api/auth/enrol", { body: { key, name: "runner" } });
      expect((await enrol()).json.access_token).toMatch(/^gha_/);
      await page.getByRole("button", { name: "Close" }).click();
      await page.reload();
      await page.getByText("1 use left").waitFor();
      await page.getByRole("button", { name: "Revoke build machines" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke build machines" }).waitFor({ state: "detached" });
      expect((await enrol()).status).toBeGreaterThanOrEqual(400);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "the plan is changed in the page: what it keeps and includes follows at once; one that is too small says so",
    async () => {
      for (let seats = 0; seats < 3; seats++) await world.person("auditor");
      const { page, context } = await enter();
      await page.goto("/settings");
      await page.getByText("kept for 90 days").waitFor();
      await page.getByRole("button", { name: "Change to Free" }).click();
      await page.getByRole("button", { name: "Change the plan" }).click();
      expect(await page.getByRole("alert").innerText()).toContain("allows 3 seats");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Change to Enterprise" }).click();
      await page.getByRole("button", { name: "Change the plan" }).click();
      await page.getByText("kept for ever").first().waitFor();
      await page.getByRole("button", { name: "Change to Team" }).click();
      await page.getByRole("button", { name: "Change the plan" }).click();
      await page.getByText("kept for 90 days").waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "every export is saved as a file: the log in four forms under the filters shown, coverage as OSCAL",
    async () => {
      const { page, context, problems } = await enter();
      await page.goto("/audit?type=policy.decision&decision=BLOCK&range=all");
      const rows = page.getByRole("listbox", { name: "Entries" }).getByRole("option");
      await rows.first().waitFor();
      const shown = await rows.count();
      const save = async (name: string) => {
        await page.getByRole("button", { name: "Export" }).click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("button", { name: new RegExp(`^${name}`) }).click(),
        ]);
        const stream = await download.createReadStream();
        let text = "";
        for await (const chunk of stream) text += String(chunk);
        return { name: download.suggestedFilename(), lines: text.trimEnd().split(/\r?\n/) };
      };
      const ndjson = await save("NDJSON");
      expect([ndjson.name, ndjson.lines.length]).toEqual(["audit-ndjson.jsonl", shown]);
      expect(ndjson.lines.every(line => JSON.parse(line).decision === "BLOCK")).toBe(true);
      const csv = await save("CSV");
      expect([csv.name, csv.lines.length, csv.lines[0]!.startsWith("seq,")]).toEqual(["audit.csv", shown + 1, true]);
      const ocsf = await save("OCSF");
      expect(JSON.parse(ocsf.lines[0]!)).toMatchObject({ metadata: { version: "1.8.0" } });
      const leaves = await save("Leaves");
      expect(leaves.lines.length).toBeGreaterThan(shown);
      expect(JSON.parse(leaves.lines[0]!)).toMatchObject({ seq: 0 });
      await page.goto("/compliance");
      const [oscal] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Export OSCAL" }).click(),
      ]);
      expect(oscal.suggestedFilename()).toMatch(/\.json$/);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );
});
