import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { sheetXml, workbookOf } from "../support/workbooks.ts";
import { expectAccessibleState, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const plan = (hours: string | number) =>
  workbookOf({
    sheets: {
      Plan: sheetXml([
        ["Checkout"],
        ["Nr.", "Aufgabe", "Aufwand (PT)", "Prio"],
        ["1", "Payment", null, null],
        ["1.1", "Card", "1-2-4", "high"],
        ["1.2", "Invoice", hours, null],
        [null, "Summe", 3, null],
      ]),
    },
  });

async function openImport(page: Page): Promise<void> {
  await page.getByText("From a file or outline").click();
  await page.getByRole("textbox", { name: "Outline or exported file" }).waitFor();
}

interface GivenFile {
  readonly name: string;
  readonly buffer: Buffer;
}

/** Answers the system's dialogs for files from now on; returns what opens one by the keyboard. */
function answerChoosers(page: Page): (button: string, file: GivenFile) => Promise<void> {
  let given: GivenFile | null = null;
  page.on("filechooser", (chooser) => void chooser.setFiles(given === null ? [] : { ...given, mimeType: XLSX }));
  return async (button, file) => {
    given = file;
    await page.getByRole("button", { name: button }).press("Enter");
  };
}

const estimations = async (token: string) => (await app.request("GET", "/api/estimations", { token })).data.estimations;

test("a spreadsheet is shown row by row, and made once that is confirmed", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/estimations/new");
  const choose = answerChoosers(page);
  await openImport(page);
  const preview = page.getByRole("region", { name: "Preview of the import" });

  // Some hours are not understood: nothing can be made.
  await choose("Choose a file", { name: "plan.xlsx", buffer: Buffer.from(plan("lots"), "base64") });
  await page.getByRole("alert").getByText("C5: “lots” is not understood as hours").waitFor();
  const rows = preview.getByRole("row");
  await rows.filter({ hasText: "Not understood" }).getByText("Invoice").waitFor();
  expect(await page.getByRole("button", { name: "Import", exact: true }).isDisabled()).toBe(true);

  await choose("Choose another file", { name: "plan.xlsx", buffer: Buffer.from(plan(0.5), "base64") });
  await rows.filter({ hasText: "Invoice" }).getByText("Option").waitFor();
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringContaining("Understood as"),
    expect.stringMatching(/^3\s+Payment\s+Question/),
    expect.stringMatching(/^4\s+Card\s+Option\s+8–16–32/),
    expect.stringMatching(/^5\s+Invoice\s+Option\s+4/),
    expect.stringMatching(/^6\s+Summe\s+Left out\s+A total/),
  ]);
  await preview.getByText("1 question, 2 options").waitFor();
  await preview.getByText("Aufwand (PT) as hours (1 is 8 h)").waitFor();
  await preview.getByText("Not read: Prio.").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  await expectAccessibleState(page);
  expect(await estimations(user.token)).toEqual([]);

  const title = page.getByRole("textbox", { name: "Title" });
  expect(await title.inputValue()).toBe("Checkout");
  await title.fill("Checkout 2");
  await title.press("Enter");
  await page.getByRole("gridcell", { name: "Payment" }).first().waitFor();
  expect(await estimations(user.token)).toMatchObject([{ title: "Checkout 2" }]);
});

test("CSV of other programs is dropped, also on a phone", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(
    await openBrowser(app, { viewport: { width: 375, height: 700 } }),
    user,
    "/estimations/new",
  );
  await openImport(page);
  // "Größe;Stunden" in Windows-1252.
  const bytes = [...Buffer.from("Aufgabe;Stunden\r\nGr\xf6\xdfe;1,5\r\n", "latin1")];
  const transfer = await page.evaluateHandle(`(() => {
    const all = new DataTransfer();
    all.items.add(new File([Uint8Array.from(${JSON.stringify(bytes)})], "Angebot.csv"));
    return all;
  })()`);
  await page
    .getByRole("textbox", { name: "Outline or exported file" })
    .dispatchEvent("drop", { dataTransfer: transfer });
  await page.getByText("Größe").waitFor();
  expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Angebot");
  await expectAccessibleState(page);
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.waitForURL(/\/estimations\/est_/);
  expect(await estimations(user.token)).toMatchObject([{ title: "Angebot" }]);
});

test("a file that cannot be read is told by its name, and one can go back", async () => {
  const user = await app.signUp();
  const page = await openSignedIn(await openBrowser(app), user, "/estimations/new");
  const choose = answerChoosers(page);
  await openImport(page);
  await page.getByRole("textbox", { name: "Outline or exported file" }).fill("kept");
  const old = Buffer.from("d0cf11e0a1b11ae10000", "hex");
  await choose("Choose a file", { name: "old.xls", buffer: old });
  await page.getByText("old.xls is an old workbook (.xls), or has a password: save it as .xlsx without one.").waitFor();
  await choose("Choose another file", { name: "large.csv", buffer: Buffer.alloc(10 * 1024 ** 2 + 1, "a") });
  await page.getByText("large.csv must be at most 10 MiB.").waitFor();
  await page.getByRole("button", { name: "Outline or text file" }).click();
  expect(await page.getByRole("textbox", { name: "Outline or exported file" }).inputValue()).toBe("kept");
});
