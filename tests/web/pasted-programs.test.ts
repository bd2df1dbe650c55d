import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { importAs, keys, storedOutline } from "./actions.ts";
import { expectAccessible, openBrowser, openSignedIn } from "./browser.ts";

const app = await start({ pages: true });

interface Program {
  readonly text: string;
  /** What the dialog and the line after it say of it. */
  readonly lines: number;
  readonly levels: number;
  readonly hours: string;
  /** What is stored behind the first question. */
  readonly stored: string;
  readonly skipped?: readonly string[];
}

const SHOP = `- Web shop
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
`;

/** The same shop, as each of these programs writes it. */
const programs: Readonly<Record<string, Program>> = {
  // LibreOffice 7.4: the text of cells that are copied.
  LibreOffice: {
    text: "Aufgabe\tMin\tWahrscheinlich\tMax\tRolle\nAnmeldung\t2\t4\t8\tBackend\nSuche\t1.5\t3\t8.25\tBackend\nRechnung\t1000.5\t1200\t2000\tFrontend\n",
    ...{ lines: 3, levels: 1, hours: "1,309 h" },
    stored: "  - Anmeldung: 2-4-8 @Backend\n  - Suche: 1.5-3-8.25 @Backend\n  - Rechnung: 1000.5-1200-2000 @Frontend\n",
  },
  // pandoc 2.17, from Markdown to Org.
  Org: {
    text: "* Web shop\n  :PROPERTIES:\n  :CUSTOM_ID: web-shop\n  :END:\n** Checkout\n   :PROPERTIES:\n   :CUSTOM_ID: checkout\n   :END:\n- Card: 4-16-34\n- Invoice: 2d\n  - PDF: 3h\n  - Mail: 5h\n- Vouchers: 1.5 days\n\n** Search\n   :PROPERTIES:\n   :CUSTOM_ID: search\n   :END:\n1. Index: 8h\n2. Ranking: 1d 4h\n",
    ...{ lines: 10, levels: 4, hours: "73 h" },
    stored: SHOP,
  },
  // pandoc 2.17, GitHub's Markdown.
  pandoc: {
    text: "# Web shop\n\n## Checkout\n\n-   Card: 4-16-34\n-   Invoice: 2d\n    -   PDF: 3h\n    -   Mail: 5h\n-   Vouchers: 1.5 days\n\n## Search\n\n1.  Index: 8h\n2.  Ranking: 1d 4h\n",
    ...{ lines: 9, levels: 3, hours: "73 h" },
    stored: SHOP,
  },
  // A page that Notion exports: properties below its title, two spaces behind each box.
  Notion: {
    text: "# Web shop\n\nOwner: Ada Lovelace\nCreated: January 12, 2026 10:04 AM\n\n## Checkout\n\n- [ ]  Card: 4-16-34\n- [x]  Invoice: 2d\n    - PDF: 3h\n    - Mail: 5h\n- [ ]  Vouchers: 1.5 days\n\n---\n\n## Search\n\n1. Index: 8h\n2. Ranking: 1d 4h\n",
    ...{ lines: 9, levels: 3, hours: "73 h" },
    stored: SHOP,
  },
  // A board that Trello exports.
  Trello: {
    text: 'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,List ID,List Name,Board ID,Board Name,Archived\n65a1,Login (4-8-20h),https://trello.com/c/abc,,Backend (green),,,1,To do,b1,Web shop,false\n65a2,Mail: 3h,https://trello.com/c/abd,,,,,2,Later,b1,Web shop,false\n65a3,Search: 2d,https://trello.com/c/abe,"Full text, with filters",,,,1,To do,b1,Web shop,false\n',
    ...{ lines: 5, levels: 2, hours: "28 h" },
    stored: "- To do\n  - Login: 4-8-20\n  - Search: 16\n    > Full text, with filters\n- Later\n  - Mail: 3\n",
  },
  // A message of a chat.
  chat: {
    text: "Ada Lovelace\n  10:04 AM\nMy guess for the shop:\n• Login: 2d\n• Search: ~4h\n    ◦ Ranking: 6h\n• Export (8h)\n",
    ...{ lines: 4, levels: 2, hours: "34 h" },
    stored: "",
  },
};

const PHONE: BrowserContextOptions = { viewport: { width: 375, height: 640 }, hasTouch: true, isMobile: true };

test.each([
  ["in English", { locale: "en-GB" }],
  ["in German", { locale: "de-DE" }],
  ["on a phone", PHONE],
])("what other programs write is pasted with its hours: %s", async (_, options) => {
  const user = await app.signUp();
  const browser = await openBrowser(app, options);
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
    await page
      .getByText(/ added, /)
      .first()
      .waitFor();
    console.log(
      await page
        .getByText(/ added, /)
        .first()
        .innerText(),
    );
    await until(async () => (await storedOutline(app, user, id)).length > 12);
    console.log(await storedOutline(app, user, id));
    await page.close();
  }
});
