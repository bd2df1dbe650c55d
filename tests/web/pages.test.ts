import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pageModules, pagePaths } from "../../contract/pages.ts";
import { start, until } from "../harness.ts";
import { expectAccessible, openBrowser, openSignedIn, showIn } from "./browser.ts";
import { addressOf, makeWorld, PAGES, pathsFor } from "./page-list.ts";

/** A folder to write pictures of everything to; set by `look-at-pages.ts`. */
const pictures = process.env.SCREENSHOTS;
/** Whether everything is judged by all rules; set by `look-at-pages.ts`. */
const isLong = process.env.ALL_LOOKS === "1";

const app = await start({ pages: true });
const world = await makeWorld(app);

interface Look {
  readonly name: string;
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  /** By default that of a laptop. */
  readonly height?: number;
  /** Whether the reader’s system chooses the colours. */
  readonly isForced?: true;
  /** The rules that judge it, or those that do not because they judge another look. */
  readonly only?: readonly string[];
  readonly without?: readonly string[];
}

/** The widths and themes in which everything is looked at. */
const LOOKS: readonly Look[] = [
  { name: "light", colorScheme: "light", width: 1280, without: [] },
  { name: "dark", colorScheme: "dark", width: 1280, only: ["color-contrast"] },
  { name: "narrow", colorScheme: "light", width: 375, without: ["color-contrast"] },
  // 1280 by 1024 px at 400 %.
  { name: "zoomed", colorScheme: "light", width: 320, height: 256, without: ["color-contrast"] },
  { name: "forced", colorScheme: "dark", width: 1280, isForced: true, only: ["color-contrast"] },
  ...(isLong
    ? ([
        { name: "narrow-dark", colorScheme: "dark", width: 375 },
        { name: "zoomed-dark", colorScheme: "dark", width: 320, height: 256 },
        { name: "forced-light", colorScheme: "light", width: 1280, isForced: true },
        { name: "forced-narrow", colorScheme: "dark", width: 375, isForced: true },
      ] as const)
    : []),
];

const HEIGHT = 800;

/** Returns what has a box and is typed into, chosen from or pressed, with its height where that is not the one of all. */
const OTHER_HEIGHTS = `(() => {
  const isBoxed = (element, { borderTopColor, borderTopWidth, backgroundColor }) =>
    element.matches("input, select") || (borderTopWidth !== "0px" && !/, 0\\)$/.test(borderTopColor)) || !/, 0\\)$/.test(backgroundColor);
  const wanted = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--control"));
  return [...document.querySelectorAll("input:not([type=checkbox], [type=radio]), select, button, a.mantine-Button-root")]
    .filter((element) => element.checkVisibility() && isBoxed(element, getComputedStyle(element)))
    .map((element) => element.closest(".mantine-Input-input") ?? element)
    .map((element) => ({ element, height: element.getBoundingClientRect().height }))
    .filter(({ height }) => height > 1 && height !== wanted)
    .map(({ element, height }) => height + " px: " + element.outerHTML.slice(0, 200));
})()`;

/** Judges what shows in every look, without loading it again, and that it does not scroll sideways at 320 px. */
async function judge(page: Page, name: string): Promise<void> {
  for (const { name: look, colorScheme, width, height = HEIGHT, isForced, only, without } of LOOKS) {
    await page.setViewportSize({ width, height });
    if (isForced) {
      await page.emulateMedia({ colorScheme, forcedColors: "active" });
      // The components follow a moment later: judged between the two, they have the colours of both.
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    }
    if (!isForced) await showIn(page, colorScheme);
    await expectAccessible(page, isLong ? undefined : only, isLong ? [] : without);
    expect.soft(await page.evaluate(OTHER_HEIGHTS), `${name} ${look}: controls of another height`).toEqual([]);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}-${look}.png`), animations: "disabled" });
    if (isForced) await page.emulateMedia({ forcedColors: "none" });
  }
  await page.setViewportSize({ width: 320, height: HEIGHT });
  await expectAccessible(page, ["target-size", "link-name", "button-name"]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: HEIGHT });
}

/** Goes to another page as a link does, without loading the application again. */
async function visit(page: Page, path: string, shows: string): Promise<void> {
  const text = page.locator("#root").getByText(shows);
  expect(await text.count(), `${page.url()} shows what says that ${path} is complete`).toBe(0);
  await page.evaluate(`history.pushState({}, "", ${JSON.stringify(path)})`);
  await text.first().waitFor();
  await until(async () => (await page.getByText("Loading", { exact: true }).count()) === 0);
}

/** Opens each menu of the page that has not been judged yet. */
async function judgeMenus(page: Page, name: string, done: Set<string>): Promise<void> {
  for (const button of await page.locator("[aria-haspopup]:visible").all()) {
    const label = (await button.getAttribute("aria-label")) ?? (await button.innerText());
    const kind = label.replace(/( (for|of)|:) .*/, "");
    if (done.has(kind)) continue;
    done.add(kind);
    await button.click();
    // The button's own hint is another one, which shows once it has the focus again.
    const popover = page.locator("[popover=auto]:popover-open");
    await popover.waitFor();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    await judge(page, `${name}-menu-${done.size}`);
    // It stays open, so it was judged at every width, unless its button is shown only at some.
    await popover.waitFor();
    await page.keyboard.press("Escape");
    await popover.waitFor({ state: "hidden" });
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("false");
  }
}

/** Returns the paths of `router.tsx`, as `contract/pages.ts` writes them, each with the modules that are loaded for it. */
function routedPages(): Map<string, readonly string[]> {
  const source = readFileSync(new URL("../../web/src/app/router.tsx", import.meta.url), "utf8");
  const routes = new Map<string, { parent: string; path: string | undefined; module: string | undefined }>();
  for (const [, name = "", body = ""] of source.matchAll(/const (\w+) = createRoute\(\{([\s\S]*?)\n?\}\);/g)) {
    const parent = /getParentRoute: \(\) => (\w+)/.exec(body)?.[1] ?? "";
    const shared = /component: (\w+),/.exec(body)?.[1];
    const loads = shared ? (new RegExp(`const ${shared} = (.*);`).exec(source)?.[1] ?? "") : body;
    const module = /import\("(?:\.\.|\.)\/([^"]+)"\)/.exec(loads)?.[1];
    const path = /\bpath: "([^"]*)"/.exec(body)?.[1];
    routes.set(name, { parent, path, module: module && (module.includes("/") ? module : `app/${module}`) });
  }
  const parents = new Set([...routes.values()].map(({ parent }) => parent));
  const pathOf = (name: string): string => {
    const route = routes.get(name);
    return route === undefined ? "" : pathOf(route.parent) + (route.path === "/" ? "" : (route.path ?? ""));
  };
  const modulesOf = (name: string): string[] => {
    const route = routes.get(name);
    return route === undefined ? [] : [...modulesOf(route.parent), ...[route.module ?? []].flat()];
  };
  const pages = [...routes].filter(([name, { path }]) => path !== undefined && !parents.has(name));
  return new Map(pages.map(([name]) => [(pathOf(name) || "/").replaceAll("$", ":"), modulesOf(name)]));
}

test("every page of the application's router is one that the server serves, with the modules that it loads", () => {
  const routed = routedPages();
  expect(routed.size).toBeGreaterThan(20);
  expect([...routed.keys()].toSorted()).toEqual([...pagePaths].toSorted());
  // These only lead to another page, whose modules they name.
  const leading = {
    "/": pageModules["/estimations"],
    "/profile": pageModules["/profile/security"],
    "/admin": pageModules["/admin/users"],
  };
  expect({ ...Object.fromEntries(routed), ...leading }).toEqual(pageModules);
});

/** Pages that are judged in one document each: together they would take longer than a test may. */
const GROUPS = [
  ["for those who are not signed in", pathsFor(true)],
  [
    "of the list",
    pathsFor(false).filter((path) => /^\/(estimations(\/[^:]*)?|shared|reviews|docs|glossary|accuracy)?$/.test(path)),
  ],
  ["of teams", pathsFor(false).filter((path) => path.startsWith("/teams"))],
  ["of templates", pathsFor(false).filter((path) => path.startsWith("/templates"))],
  [
    "of an estimation and its work",
    pathsFor(false).filter((path) => /^\/estimations\/:id(\/(tasks|timeline|shares))?$/.test(path)),
  ],
  [
    "of an estimation's versions and reviews",
    pathsFor(false).filter((path) => /^\/estimations\/:id\/(?!tasks|timeline|shares)/.test(path)),
  ],
  ["of administrators", pathsFor(false).filter((path) => path.startsWith("/admin"))],
  ["of the profile", pathsFor(false).filter((path) => path.startsWith("/profile"))],
] as const;

test("every page belongs to one group", () => {
  expect(GROUPS.flatMap(([, paths]) => paths).toSorted()).toEqual([...pagePaths].toSorted());
});

test.each(GROUPS)(
  "the pages %s are accessible, wide, narrow, light, dark, with everything open",
  async (name, paths) => {
    const browser = await openBrowser(app);
    const isSignedOut = name === GROUPS[0][0];
    const page = isSignedOut ? await browser.newPage() : await openSignedIn(browser, world.user, "/docs");
    if (isSignedOut) await page.goto("/docs");
    await page.getByRole("searchbox").waitFor();
    // The bell comes a moment later: not while a page is judged.
    if (!isSignedOut) await page.getByRole("button", { name: /^Notifications/ }).waitFor();
    const menus = new Set<string>();
    for (const path of paths) {
      const { shows, dialogs = [] } = PAGES[path];
      const picture = path === "/" ? "home" : path.slice(1).replace(/\W+/g, "-");
      await visit(page, addressOf(path, world), shows);
      await judge(page, picture);
      await judgeMenus(page, picture, menus);
      for (const [index, open] of dialogs.entries()) {
        await open(page);
        await page.getByRole("dialog").waitFor();
        await judge(page, `${picture}-dialog-${index + 1}`);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "hidden" });
      }
    }
  },
);

test("lines are 32 px high, and 40 where fingers point at them", async () => {
  const paths = [
    "/estimations",
    "/estimations/:id",
    "/estimations/:id/tasks",
    "/profile/webhooks",
    "/admin/users",
  ] as const;
  const touch = { hasTouch: true, isMobile: true, viewport: { width: 1280, height: HEIGHT } };
  for (const [options, height] of [
    [{}, 32],
    [touch, 40],
  ] as const) {
    const page = await openSignedIn(await openBrowser(app, options), world.user, "/docs");
    await page.getByRole("searchbox").waitFor();
    for (const path of paths) {
      await visit(page, addressOf(path, world), PAGES[path].shows);
      await page.locator("tbody tr").first().waitFor();
      const heights = "[...document.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)";
      const least = Math.min(...(await page.evaluate<number[]>(heights)));
      expect([path, least >= height, least < height + 8]).toEqual([path, true, true]);
    }
  }
});
