import type { Page } from "playwright-core";
import { type TestApp, type TestUser, until } from "../harness.ts";

/** Imports an estimation as `user`, and returns its id. */
export async function importAs(app: TestApp, { token }: TestUser, content: string, format = "outline") {
  const { data, text } = await app.request("POST", "/api/estimations/import", { token, body: { format, content } });
  if (!data.estimation) throw new Error(text);
  return String(data.estimation.id);
}

/** Returns the lines of the outline of an estimation as the server has it. */
export async function storedOutline(app: TestApp, { token }: TestUser, id: string): Promise<string> {
  const { text } = await app.request("GET", `/api/estimations/${id}/export?format=markdown`, { token });
  return text.slice(text.indexOf("- "));
}

/** Waits until the editor says that everything is saved. */
export const saved = (page: Page): Promise<void> => page.getByText("Saved", { exact: true }).waitFor();

/** Clicks the button of this name. */
export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole("button", { name, exact: true }).click();

/** Presses keys, one after the other. */
export async function keys(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await page.keyboard.press(name);
}

/**
 * Waits until what a page loads two seconds after it shows is there, beside the bell that of `more`, with all that it imports:
 * a part that is under way when the connection is lost is said to be missing.
 */
export async function loadedLater(page: Page, ...more: readonly ("live-people" | "live-tree")[]): Promise<void> {
  const files = JSON.stringify(["bell", "stream", ...more].map((name) => `/assets/${name}-`));
  await until(() =>
    page.evaluate<boolean>(`(async () => {
      const loaded = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"));
      const awaited = ${files}.map((file) => loaded.find((name) => name.includes(file)));
      if (awaited.includes(undefined)) return false;
      // A file that is asked for twice is there when it, and what it imports, has been evaluated.
      await Promise.all(awaited.map((name) => import(name)));
      return [...document.querySelectorAll("link[rel=stylesheet]")].every(({ sheet }) => sheet !== null);
    })()`),
  );
}

/** Adds a line by these keys, and waits until its title can be typed: right after the editor has shown, its id may be under way. */
export async function addLine(page: Page, keys = "Control+Enter"): Promise<void> {
  await page.keyboard.press(keys);
  await newLine(page);
}

/** Waits until the title of a new line can be typed. */
export const newLine = (page: Page): Promise<void> =>
  page.getByRole("textbox", { name: /New (option|question)/ }).waitFor();

/** Holds back the requests of this method to paths that match, until they are released, and counts them. */
export async function hold(page: Page, path: RegExp, method: string) {
  let release = (): void => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const requests = { count: 0 };
  await page.route(path, async (route) => {
    if (route.request().method() === method) {
      requests.count += 1;
      await held;
    }
    await route.continue();
  });
  return { requests, release };
}
