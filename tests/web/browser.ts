import axe from "axe-core";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";
import { type TestApp, type TestUser, until } from "../harness.ts";
import { patient } from "../support/patience.ts";

let browser: Promise<Browser> | undefined;

/** Connects to the one browser of the run; what this process opens in it is closed when the process ends. */
async function connect(): Promise<Browser> {
  const response = await fetch(inject("browser"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return await chromium.connect(text);
}

/**
 * A browser with nothing stored, for one test: call it in the test, at whose end it is closed. Errors, requests to other
 * origins and breaches of the policy fail the test, unless they match `expected`.
 */
export async function openBrowser(
  app: TestApp,
  options: BrowserContextOptions = {},
  expected?: RegExp,
): Promise<BrowserContext> {
  const complaints: { readonly page: Page; readonly text: string }[] = [];
  browser ??= connect();
  const context = await (await browser).newContext({ baseURL: app.url, locale: "en-GB", ...options });
  // The same time as in all other tests: the default of half a minute may be too short on a busy machine.
  context.setDefaultTimeout(patient(150_000));
  context.on("page", (page) => {
    const complain = (text: string) => void complaints.push({ page, text });
    page.on("pageerror", (error) => complain(`${page.url()}: ${error.stack}`));
    page.on("console", (message) => {
      // Refused requests are part of what is tested; what refuses them is the service.
      const isExpected = /^Failed to load resource/.test(message.text());
      if (message.type() === "error" && !isExpected) complain(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== app.url && protocol !== "data:" && protocol !== "blob:") complain(`a request to ${request.url()}`);
    });
  });
  onTestFinished(async ({ task }) => {
    // What a test that failed was waiting for is told by what showed instead.
    if (task.result?.state === "fail")
      for (const page of context.pages()) {
        const focused = page.evaluate("document.activeElement?.outerHTML.slice(0, 300)").catch(String);
        console.log(page.url(), await page.innerText("body").catch(String), "\nThe focus is on", await focused);
      }
    // A page that is closed while a part of it is under way complains about that.
    const isCut = ({ page, text }: (typeof complaints)[0]) => page.isClosed() && text.includes("dynamically imported");
    const found = complaints.filter((complaint) => !isCut(complaint)).map(({ text }) => text);
    await context.close();
    expect(found.filter((text) => !expected?.test(text))).toEqual([]);
  });
  return context;
}

/** Keeps what others do from the pages of a browser as it happens: they look for it themselves, as behind a proxy that holds streams back. */
export const withoutStream = async (context: BrowserContext): Promise<BrowserContext> => {
  await context.route("**/api/live", (route) => route.abort());
  return context;
};

/** Signs in by the form, which `page` shows. */
export async function signIn(page: Page, user: TestUser): Promise<void> {
  await page.getByLabel("E-mail address").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens a page for `user` in a browser where the form has signed them in before. */
export async function openSignedIn(context: BrowserContext, user: TestUser, path = "/estimations"): Promise<Page> {
  const { token } = user;
  const response = await context.request.get("/api/auth/me", { headers: { authorization: `Bearer ${token}` } });
  const { id: userId, email, name, emailVerifiedAt, isAdministrator } = (await response.json()).data.user;
  const isVerified = emailVerifiedAt !== null;
  const session = { token, userId, email, name, isVerified, isAdministrator, receivedAt: Date.now() };
  const page = await context.newPage();
  // What the application keeps (`web/src/api/session.ts`), put there before the tab's first document runs.
  await page.addInitScript(`if (sessionStorage.getItem("signed-in") === null) {
    sessionStorage.setItem("signed-in", "");
    localStorage.setItem("estimation-session", ${JSON.stringify(JSON.stringify(session))});
  }`);
  await page.goto(path);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return page;
}

const FADED_IN = `(async () => {
  // What is not rendered, such as what is folded, ends without telling.
  const isSeen = ({ playState, effect }) =>
    playState !== "finished" && effect.getTiming().iterations !== Infinity && effect.target?.checkVisibility();
  await Promise.allSettled(document.getAnimations().filter(isSeen).map((animation) => animation.finished));
})()`;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * Judges what `page` shows now by all rules of axe, or by those of `only`, or by all but `without`, and then also by the
 * size of what is pressed, which is off by default. Checks too that it does not scroll sideways. A document loads
 * axe once: its own wrapper for Playwright loads it twice for each time that something is judged.
 */
export async function expectAccessible(
  page: Page,
  only?: readonly string[],
  without?: readonly string[],
): Promise<void> {
  // What is still fading in would be judged too pale.
  await page.evaluate(FADED_IN);
  if (only?.length !== 0) {
    if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
    const off = (without ?? []).map((rule) => [rule, { enabled: false }]);
    const chosen = only
      ? { runOnly: { type: "rule", values: only } }
      : { rules: { "target-size": { enabled: without !== undefined }, ...Object.fromEntries(off) } };
    const violations = await page.evaluate<Violation[]>(
      `axe.run(document, ${JSON.stringify({ resultTypes: ["violations"], ...chosen })}).then(({ violations }) =>
         violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
    );
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`);
    expect(found, page.url()).toEqual([]);
  }
  const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  expect(isWide, `${page.url()} scrolls sideways`).toBe(false);
}

/** What a page is painted on, so that nothing is judged before its theme is there. */
export const BACKGROUNDS = { light: "rgb(255, 255, 255)", dark: "rgb(21, 23, 26)" };

/** Shows `page` in a theme. */
export async function showIn(page: Page, colorScheme: keyof typeof BACKGROUNDS): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  await until(async () => (await background()) === BACKGROUNDS[colorScheme]);
}

/** Judges a state of a page, which shows in light: narrow by all rules, wide and in the dark by those about colours. */
export async function expectAccessibleState(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 375, height });
  await expectAccessible(page, undefined, []);
  await page.setViewportSize({ width: 320, height });
  await expectAccessible(page, []);
  await page.setViewportSize({ width, height });
  await showIn(page, "dark");
  await expectAccessible(page, ["color-contrast"]);
  await showIn(page, "light");
}
