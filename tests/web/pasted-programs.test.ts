import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { start } from "../harness.ts";
import { importAs, keys, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

interface Program {
  readonly text: string;
  /** What the line says that shows afterwards. */
  readonly lines: number;
  readonly levels: number;
  readonly hours: string;
  /** What is stored behind the question that was there. */
  readonly stored: string;
}

/** The shop with what is chosen of its checkout. */
const shop = (checkout: string, [card, invoice]: readonly [string, string]) => `- Checkout${checkout}
  - ${card}Card: 4-16-34
  - ${invoice}Invoice: 16
    - Invoice
      - PDF: 3
      - Mail: 5
  - ${card}Vouchers: 12
- Search
  - Index: 8
  - Ranking: 12
`;

/** The same shop, as each of these programs writes it. */
const programs: Readonly<Record<string, Program>> = {
  // LibreOffice 7.4: the text of cells that are copied.
  LibreOffice: {
    text: "Aufgabe\tMin\tWahrscheinlich\tMax\tRolle\nAnmeldung\t2\t4\t8\tBackend\nSuche\t1.5\t3\t8.25\tBackend\nRechnung\t1000.5\t1200\t2000\tFrontend\n",
    ...{ lines: 3, levels: 1, hours: "1,308 expected hours" },
    stored: "  - Anmeldung: 2-4-8 @Backend\n  - Suche: 1.5-3-8.25 @Backend\n  - Rechnung: 1000.5-1200-2000 @Frontend\n",
  },
  // pandoc 2.17, from Markdown to Org.
  Org: {
    text: "* Web shop\n  :PROPERTIES:\n  :CUSTOM_ID: web-shop\n  :END:\n** Checkout\n   :PROPERTIES:\n   :CUSTOM_ID: checkout\n   :END:\n- Card: 4-16-34\n- Invoice: 2d\n  - PDF: 3h\n  - Mail: 5h\n- Vouchers: 1.5 days\n\n** Search\n   :PROPERTIES:\n   :CUSTOM_ID: search\n   :END:\n1. Index: 8h\n2. Ranking: 1d 4h\n",
    ...{ lines: 10, levels: 4, hours: "73 expected hours" },
    stored: `- Web shop
  - Checkout
    - Checkout
      - Card: 4-16-34
      - Invoice: 16
        - Invoice
          - PDF: 3
          - Mail: 5
      - Vouchers: 12
  - Search
    - Search
      - Index: 8
      - Ranking: 12
`,
  },
  // pandoc 2.17, GitHub's Markdown.
  pandoc: {
    text: "# Web shop\n\n## Checkout\n\n-   Card: 4-16-34\n-   Invoice: 2d\n    -   PDF: 3h\n    -   Mail: 5h\n-   Vouchers: 1.5 days\n\n## Search\n\n1.  Index: 8h\n2.  Ranking: 1d 4h\n",
    ...{ lines: 10, levels: 3, hours: "73 expected hours" },
    stored: shop("", ["", ""]),
  },
  // A page that Notion exports: properties below its title, two spaces behind each box.
  Notion: {
    text: "# Web shop\n\nOwner: Ada Lovelace\nCreated: January 12, 2026 10:04 AM\n\n## Checkout\n\n- [ ]  Card: 4-16-34\n- [x]  Invoice: 2d\n    - PDF: 3h\n    - Mail: 5h\n- [ ]  Vouchers: 1.5 days\n\n---\n\n## Search\n\n1. Index: 8h\n2. Ranking: 1d 4h\n",
    ...{ lines: 10, levels: 3, hours: "20 to 73 expected hours, by what is chosen" },
    stored: shop(" (choose any)", ["[ ] ", "[x] "]),
  },
  // A board that Trello exports.
  Trello: {
    text: 'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,List ID,List Name,Board ID,Board Name,Archived\n65a1,Login (4-8-20h),https://trello.com/c/abc,,Backend (green),,,1,To do,b1,Web shop,false\n65a2,Mail: 3h,https://trello.com/c/abd,,,,,2,Later,b1,Web shop,false\n65a3,Search: 2d,https://trello.com/c/abe,"Full text, with filters",,,,1,To do,b1,Web shop,false\n',
    ...{ lines: 3, levels: 2, hours: "28.3 expected hours" },
    stored: "- To do\n  - Login: 4-8-20\n  - Search: 16\n    > Full text, with filters\n- Later\n  - Mail: 3\n",
  },
  // A message of a chat.
  chat: {
    text: "Ada Lovelace\n  10:04 AM\nMy guess for the shop:\n• Login: 2d\n• Search: ~4h\n    ◦ Ranking: 6h\n• Export (8h)\n",
    ...{ lines: 4, levels: 2, hours: "34 expected hours" },
    stored: "- New question\n  - Login: 16\n  - Search: 4\n    - Search\n      - Ranking: 6\n  - Export: 8\n",
  },
};

const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 640 }, hasTouch: true, isMobile: true };

test.each<[string, BrowserContextOptions]>([
  ["in English", { locale: "en-GB" }],
  ["in German", { locale: "de-DE" }],
  ["on a phone", PHONE],
])("what other programs write is pasted with its hours: %s", async (_, options) => {
  const user = await app.signUp();
  const browser = await openBrowser(app, options);
  const isGerman = options.locale === "de-DE";
  for (const [name, program] of Object.entries(programs)) {
    const id = await importAs(app, user, `# ${name}\n\n- Scope\n`);
    const page = await openSignedIn(browser, user, `/estimations/${id}`);
    await page.getByRole("row", { name: "Scope" }).getByRole("gridcell").first().focus();
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", ${JSON.stringify(program.text)});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /^Add/ }).waitFor();
    console.log(name, await dialog.innerText());
    await expectAccessible(page);
    await keys(page, "Enter");
    const said = page.getByText(/ added, /).first();
    await said.waitFor();
    const hours = program.hours.replace(/(\d)([.,])(\d)/, (_, before, sign, behind) =>
      [before, isGerman === (sign === ".") ? "," : ".", behind].join(""),
    );
    const levels = program.levels === 1 ? "1 level" : `${program.levels} levels`;
    expect(await said.innerText(), name).toBe(`${program.lines} lines added, ${levels}, ${hours}`);
    await expect.poll(() => storedOutline(app, user, id)).toBe(`- Scope\n${program.stored}`);
    // All of it is one step.
    await keys(page, "Control+z");
    await expect.poll(() => storedOutline(app, user, id)).toBe("- Scope\n");
    await page.close();
  }
});
