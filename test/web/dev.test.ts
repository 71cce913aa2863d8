import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeBrowser, haveBrowser, open, SLOW_MS } from "./browser.ts";

/** `npm run dev` in a browser: signed in by a proxy whose token the page never sees, reloading when a source changes. */
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "gatehouse-dev-"));
let url: string;
let program: ReturnType<typeof Bun.spawn>;

async function start(): Promise<void> {
  const env = { ...process.env, PORT: "0", DEV_FOLDER: folder };
  program = Bun.spawn([process.execPath, "scripts/dev.ts"], { cwd: root, env, stdout: "pipe", stderr: "inherit" });
  const decoder = new TextDecoder();
  let said = "";
  for await (const chunk of program.stdout as ReadableStream<Uint8Array>) {
    said += decoder.decode(chunk);
    url = /The dashboard is at (http:[^,]+),/.exec(said)?.[1] ?? "";
    if (url) break;
  }
}

describe.skipIf(!haveBrowser)("local development", () => {
  beforeAll(start, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    program?.kill();
    await program?.exited;
    rmSync(folder, { recursive: true, force: true });
  }, SLOW_MS);

  test(
    "the page is signed in without a token of its own, and a changed source reloads it",
    async () => {
      const { page, context, problems } = await open(url);
      const sent = new Set<string | undefined>();
      page.on("request", request => {
        if (new URL(request.url()).pathname.startsWith("/api/")) sent.add(request.headers()["authorization"]);
      });
      // Who is told of a change is known to the server before it answers this.
      const listening = page.waitForResponse("**/__dev/reload");
      await page.goto("/");
      await listening;
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByText("Connect the first agent").waitFor();
      expect([...sent]).toEqual(["Bearer dev-proxy"]);
      const kept = await page.evaluate(() => JSON.stringify(localStorage) + JSON.stringify(sessionStorage));
      expect(kept).not.toMatch(/eyJ/);
      const who = await (await fetch(`${url}/__dev/session`)).text();
      expect(who).not.toMatch(/"token"|eyJ/);

      await page.evaluate(() => Object.assign(window, { before: true }));
      const reloaded = page.waitForEvent("load");
      const now = new Date();
      utimesSync(join(root, "src/web/styles.css"), now, now);
      await reloaded;
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(await page.evaluate(() => "before" in window)).toBe(false);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );
});
