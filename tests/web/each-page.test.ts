import { expect, test } from "vitest";
import type { PagePath } from "../../contract/pages.ts";
import { start } from "../harness.ts";
import { openBrowser, openSignedIn, withoutStream } from "./browser.ts";
import { addressOf, makeWorld, PAGES, pathsFor } from "./page-list.ts";

const app = await start({ pages: true });
const world = await makeWorld(app);

/**
 * Hints that the keyboard does not reach: what has one can have the focus or lies in a control that can, or a control of its row
 * can, or another that can says the same. Times differ wherever they matter. In a row of a tree the pointer has shortcuts; of
 * the chosen line, the toolbar and the panel have the same.
 */
const UNREACHED = `(() => {
  const STOP = ":is(a[href], button, input, select, textarea, [tabindex]):not(main, h1, [tabindex='-1'], [popover] *), [role=toolbar] button";
  const isReached = (element) => {
    const row = element.closest("tbody tr");
    return element.closest(STOP) !== null || (row !== null && row.querySelector(STOP) !== null);
  };
  const all = [...document.querySelectorAll("#root [data-hint]")]
    .filter((element) => element.checkVisibility() && element.closest("[data-row]") === null);
  const reached = new Set(all.filter(isReached).map((element) => element.dataset.hint));
  return all
    .filter((element) => !isReached(element) && (element.matches("time") || !reached.has(element.dataset.hint)))
    .map(({ outerHTML }) => outerHTML.slice(0, 160));
})()`;

test("a hint that the keyboard does not reach is found", async () => {
  const page = await openSignedIn(await openBrowser(app), world.user, "/glossary");
  const unreached = async (html: string) => {
    await page.evaluate(`document.querySelector("main").innerHTML = ${JSON.stringify(html)}`);
    return await page.evaluate<string[]>(UNREACHED);
  };
  const time = '<time data-hint="12:00">now</time>';
  const row = (more: string) => `<table><tbody><tr><td>${time}</td><td>${more}</td></tr></tbody></table>`;
  for (const bad of [time, row(""), row(`<div popover><button>1</button></div>`), `<label>${time}<input></label>`])
    expect(await unreached(bad), bad).toHaveLength(1);
  const word = '<b data-hint="More" tabindex="0">1</b>';
  for (const good of [word, row("<button>1</button>"), `<a href="/">${time}</a>`, `${word}<i data-hint="More">2</i>`])
    expect(await unreached(good), good).toEqual([]);
});

/** Pages that only lead to another, and so have its title. */
const LEADING: readonly PagePath[] = ["/", "/admin", "/profile"];

test("every page has a title of its own, and the keyboard reaches all of its hints", async () => {
  const browser = await withoutStream(await openBrowser(app));
  const titles = new Map<string, PagePath[]>();
  const unreached: [PagePath, string[]][] = [];
  for (const isSignedOut of [true, false]) {
    const page = isSignedOut ? await browser.newPage() : await openSignedIn(browser, world.user);
    for (const path of pathsFor(isSignedOut)) {
      await page.goto(addressOf(path, world));
      await page.locator("#root").getByText(PAGES[path].shows).first().waitFor();
      await page.waitForLoadState("networkidle");
      const hints = await page.evaluate<string[]>(UNREACHED);
      if (hints.length > 0) unreached.push([path, hints]);
      const title = await page.title();
      if (!LEADING.includes(path)) titles.set(title, [...(titles.get(title) ?? []), path]);
    }
  }
  expect(unreached).toEqual([]);
  expect([...titles].filter(([, paths]) => paths.length > 1)).toEqual([]);
  expect([...titles.keys()].filter((title) => !/^\S.* · Estimation service$/.test(title))).toEqual([]);
});
