import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { openBrowser, openSignedIn } from "./browser.ts";

/** Left, top, width and height in pixels. */
type Box = [number, number, number, number];
const BOXES = `[...document.querySelectorAll("h1, a, button, input, th, td")].map((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left, top, width, height];
})`;

const FONT_BYTES = `performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".woff2"))
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`;

const app = await start({ pages: true });

test("the letters are Inter, from one file of at most 60 KB until a text needs others, and nothing moves when they come", async () => {
  const user = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Web shop" } });
  const page = await openSignedIn(await openBrowser(app), user, "/docs");
  const fonts: string[] = [];
  const held = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    fonts.push(new URL(route.request().url()).pathname.replace(/^.*\/(inter-[a-z-]+)-wght.*$/, "$1"));
    await held.promise;
    await route.continue();
  });
  await page.goto("/estimations", { waitUntil: "commit" });
  await page.getByText("1 estimation").waitFor();
  const isLoaded = (text: string) => page.evaluate<boolean>(`document.fonts.check("14px 'Inter Variable'", "${text}")`);
  expect(await isLoaded("a")).toBe(false);
  // The letters until then, which are as wide as Inter's, are those of a font that desktops have (Debian: fonts-liberation).
  const fallback = `document.fonts.load("14px 'Inter Fallback'").then((faces) => faces.map(({ status }) => status))`;
  expect(await page.evaluate(fallback)).toEqual(["loaded"]);
  const before = await page.evaluate<Box[]>(BOXES);
  held.resolve();
  await page.evaluate("document.fonts.ready");
  await expect.poll(() => isLoaded("a")).toBe(true);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const after = await page.evaluate<Box[]>(BOXES);
  expect(after.length).toBeGreaterThan(10);
  const farthest = (box: Box, at: number) =>
    Math.max(...box.map((side, each) => Math.abs(side - (before[at]?.[each] ?? 0))));
  // Letters are not all as wide as those of the other font: some words end a little further left or right.
  expect(after.flatMap((box, at) => (farthest(box, at) > 12 ? [[box, before[at]]] : []))).toEqual([]);
  expect([...new Set(fonts)]).toEqual(["inter-latin"]);
  const bytes = await page.evaluate<number>(FONT_BYTES);
  expect(bytes).toBeGreaterThan(10 * 1024);
  expect(bytes).toBeLessThanOrEqual(60 * 1024);
  const patched = await app.request("PATCH", `/api/estimations/${data.estimation?.id}`, {
    token: user.token,
    body: { title: "Sklep w Łodzi" },
  });
  expect(patched.status).toBe(200);
  await page.reload();
  await page.getByText("Sklep w Łodzi").waitFor();
  await expect.poll(() => [...new Set(fonts)]).toEqual(["inter-latin", "inter-latin-ext"]);
});
