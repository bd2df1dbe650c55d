import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { examples } from "../../../domain/tree/testing/examples.ts";
import { type Json, start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { partsOfWorkbook, sheetXml, workbookOf, zipOf } from "../../../tests/support/workbooks.ts";

const app = await start();
const user = await app.signUp();

const post = (path: string, body: object) => app.request("POST", path, { token: user.token, body });
const read = (id: Json | undefined, path: string) =>
  app.request("GET", `/api/estimations/${id}${path}`, { token: user.token });
const send = (format: string, content: string, more = {}) =>
  post("/api/estimations/import", { format, content, ...more });
const preview = (format: string, content: string) => post("/api/estimations/import/preview", { format, content });

async function outlineOf(format: string, content: string): Promise<string> {
  const { status, data, text } = await send(format, content);
  if (status !== 201) throw new Error(`the import returned ${status}: ${text}`);
  return (await read(data.estimation?.id, "/export?format=markdown")).text;
}

/** The items of an exported outline. */
const itemsOf = (outline: string) => outline.split("\n").filter((line) => /^ *-/.test(line));

const TABLE = [
  ["No.", "Task", "Hours"],
  ["1", "Payment", null],
  ["1.1", "Card", "4-16-34"],
  ["1.2", "Invoice", 8],
] as const;
const ITEMS = ["- Payment", "  - Card: 4-16-34", "  - Invoice: 8"];

describe("a workbook", () => {
  test("is made an estimation, after a preview that makes nothing", async () => {
    const content = workbookOf({ sheets: { Shop: sheetXml(TABLE) } });
    const { data, status } = await changesNothing(app, () => preview("xlsx", content));
    expect(status).toBe(200);
    expect(data.preview).toMatchObject({
      sheet: "Shop",
      title: "Shop",
      headRow: 1,
      levels: "number",
      counts: { rows: 3, questions: 1, options: 2, leftOut: 0 },
      faults: [],
      hours: { expected: 25 },
    });
    expect(data.preview?.rows).toMatchObject([
      { row: 2, as: "question", level: 1, title: "Payment", hours: null },
      { row: 3, as: "option", level: 2, title: "Card", hours: { optimistic: 4, likely: 16, pessimistic: 34 } },
      { row: 4, as: "option", level: 2, title: "Invoice", hours: { optimistic: 8, likely: 8, pessimistic: 8 } },
    ]);
    const made = await send("xlsx", content);
    expect([made.status, made.data.estimation?.title]).toEqual([201, "Shop"]);
    expect(itemsOf(await outlineOf("xlsx", content))).toEqual(ITEMS);
  });

  test("has the title that is sent with it", async () => {
    const content = workbookOf({ sheets: { Shop: sheetXml(TABLE) } });
    expect((await send("xlsx", content, { title: "Mine" })).data.estimation?.title).toBe("Mine");
    expect((await send("outline", "# Other", { title: "Mine" })).data.estimation?.title).toBe("Mine");
    expect((await send("csv", "Task,Hours\na,1")).data.estimation?.title).toBe("Untitled");
  });

  test("is read from its first visible sheet with names of columns", async () => {
    const sheets = {
      _old: sheetXml(TABLE),
      Notes: sheetXml([["Read me"]]),
      Plan: sheetXml([
        ["Task", "Hours"],
        ["a", 1],
      ]),
      Later: "",
    };
    const { data } = await preview("xlsx", workbookOf({ sheets }));
    expect(data.preview).toMatchObject({ sheet: "Plan", otherSheets: ["Notes", "Later"], counts: { options: 1 } });
  });

  test("has shared texts, formats, indentation, grouping and addresses of cells", async () => {
    const strings =
      "<si><t>Task</t></si><si><r><t>Pay</t></r><r><t>ment &amp;_x0041_</t></r><rPh><t>no</t></rPh></si><si><t>Card</t></si>";
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/><numFmt numFmtId="165" formatCode="0.0&quot; days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="0"><alignment indent="1"/></xf><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
    const xml =
      '<sheetData><row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="str"><v>Hours</v></c></row>' +
      '<row r="4"><c r="B4" t="s"><v>1</v></c></row>' +
      '<row r="6"><c r="B6" s="1" t="s"><v>2</v></c><c r="D6" s="2"><v>0.1875</v></c></row>' +
      '<row r="7"><c r="B7" s="1" t="inlineStr"><is><t>Cash</t></is></c><c r="D7" s="3"><v>2.5</v></c></row></sheetData>';
    const content = workbookOf({ sheets: { Plan: xml }, strings, styles });
    expect((await preview("xlsx", content)).data.preview).toMatchObject({
      headRow: 3,
      levels: "indent",
      columns: [{ column: "B" }, { column: "D" }],
    });
    expect(itemsOf(await outlineOf("xlsx", content))).toEqual(["- Payment \\&A", "  - Card: 4.5", "  - Cash: 2.5"]);
  });

  test("has formulas, of which the stored result counts, and none without one", async () => {
    const formula = (hours: string) =>
      workbookOf({
        sheets: {
          Plan: `<sheetData><row><c t="str"><v>Task</v></c><c t="str"><v>Hours</v></c></row><row><c t="str"><v>a</v></c><c><f>B9*2</f>${hours}</c></row></sheetData>`,
        },
      });
    expect(itemsOf(await outlineOf("xlsx", formula("<v>6</v>")))).toEqual(["- Plan", "  - a: 6"]);
    for (const none of ["", "<v/>", "<v></v>"]) {
      const refused = await send("xlsx", formula(none));
      expect([refused.status, refused.body.errors?.[0]]).toMatchObject([
        400,
        {
          path: "/content",
          line: 2,
          code: "wrong_format",
          message: expect.stringContaining("formula without a result"),
        },
      ]);
    }
  });

  test("has merged cells, of which the first has the value", async () => {
    const xml = sheetXml(
      [
        ["Phase", "Task", "Hours"],
        ["Build", "a", 8],
        [null, "b", null],
      ],
      '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="C2:C3"/></mergeCells>',
    );
    const content = workbookOf({ sheets: { Plan: xml } });
    expect((await preview("xlsx", content)).data.preview?.rows).toMatchObject([
      { row: 2, as: "question", title: "Build", note: null },
      { row: 2, as: "option", title: "a", note: "merged_hours" },
      { row: 3, as: "option", title: "b", hours: null },
    ]);
    expect(itemsOf(await outlineOf("xlsx", content))).toEqual(["- Build", "  - a: 8", "  - b"]);
  });
});

test.each(["1e999", "Infinity", "-5", "1.5", "x", "99999999"])(
  "a row with the number %s is the next row",
  async (number) => {
    const cells = (title: string, hours: string) =>
      `<c t="inlineStr"><is><t>${title}</t></is></c><c t="inlineStr"><is><t>${hours}</t></is></c>`;
    const Plan = `<sheetData><row r="2">${cells("Task", "Hours")}</row><row r="${number}">${cells("Card", "8")}</row></sheetData>`;
    const { status, data } = await preview("xlsx", workbookOf({ sheets: { Plan } }));
    expect([status, data.preview?.rows?.[0]?.row]).toEqual([200, 3]);
  },
);

describe("a CSV file", () => {
  test.each([
    ["commas", "No.,Task,Hours\r\n1,Payment,\r\n1.1,Card,4-16-34\r\n1.2,Invoice,8\r\n"],
    [
      "semicolons, a title and decimal commas",
      'Shop\r\n\r\nNr.;Aufgabe;Stunden\r\n1;Payment;\r\n1.1;Card;"4-16-34"\r\n1.2;Invoice;"8,00"\r\n',
    ],
    ["tabs and a mark", "\uFEFFNo.\tTask\tHours\n1\tPayment\t\n1.1\tCard\t4-16-34\n1.2\tInvoice\t8\n"],
    ["a line that says the separator", "sep=|\r\nNo.|Task|Hours\r\n1|Payment|\r\n1.1|Card|4-16-34\r\n1.2|Invoice|8"],
  ])("is read with %s", async (_, content) => expect(itemsOf(await outlineOf("csv", content))).toEqual(ITEMS));

  test("has rows as programs for spreadsheets count them", async () => {
    const refused = await send("csv", 'Task,Hours\n"two\nlines",1\n\nb,lots\n');
    expect(refused.body.errors).toMatchObject([
      { line: 4, message: "B4: “lots” is not understood as hours: write 8, 2d or 4-16-34" },
    ]);
    const { data } = await preview("csv", 'Task,Hours\n"two\nlines",1\n\nb,lots\n');
    expect(data.preview).toMatchObject({
      faults: [{ row: 4 }],
      hours: null,
      rows: [
        { row: 2, as: "option" },
        { row: 4, as: "fault" },
      ],
    });
  });

  test("lists so many rows in a preview, and counts all", async () => {
    const rows = (count: number) => `Task,Hours\n${"a,1\n".repeat(count)}`;
    // More options than a question may have: it is told, and nothing breaks.
    const { data } = await preview("csv", rows(limits.previewedRows + 1));
    expect([data.preview?.rows?.length, data.preview?.counts?.rows]).toEqual([
      limits.previewedRows,
      limits.previewedRows + 1,
    ]);
    expect(data.preview?.faults).toMatchObject([{ code: "too_many" }]);
  });
});

describe("what the service exports comes back", () => {
  const hoursOf = async (id: Json | undefined) => {
    const { optimistic, likely, pessimistic, expected } = (await read(id, "/tree/hours")).data.hours as Json;
    return { optimistic, likely, pessimistic, expected };
  };

  test.each(examples)("with the same hours: $file", async ({ tree }) => {
    const { data } = await post("/api/estimations", { title: "Shop" });
    const nodes = JSON.parse(
      JSON.stringify(tree.nodes, (_, value) => {
        if (typeof value?.id !== "string") return value;
        const { id, ...rest } = value;
        return "options" in rest ? rest : { ...rest, ref: id };
      }),
    );
    const path = `/api/estimations/${data.estimation?.id}`;
    await app.request("PUT", `${path}/tree`, { token: user.token, body: { nodes } });
    const hours = await hoursOf(data.estimation?.id);
    const csv = await send("csv", (await read(data.estimation?.id, "/export?format=csv")).text);
    expect([csv.status, csv.body.errors]).toEqual([201, undefined]);
    expect(await hoursOf(csv.data.estimation?.id)).toEqual(hours);
    const file = await fetch(`${app.url}${path}/export?format=xlsx`, {
      headers: { authorization: `Bearer ${user.token}` },
    });
    const xlsx = await send("xlsx", Buffer.from(await file.arrayBuffer()).toString("base64"));
    expect([xlsx.status, xlsx.body.errors, xlsx.data.estimation?.title]).toEqual([201, undefined, "Shop"]);
    expect(await hoursOf(xlsx.data.estimation?.id)).toEqual(hours);
  });
});

describe("a file that cannot be read is refused, by the import and by the preview", () => {
  const plan = { sheets: { Plan: sheetXml(TABLE) } };
  const parts = partsOfWorkbook(plan);
  const without = (name: string) => zipOf(Object.fromEntries(Object.entries(parts).filter(([key]) => key !== name)));
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
  const rows = (count: number) => sheetXml([["Task", "Hours"], ...Array.from({ length: count - 1 }, () => ["a", 1])]);

  test.each<[string, "xlsx" | "csv", () => string, string, RegExp]>([
    ["that is no Base64", "xlsx", () => "PK%%", "wrong_format", /Base64/],
    ["that is garbage", "xlsx", () => base64(Buffer.from("hello, world")), "wrong_format", /is not a workbook/],
    [
      "that is a damaged archive",
      "xlsx",
      () => base64(zipOf(parts).subarray(0, 300)),
      "wrong_format",
      /is not a workbook/,
    ],
    [
      "that is another archive",
      "xlsx",
      () => base64(zipOf({ "a.txt": "b" })),
      "wrong_format",
      /a part of it is missing/,
    ],
    [
      "that is old, or has a password",
      "xlsx",
      () => base64(Buffer.from("d0cf11e0a1b11ae10000", "hex")),
      "wrong_format",
      /\.xls\), or has a password/,
    ],
    [
      "whose entries are encrypted",
      "xlsx",
      () => workbookOf({ ...plan, isEncrypted: true }),
      "wrong_format",
      /encrypted/,
    ],
    ["that lacks its workbook", "xlsx", () => base64(without("xl/workbook.xml")), "wrong_format", /missing/],
    [
      "that is not XML inside",
      "xlsx",
      () => workbookOf({ sheets: { Plan: "<sheetData><row></sheetData>" } }),
      "wrong_format",
      /damaged/,
    ],
    [
      "that lies about its size",
      "xlsx",
      () => workbookOf({ ...plan, claimed: 10 }),
      "wrong_format",
      /cannot be unpacked/,
    ],
    [
      "that is a bomb",
      "xlsx",
      () => workbookOf({ sheets: { Plan: `<!--${" ".repeat(limits.sheetUnpackedBytes)}-->` } }),
      "too_large",
      /unpacked/,
    ],
    [
      "with a text that is too long",
      "xlsx",
      () => workbookOf({ ...plan, strings: `<si><t>${"&amp;".repeat(100_001)}</t></si>` }),
      "too_large",
      /texts of more than/,
    ],
    [
      "with a text that is too long",
      "csv",
      () => `Task,Hours\n${"a".repeat(500_001)},1\n`,
      "too_large",
      /texts of more than/,
    ],
    [
      "with many cells of one long text",
      "xlsx",
      () =>
        workbookOf({
          strings: `<si><t>Task</t></si><si><t>${"a".repeat(100_000)}</t></si>`,
          sheets: {
            Plan: `<sheetData><row><c t="s"><v>0</v></c></row>${'<row><c t="s"><v>1</v></c></row>'.repeat(201)}</sheetData>`,
          },
        }),
      "too_large",
      /characters in its cells/,
    ],
    [
      "with a text of many parts that is too long",
      "xlsx",
      () => workbookOf({ ...plan, strings: `<si><t>${`<![CDATA[${"a".repeat(100_000)}]]>`.repeat(6)}</t></si>` }),
      "too_large",
      /texts of more than/,
    ],
    [
      "with a bomb of texts",
      "xlsx",
      () => workbookOf({ ...plan, strings: " ".repeat(limits.sheetUnpackedBytes) }),
      "too_large",
      /unpacked/,
    ],
    [
      "with too many files",
      "xlsx",
      () =>
        workbookOf({ ...plan, files: Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, ""])) }),
      "too_many",
      /files/,
    ],
    [
      "with too many rows",
      "xlsx",
      () => workbookOf({ sheets: { Plan: rows(limits.sheetRows + 1) } }),
      "too_many",
      /rows/,
    ],
    ["with too many rows", "csv", () => "Task,Hours\n".repeat(limits.sheetRows + 1), "too_many", /rows/],
    [
      "of more than 10 MiB",
      "csv",
      () => `Task,Hours\na,1\n${" ".repeat(limits.sheetFileBytes)}`,
      "too_large",
      /10 MiB/,
    ],
    ["of more than 10 MiB", "xlsx", () => base64(Buffer.alloc(limits.sheetFileBytes + 1)), "too_large", /10 MiB/],
    ["without names of columns", "csv", () => "a,b\n1,2\n", "wrong_format", /names its columns/],
    [
      "without names of columns",
      "xlsx",
      () => workbookOf({ sheets: { Plan: "" } }),
      "wrong_format",
      /names its columns/,
    ],
  ])("%s (%s)", async (_, format, make, code, message) => {
    const content = make();
    for (const refused of [await send(format, content), await preview(format, content)]) {
      expect([refused.status, refused.body.message, refused.body.errors]).toMatchObject([
        400,
        "validation_failed",
        [{ path: "/content", in: "body", code, message: expect.stringMatching(message) }],
      ]);
    }
  });

  test("and one within the limits is read", async () => {
    const full = await preview("csv", "Task,Hours\n".repeat(limits.sheetRows));
    expect([full.status, full.data.preview?.counts?.rows]).toEqual([200, limits.sheetRows - 1]);
    const packed = await preview("xlsx", workbookOf({ sheets: { Plan: rows(limits.sheetRows) } }));
    expect([packed.status, packed.data.preview?.counts?.rows]).toEqual([200, limits.sheetRows - 1]);
    const begin = "Task,Hours\na,1\n";
    const blank = `${" ".repeat(999)}\n`.repeat(11_000).slice(0, limits.sheetFileBytes - begin.length);
    const largest = await preview("csv", `${begin}${blank}`);
    expect([largest.status, largest.data.preview?.counts?.options]).toEqual([200, 1]);
    // What is not read of a workbook does not count, however large it is.
    const picture = Buffer.alloc(limits.sheetUnpackedBytes + 1);
    expect((await preview("xlsx", workbookOf({ ...plan, files: { "xl/media/a.png": picture } }))).status).toBe(200);
    const unpacked = Object.values(parts).reduce((sum, part) => sum + part.length, 0);
    const padded = (bytes: number) => workbookOf({ sheets: { Plan: `${sheetXml(TABLE)}<!--${"x".repeat(bytes)}-->` } });
    const most = limits.sheetUnpackedBytes - unpacked - "<!---->".length;
    expect([(await preview("xlsx", padded(most))).status, (await preview("xlsx", padded(most + 1))).status]).toEqual([
      200, 400,
    ]);
  });

  test("and columns after the last that is read are not", async () => {
    const csv = (at: number) =>
      `${["Task", ...Array(at - 2).fill("x"), "Hours"].join(",")}\n${["a", ...Array(at - 2).fill(""), "8"].join(",")}\n`;
    const hoursAt = async (at: number) => (await preview("csv", csv(at))).data.preview?.hours?.expected;
    expect([await hoursAt(limits.sheetColumns), await hoursAt(limits.sheetColumns + 1)]).toEqual([8, 0]);
  });
});
