import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

/** Chromium as Debian ships it; elsewhere CHROMIUM names it. */
export const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
export const haveBrowser = existsSync(CHROMIUM);
if (!haveBrowser) process.stderr.write(`Browser tests are skipped: there is no ${CHROMIUM}.\n`);

/** What a test, or one step of it, may take on a machine that does much else. Who waits longer waits for nothing. */
export const SLOW_MS = 180_000;

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
];

/** A page that knows what went wrong on it. */
export interface Watched {
  page: Page;
  context: BrowserContext;
  /** Console errors, uncaught exceptions, refusals of the content security policy. */
  problems: string[];
  /** Requests to the API: `GET /api/org`. */
  calls: Set<string>;
  /** Requests to any other origin. */
  elsewhere: string[];
}

let browser: Promise<Browser> | undefined;
/** A start that failed is tried again by whoever asks next. */
export const launch = (): Promise<Browser> =>
  (browser ??= chromium
    .launch({ executablePath: CHROMIUM, args: flags, headless: true, timeout: SLOW_MS })
    .catch(error => {
      browser = undefined;
      throw error;
    }));

export async function closeBrowser(): Promise<void> {
  const open = browser;
  browser = undefined;
  await (await open)?.close();
}

export interface Look {
  width?: number;
  height?: number;
  dark?: boolean;
}

export async function open(url: string, { width = 1280, height = 860, dark = false }: Look = {}): Promise<Watched> {
  const context = await (await launch()).newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(SLOW_MS);
  const page = await context.newPage();
  const watched: Watched = { page, context, problems: [], calls: new Set(), elsewhere: [] };
  page.on("console", message => {
    // A refused call is shown on the page; the browser's own line about it is no news.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      watched.problems.push(message.text());
  });
  page.on("pageerror", error => watched.problems.push(String(error)));
  page.on("request", request => {
    const asked = new URL(request.url());
    if (asked.protocol === "data:" || asked.protocol === "blob:") return;
    if (asked.origin !== new URL(url).origin) watched.elsewhere.push(request.url());
    else if (asked.pathname.startsWith("/api/")) watched.calls.add(`${request.method()} ${asked.pathname}`);
  });
  return watched;
}

/** Nothing is loading any more, and what changed has been painted. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-label="Loading"], [aria-busy="true"]') === null);
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function signIn({ page }: Pick<Watched, "page">, email: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The session has ended here once the way in stands there again: before, whoever opens another page takes it along. */
export async function signOut({ page }: Pick<Watched, "page">): Promise<void> {
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
}
