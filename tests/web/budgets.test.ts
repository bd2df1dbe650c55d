import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { PagePath } from "../../contract/pages.ts";
import { preparePages } from "../../server/pages/index.ts";
import { start, until } from "../harness.ts";
import { openBrowser, openSignedIn, withoutStream } from "./browser.ts";
import { addressOf, makeWorld, PAGES, pathsFor } from "./page-list.ts";

const app = await start({ pages: true });
const world = await makeWorld(app);
const { assets } = await preparePages();

/** KB of scripts, with gzip, that a page may load more than the first page does. */
const MORE = 60;

/** KB of scripts, with gzip, that `page` loads to show `path` to somebody whose browser has nothing of it. */
async function kilobytesOf(page: Page, path: PagePath): Promise<number> {
  const loaded = new Set<string>();
  page.on("request", (request) => loaded.add(new URL(request.url()).pathname.slice("/assets/".length)));
  await page.goto(addressOf(path, world));
  await page.getByText(PAGES[path].shows).first().waitFor();
  await page.waitForLoadState("networkidle");
  const scripts = [...loaded].filter((name) => name.endsWith(".js"));
  return scripts.reduce((sum, name) => sum + (assets.get(name)?.gzip.length ?? 0), 0) / 1024;
}

test(`every page loads at most ${MORE} KB of scripts more than the first page`, async () => {
  const first = await kilobytesOf(await (await openBrowser(app)).newPage(), "/sign-in");
  const context = await withoutStream(await openBrowser(app));
  const more: [PagePath, number][] = [];
  for (const path of pathsFor(false)) {
    const page = await openSignedIn(context, world.user, "/glossary");
    more.push([path, (await kilobytesOf(page, path)) - first]);
    await page.close();
  }
  more.sort(([, one], [, other]) => other - one);
  const largest = more.slice(0, 5).map(([path, kilobytes]) => `${path} ${kilobytes.toFixed(0)} KB`);
  console.log(` beyond ${first.toFixed(0)} KB: ${largest.join(", ")}`);
  // Every page loads what all share, or nothing was counted.
  expect(first + Math.min(...more.map(([, kilobytes]) => kilobytes))).toBeGreaterThan(100);
  expect(more.filter(([, kilobytes]) => kilobytes > MORE)).toEqual([]);
});

/** Pages whose first reads `index.html` asks for beside the files of the application, and how many these are. */
const EARLY: readonly (readonly [PagePath, number])[] = [
  ["/estimations/:id", 2],
  ["/estimations/:id/activity", 2],
  ["/estimations/:id/versions", 3],
  ["/estimations/:id/compare", 6],
  ["/estimations/:id/print", 2],
  ["/estimations/:id/reviews", 1],
  ["/estimations/:id/reviews/:reviewId", 5],
  ["/estimations/:id/shares", 1],
  ["/estimations/:id/tasks", 1],
  ["/estimations/:id/timeline", 3],
];

/** Those that read the estimation later again, together with its tree. */
const READ_AGAIN: readonly PagePath[] = ["/estimations/:id", "/estimations/:id/compare", "/estimations/:id/print"];

test.each(EARLY)(
  "%s asks for %i of its reads before the application has started, and for none of them twice",
  async (path, count) => {
    const page = await openSignedIn(await withoutStream(await openBrowser(app)), world.user, "/glossary");
    const early: string[] = [];
    const reads: string[] = [];
    let hasStarted = false;
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/") && request.method() === "GET") {
        reads.push(pathname + search);
        if (!hasStarted) early.push(pathname + search);
      }
    });
    // The application's own file arrives once all early requests are sent.
    await page.route("**/assets/index-*.js", async (route) => {
      await until(() => early.length >= count);
      hasStarted = true;
      await route.continue();
    });
    await page.goto(addressOf(path, world));
    await page.getByText(PAGES[path].shows).first().waitFor();
    expect(early.length).toBe(count);
    const isReadAgain = (read: string) => READ_AGAIN.includes(path) && /\/est_\w+$/.test(read);
    const twice = early.filter((read) => !isReadAgain(read) && reads.filter((one) => one === read).length > 1);
    expect(twice).toEqual([]);
  },
);
