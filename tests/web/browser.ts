import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium, NO_CHROMIUM } from "../../scripts/chromium.ts";
import type { TestApp, TestUser } from "../harness.ts";
import { atEndOfFile } from "../support/end-of-file.ts";

/** The tests run as root in containers, without graphics; the rest keeps Chromium from asking its maker's servers. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | undefined;

/** One browser for all files that the process runs; it ends with the process. */
function sharedBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  browser ??= chromium.launch({ executablePath, args: FLAGS });
  return browser;
}

/** What a page must never do: collected while it is open, and judged at the end of the file. */
const complaints: string[] = [];

/** A browser of its own, with nothing stored. Errors, requests to other origins and breaches of the policy fail the file. */
export async function openBrowser(app: TestApp, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext({ baseURL: app.url, locale: "en-GB", ...options });
  context.on("page", (page) => {
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.stack}`));
    page.on("console", (message) => {
      // Refused requests are part of what is tested; what refuses them is the service.
      const isExpected = /^Failed to load resource/.test(message.text());
      if (message.type() === "error" && !isExpected) complaints.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== app.url && protocol !== "data:" && protocol !== "blob:")
        complaints.push(`a request to ${request.url()}`);
    });
  });
  atEndOfFile(async () => {
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
  return context;
}

/** Opens a page for `user`, who signs in by the form. */
export async function openSignedIn(context: BrowserContext, user: TestUser, path = "/estimations"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(path);
  await page.getByLabel("E-mail address").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").waitFor();
  return page;
}

const FADED_IN = `(async () => {
  const isEnding = (animation) => animation.effect.getTiming().iterations !== Infinity;
  await Promise.allSettled(document.getAnimations().filter(isEnding).map((animation) => animation.finished));
})()`;

/** Judges what shows now by all rules of axe, or by `rules`, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // What is still fading in would be judged too pale.
  await page.evaluate(FADED_IN);
  const axe = new AxeBuilder({ page });
  const { violations } =
    rules?.length === 0 ? { violations: [] } : await (rules ? axe.withRules([...rules]) : axe).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
  expect(found, page.url()).toEqual([]);
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  expect(isWide, `${page.url()} scrolls sideways`).toBe(false);
}
