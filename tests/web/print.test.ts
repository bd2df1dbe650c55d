import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { readPdf } from "../support/pdf.ts";
import { importAs, keys } from "./actions.ts";
import { expectAccessibleState, openBrowser, openSignedIn, showIn } from "./browser.ts";

const app = await start({ pages: true, at: "2026-12-01T09:30:00Z" });

const QUESTIONS = 40;
/** Several pages of questions, with what makes lines of different heights. */
const OUTLINE = `# Web shop for the whole of Europe

- Payment (choose one)
  - [x] Card: 4-16-34 @backend
  - [ ] Invoice: 6
${Array.from(
  { length: QUESTIONS },
  (_, at) => `- Question ${at}
  - First of ${at}: 4-8-20 @frontend
  - ${`Second of ${at}, with a title that needs ${at % 3 === 0 ? "more room than one line has, so that it goes on below" : "little"}`}: 2-3-9 @backend
    - Below ${at} (choose any)
      - [x] Chosen below ${at}: 1-2-3
      - [ ] Left below ${at}: 50
`,
).join("")}`;

const FORMATS = [
  ["A4", 595],
  ["Letter", 612],
] as const;

/** What stands alone at the end of no page: it belongs to what follows it. */
const HEADING =
  /^(Assumptions|Estimate|What makes it uncertain|Hours by role|Questions and options|Milestones|Tasks|What is included|(Question|Below) \d+\b(?!:)|Payment(?!:)|Question or option|Option |Task )/;

/** Prints what a page shows, in both formats; judges what every printed page has, and returns their lines without their edges. */
async function expectPrinted(page: Page, title: string): Promise<string[][]> {
  const printed: string[][] = [];
  for (const [format, width] of FORMATS) {
    const { pages, images, width: found } = await readPdf(await page.pdf({ format }));
    expect(Math.round(found)).toBeCloseTo(width, -1);
    // Curves and ranges are drawn, not photographed.
    expect(images).toBe(0);
    expect(pages.length).toBeGreaterThan(1);
    const inner = pages.map((lines, at) => {
      expect(lines.at(-1)?.replaceAll(" ", "")).toBe(`${at + 1}/${pages.length}`);
      expect(lines.at(-2)).not.toMatch(HEADING);
      // The first page has it as its heading, the others at their edge.
      const from = at === 0 ? lines.indexOf(title) : lines.findIndex((line) => line.startsWith(title));
      expect(from, lines.join("\n")).toBe(at === 0 ? from : 0);
      expect(from).toBeGreaterThanOrEqual(0);
      return lines.slice(from + 1, -1);
    });
    printed.splice(0, printed.length, ...inner);
  }
  return printed;
}

const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });

/** Opens the document of an estimation, and waits until all of it is there. */
async function openDocument(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Print", exact: true, disabled: false }).waitFor();
  await page.getByRole("table").first().waitFor();
}

test("Ctrl+P in the editor prints the whole tree, with what was just typed, as a document", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const body = { assumptions: "The client translates all texts." };
  await app.request("PATCH", `/api/estimations/${id}`, { token: owner.token, body });
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  await page.getByRole("gridcell", { name: "Invoice" }).first().focus();
  await keys(page, "F2");
  await page.getByRole("textbox", { name: /Invoice/ }).fill("Bill");
  await keys(page, "Control+p");
  await until(() => page.url().endsWith(`/estimations/${id}/print`));
  await openDocument(page);
  await expectAccessibleState(page);
  const pages = await expectPrinted(page, "Web shop for the whole of Europe");
  const [first = []] = pages;
  expect(first[0]).toMatch(/^Revision \d+ · Draft · \d+ \w+ \d{4}$/);
  for (const text of ["Estimate", "80% likely to take no longer", "What makes it uncertain", "Hours by role"])
    expect(first).toContainEqual(expect.stringContaining(text));
  expect(first.join("\n")).toMatch(/P50 +P90 +P95/);
  const lines = pages.flat();
  expect(lines).toEqual(expect.arrayContaining(["Assumptions", body.assumptions]));
  for (let at = 0; at < QUESTIONS; at += 1) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^First of ${at} +frontend +4 +8 +20 +9.3$`)));
    expect(lines).toContainEqual(expect.stringContaining(`Left below ${at}`));
  }
  expect(lines).toContainEqual(expect.stringContaining("Bill"));
  const heads = pages.map((page) => page.filter((line) => /^Question or option +Role +Low +Likely +High/.test(line)));
  expect(heads.slice(1).map((found) => found.length)).toEqual(heads.slice(1).map(() => 1));
  for (const control of ["What to print", "Print", "Request review", "Search", "Shared", "Descriptions of lines"])
    expect(lines.filter((line) => line.includes(control))).toEqual([]);
});

test("the parts that are left out stay out, as the address says, and what is left fills no empty pages", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}`);
  await page.getByRole("button", { name: "Other actions" }).click();
  await page.getByRole("menuitem", { name: "Print or save as PDF" }).click();
  await openDocument(page);
  await box(page, "Options that don’t count").uncheck();
  await page.getByText("Left below 0").waitFor({ state: "detached" });
  expect(await page.getByText("Chosen below 0").count()).toBe(1);
  await page.reload();
  await openDocument(page);
  expect(await page.getByText("Left below 0").count()).toBe(0);
  await box(page, "Questions and options").uncheck();
  await page.getByText("Chosen below 0").waitFor({ state: "detached" });
  expect(await box(page, "Descriptions of lines").isDisabled()).toBe(true);
  const { pages } = await readPdf(await page.pdf({ format: "A4" }));
  expect(pages.length).toBe(1);
  expect(pages.flat()).toContainEqual(expect.stringMatching(/^Hours by role/));
  await box(page, "Questions and options").check();
  await page.getByText("Chosen below 0").waitFor();
  expect(await page.getByText("Left below 0").count()).toBe(0);
});

test("whoever only reads prints as well: tasks with their days, milestones, the submitted version, on light paper in the dark", async () => {
  const [owner, reader] = [await app.signUp(), await app.signUp()];
  const id = await importAs(app, owner, OUTLINE);
  const send = (method: string, path: string, body?: object) =>
    app.request(method, `/api/estimations/${id}${path}`, { token: owner.token, ...(body && { body }) });
  const { share } = (await send("POST", "/shares", { email: reader.email, permission: "view" })).data;
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: reader.token });
  await send("POST", "/submit");
  await send("POST", "/tasks/generate");
  await send("PUT", "/timeline", { startDate: "2027-01-04" });
  await send("POST", "/milestones", { title: "Beta", dueDate: "2027-12-01" });
  const page = await openSignedIn(await openBrowser(app), reader, `/estimations/${id}/print`);
  await page.getByRole("row", { name: /^Beta/ }).waitFor();
  await openDocument(page);
  await showIn(page, "dark");
  const pages = await expectPrinted(page, "Web shop for the whole of Europe");
  expect(pages[0]?.[0]).toMatch(/ · Version 1 · Tasks generated · /);
  const lines = pages.flat();
  expect(lines).toContainEqual(expect.stringMatching(/^Beta +1 Dec 2027 +\d+%/));
  expect(lines).toContainEqual(expect.stringMatching(/^(Payment: )?Card +backend +17 +4 Jan 2027 +\d/));
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const colours = await page.evaluate(`[document.body, document.querySelector("h1"), document.querySelector("td")]
    .map((element) => getComputedStyle(element).color)`);
  expect(colours).toEqual(["rgb(0, 0, 0)", "rgb(0, 0, 0)", "rgb(0, 0, 0)"]);
});

test("the page for a client prints as a document, without what is pressed or typed into", async () => {
  const owner = await app.signUp();
  const id = await importAs(app, owner, OUTLINE);
  const body = { title: "Our offer", shows: "hoursRange", percentile: "p80", choices: true, descriptions: true };
  const { data } = await app.request("POST", `/api/estimations/${id}/links`, { token: owner.token, body });
  const page = await (await openBrowser(app)).newPage();
  await page.goto(`${app.url}${new URL(String(data.url)).pathname}`);
  await page.getByText("Your answer").waitFor();
  const pages = await expectPrinted(page, "Our offer");
  expect(pages.flatMap((lines) => lines.filter((line) => line.startsWith("What is included")))).toHaveLength(
    pages.length,
  );
  const lines = pages.flat();
  for (let at = 0; at < QUESTIONS; at += 1) expect(lines).toContainEqual(expect.stringContaining(`Chosen below ${at}`));
  for (const control of ["Accept", "Your answer", "E-mail", "Send comment", "Choose", "Left below", "Invoice"])
    expect(lines.filter((line) => line.includes(control))).toEqual([]);
});

test("a thousand questions print with all of their lines", async () => {
  const owner = await app.signUp();
  const lines = Array.from({ length: 1_000 }, (_, at) => `- Question ${at}\n  - Option ${at}a: 1-2-3\n`);
  const id = await importAs(app, owner, `# Large\n\n${lines.join("")}`);
  const page = await openSignedIn(await openBrowser(app), owner, `/estimations/${id}/print`);
  await openDocument(page);
  const { pages } = await readPdf(await page.pdf({ format: "A4" }));
  const options = pages.flat().filter((line) => /^Option \d+a +1 +2 +3 +2$/.test(line));
  expect(options.length).toBe(1_000);
});
