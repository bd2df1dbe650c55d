import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { plantTree } from "../../tree/import-tree.ts";
import type { Option, Tree } from "../../tree/shape.ts";
import { checkShape } from "../testing/check-shape.ts";
import { findHead } from "./columns.ts";
import { decodeText } from "./decode-text.ts";
import { importSheet, readTable, type SheetReading } from "./import-sheet.ts";
import { readHours } from "./numbers.ts";
import { lettersOf, type SheetCell, type SheetRow, type Table } from "./table.ts";

type Written = string | number | null | SheetCell;

/** A table of cells; its rows are counted from 1, and empty ones are left out, as readers of files do. */
function tableOf(rows: readonly (readonly Written[])[], { name = null, grouped = [] as number[] } = {}): Table {
  const cellOf = (cell: Written): SheetCell | null =>
    cell === null || cell === "" ? null : typeof cell === "object" ? cell : { value: cell };
  const made = rows.map(
    (cells, at): SheetRow => ({ row: at + 1, cells: cells.map(cellOf), grouped: grouped[at] ?? 0 }),
  );
  return { name, rows: made.filter(({ cells }) => cells.some((cell) => cell !== null)) };
}

function readingOf(rows: readonly (readonly Written[])[], more = {}): SheetReading {
  const reading = readTable(tableOf(rows, more));
  if (reading === null) throw new Error("no head was found");
  return reading;
}

/** A tree in short: `Question: Option 4-16-34 (…)`. */
function shortOf(reading: SheetReading): unknown {
  const result = importSheet(reading, undefined, checkShape);
  if (!result.ok) return result.faults.map(({ line, message }) => `${line}: ${message}`);
  const tree = plantTree(result.incoming.checked, (kind) => kind);
  return nodes(tree.nodes);
}

const nodes = (list: Tree["nodes"]): unknown =>
  Object.fromEntries(list.map(({ title, kind, options }) => [`${title} (${kind})`, options.map(option)]));

function option({ title, hours, quantity, unit, role, selected, nodes: below }: Option): unknown {
  const points = hours && [hours.optimistic, hours.likely, hours.pessimistic].join("-");
  const times = quantity === 1 ? null : `x${quantity}`;
  const text = [title, points, times, unit, role && `@${role}`, selected && "x"].filter(Boolean).join(" ");
  return below.length === 0 ? text : { [text]: nodes(below) };
}

const short = (rows: readonly (readonly Written[])[], more = {}) => shortOf(readingOf(rows, more));

describe("the head", () => {
  test.each([
    [
      ["Task", "Hours"],
      ["title", "hours"],
    ],
    [
      ["Aufgabe", "Aufwand (h)"],
      ["title", "hours"],
    ],
    [
      ["Nr.", "Bezeichnung", "Optimistisch", "Wahrscheinlich", "Pessimistisch"],
      ["number", "title", "optimistic", "likely", "pessimistic"],
    ],
    [
      ["WBS", "Item", "Best case", "Most likely", "Worst case"],
      ["number", "title", "optimistic", "likely", "pessimistic"],
    ],
    [
      ["Ebene", "Vorgangsname", "Min", "Max", "Rolle", "Bemerkung"],
      ["level", "title", "optimistic", "pessimistic", "role", "description"],
    ],
    [
      ["Task", "O", "M", "P"],
      ["title", "optimistic", "likely", "pessimistic"],
    ],
    [
      ["Task", "Hours", "P"],
      ["title", "hours", null],
    ],
    [
      ["Position", "Aufwand"],
      ["title", "hours"],
    ],
    [
      ["Position", "Bezeichnung", "Menge", "Einheit"],
      ["number", "title", "quantity", "unit"],
    ],
    [
      ["Beschreibung", "Stunden"],
      ["title", "hours"],
    ],
    [
      ["Titel", "Beschreibung", "Tage"],
      ["title", "description", "hours"],
    ],
    [
      ["Phase", "Arbeitspaket", "Schätzung"],
      ["group", "group", "hours"],
    ],
    [
      ["Task", "Hours", "Estimate"],
      ["title", "hours", null],
    ],
    [
      ["Task Name", "Work", "Duration"],
      ["title", "hours", null],
    ],
    [
      ["Task Name", "Duration"],
      ["title", "hours"],
    ],
    [
      ["Task", "optimistische Schätzung", "realistischer Wert", "Aufwand (max)"],
      ["title", "optimistic", "likely", "pessimistic"],
    ],
    [
      ["Task", "Priority", "Gewählt"],
      ["title", null, "selected"],
    ],
  ])("%j is understood as %j", (names, fields) => {
    const head = findHead(tableOf([names]).rows);
    expect(head?.columns.map(({ field }) => field)).toEqual(fields);
  });

  test.each([
    ["opt.", "wahrsch.", "pess."],
    ["Best", "Realistisch", "Worst"],
  ])("may have abbreviations: %s, %s, %s", (...points) => {
    const head = findHead(tableOf([["Task", ...points]]).rows);
    expect(head?.columns.map(({ field }) => field)).toEqual(["title", "optimistic", "likely", "pessimistic"]);
  });

  test("is found below other rows, and what stands above it is the title", () => {
    const { sheet } = readingOf([["Angebot Webshop"], ["Stand:", "Mai"], [], ["Aufgabe", "Stunden"], ["Login", 8]]);
    expect([sheet.head.row, sheet.title]).toEqual([4, "Angebot Webshop"]);
  });

  test("may have names in the row above, where cells are merged, and their unit", () => {
    const rows = [
      ["Aufgabe", "Aufwand in PT", null, null],
      [null, "min", "wahrscheinlich", "max"],
      ["Login", 1, 2, 4],
    ];
    expect(short(rows)).toEqual({ "Aufgabe (group)": ["Login 8-16-32"] });
  });

  test("is none without a column for titles, or after the rows among which it is sought", () => {
    expect(
      readTable(
        tableOf([
          ["Hours", "Role"],
          [8, "ux"],
        ]),
      ),
    ).toBeNull();
    const late = (rows: number) =>
      tableOf([...Array.from({ length: rows }, () => ["x y"]), ["Task", "Hours"], ["a", 1]]);
    expect(readTable(late(49))).not.toBeNull();
    expect(readTable(late(50))).toBeNull();
  });
});

describe("levels", () => {
  const expected = {
    "Backend (group)": ["Login 8-8-8", { API: { "API (group)": ["Auth 4-4-4", "Keys 2-2-2"] } }],
    "Web (group)": ["Form 1-1-1"],
  };

  test.each<[string, Written[][], object?]>([
    [
      "a column of levels",
      [
        ["Level", "Title", "Hours"],
        [1, "Backend", null],
        [2, "Login", 8],
        [2, "API", null],
        [3, "Auth", 4],
        [3, "Keys", 2],
        [1, "Web", null],
        [2, "Form", 1],
      ],
    ],
    [
      "levels in words, with gaps",
      [
        ["Ebene", "Titel", "Std."],
        ["Ebene 1", "Backend", null],
        ["Ebene 3", "Login", 8],
        ["Ebene 3", "API", null],
        ["Ebene 4", "Auth", 4],
        ["Ebene 4", "Keys", 2],
        ["Ebene 1", "Web", null],
        ["Ebene 2", "Form", 1],
      ],
    ],
    [
      "numbers",
      [
        ["No.", "Title", "Hours"],
        ["1", "Backend", null],
        ["1.1", "Login", 8],
        ["1.2", "API", null],
        ["1.2.1", "Auth", 4],
        ["1.2.2", "Keys", 2],
        ["2", "Web", null],
        ["2.1", "Form", 1],
      ],
    ],
    [
      "numbers as numbers, and 1.0",
      [
        ["PSP", "Titel", "Std."],
        ["1.0", "Backend", null],
        [1.1, "Login", 8],
        [1.2, "API", null],
        ["1.2.1.", "Auth", 4],
        ["1.2.2", "Keys", 2],
        ["2.0", "Web", null],
        [2.1, "Form", 1],
      ],
    ],
    [
      "numbers before the titles",
      [
        ["Title", "Hours"],
        ["1 Backend", null],
        ["1.1 Login", 8],
        ["1.2 API", null],
        ["1.2.1 Auth", 4],
        ["1.2.2 Keys", 2],
        ["2 Web", null],
        ["2.1 Form", 1],
      ],
    ],
    [
      "spaces",
      [
        ["Title", "Hours"],
        ["Backend", null],
        ["  Login", 8],
        ["  API", null],
        ["    Auth", 4],
        ["    Keys", 2],
        ["Web", null],
        ["  Form", 1],
      ],
    ],
    [
      "the format",
      [
        ["Title", "Hours"],
        ["Backend", null],
        [{ value: "Login", indent: 1 }, 8],
        [{ value: "API", indent: 1 }, null],
        [{ value: "Auth", indent: 2 }, 4],
        [{ value: "Keys", indent: 2 }, 2],
        ["Web", null],
        [{ value: "Form", indent: 1 }, 1],
      ],
    ],
    [
      "grouped rows",
      [
        ["Title", "Hours"],
        ["Backend", null],
        ["Login", 8],
        ["API", null],
        ["Auth", 4],
        ["Keys", 2],
        ["Web", null],
        ["Form", 1],
      ],
      { grouped: [0, 0, 1, 1, 2, 2, 0, 1] },
    ],
    [
      "columns with titles",
      [
        ["Phase", "Task", "Subtask", "Hours"],
        ["Backend", "Login", null, 8],
        ["Backend", "API", "Auth", 4],
        [null, null, "Keys", 2],
        ["Web", "Form", null, 1],
      ],
    ],
  ])("come from %s", (_, rows, more) => expect(short(rows, more)).toEqual(expected));

  test("of rows without a number are below the last one with a number", () => {
    const rows = [
      ["WBS", "Task", "Hours"],
      ["1.1", "API", null],
      [null, "Auth", 4],
      [null, "Keys", 2],
      ["2", "Web", 3],
    ];
    expect(short(rows)).toEqual({ "API (group)": ["Auth 4-4-4", "Keys 2-2-2"], "Untitled (group)": ["Web 3-3-3"] });
  });

  test("are none where numbers only count the rows", () => {
    const reading = readingOf([
      ["Nr.", "Aufgabe", "Std."],
      [1, "a", 4],
      [2, "b", 8],
      [10, "c", null],
    ]);
    expect(reading.sheet.levels).toBe("none");
    expect(shortOf(reading)).toEqual({ "Untitled (group)": ["a 4-4-4", "b 8-8-8", "c"] });
  });

  test("work that has hours and rows below keeps both", () => {
    const rows = [
      ["Level", "Title", "Hours"],
      [1, "API", 5],
      [2, "Auth", 4],
      [2, "Keys", 2],
    ];
    expect(short(rows)).toEqual({
      "Untitled (group)": [{ "API 5-5-5": { "API (group)": ["Auth 4-4-4", "Keys 2-2-2"] } }],
    });
  });

  test("can be as deep as an outline, not deeper", () => {
    const deep = (levels: number) =>
      readingOf([["Level", "Title", "Hours"], ...Array.from({ length: levels }, (_, at) => [at + 1, `t${at}`, null])]);
    expect(deep(limits.bodyDepth).sheet.rows.some(({ fault }) => fault !== null)).toBe(false);
    expect(shortOf(deep(limits.bodyDepth + 1))).toEqual([
      `${limits.bodyDepth + 2}: is more than ${limits.bodyDepth} levels deep`,
    ]);
    expect(shortOf(deep(20_000))).toHaveLength(limits.reportedFaults);
  });
});

describe("hours", () => {
  test.each<[Written, number[]]>([
    ["8", [8, 8, 8]],
    [8, [8, 8, 8]],
    ["4-16-34", [4, 16, 34]],
    ["4 – 16 – 34", [4, 16, 34]],
    ["4/16/34", [4, 16, 34]],
    ["4 16 34", [4, 16, 34]],
    ["4-8", [4, 6, 8]],
    ["2d", [16, 16, 16]],
    ["2 Tage", [16, 16, 16]],
    ["1-2 PT", [8, 12, 16]],
    ["3h", [3, 3, 3]],
    ["1w", [40, 40, 40]],
    ["1,5", [1.5, 1.5, 1.5]],
    ["1.5 Std.", [1.5, 1.5, 1.5]],
    ["1,5-2-3,25", [1.5, 2, 3.25]],
    ["1.234,5", [1234.5, 1234.5, 1234.5]],
    ["1,234.5", [1234.5, 1234.5, 1234.5]],
    ["ca. 5", [5, 5, 5]],
    ["1d 12h", [20, 20, 20]],
    ["2-3 d", [16, 20, 24]],
    ["2:30", [2.5, 2.5, 2.5]],
    [{ value: 0.1875, shows: "time" }, [4.5, 4.5, 4.5]],
  ])("%j is %j", (written, [optimistic, likely, pessimistic]) => {
    const cell: SheetCell = typeof written === "object" && written ? written : { value: written as string };
    expect(readHours(cell, 1)).toEqual({ value: { optimistic, likely, pessimistic } });
  });

  test.each(["", "-", "–", "?", "tbd", "TBD", "n/a", "k.A.", "offen", "…"])("%j is none", (value) =>
    expect(readHours({ value }, 1)).toEqual({ value: null }),
  );

  test.each<[SheetCell, string]>([
    [{ value: "1 234" }, "may be thousands"],
    [{ value: "4 16" }, "write 4-16"],
    [{ value: "1/2" }, "a fraction, or two numbers"],
    [{ value: "30m" }, "write min or h"],
    [{ value: "5 apples" }, "is not understood as hours"],
    [{ value: "1-2-3-4" }, "is not understood as hours"],
    [{ value: "1.234" }, "may be thousands"],
    [{ value: "1,234" }, "may be thousands"],
    [{ value: -1 }, "must be from 0"],
    [{ value: limits.optionHoursMax + 1 }, "must be from 0"],
    [{ value: 37_623, shows: "date" }, "is a date"],
    [{ value: "", unread: "formula" }, "formula without a result"],
    [{ value: "#REF!", unread: "error" }, "has the error “#REF!”"],
  ])("%j are refused", (cell, message) =>
    expect(readHours(cell, 1)).toEqual({ fault: expect.stringContaining(message) }),
  );

  test("are in the unit that the column says, or a column beside it", () => {
    expect(
      short([
        ["Task", "Aufwand (PT)"],
        ["a", 2],
        ["b", "4h"],
      ]),
    ).toEqual({ "Untitled (group)": ["a 16-16-16", "b 4-4-4"] });
    expect(
      short([
        ["Task", "Aufwand", "Einheit"],
        ["a", 2, "PT"],
        ["b", 4, "h"],
      ]),
    ).toEqual({ "Untitled (group)": ["a 16-16-16", "b 4-4-4"] });
    expect(
      short([
        ["Task", "Hours", "Quantity", "Unit"],
        ["a", 2, 9, "screen"],
      ]),
    ).toEqual({ "Untitled (group)": ["a 2-2-2 x9 screen"] });
  });

  test("of three columns may be incomplete", () => {
    const rows = [
      ["Task", "Min", "Likely", "Max"],
      ["a", 2, null, 4],
      ["b", null, 3, null],
      ["c", null, 3, 5],
      ["d", 1, 2, 8],
    ];
    expect(short(rows)).toEqual({ "Untitled (group)": ["a 2-3-4", "b 3-3-3", "c 3-3-5", "d 1-2-8"] });
  });

  test("out of order, and all else that breaks a rule, is told with its row", () => {
    const rows = [
      ["Task", "Min", "Likely", "Max"],
      ["a", 1, 2, 3],
      ["b", 9, 2, 3],
      [`c${"x".repeat(600)}`, 1, 2, 3],
    ];
    expect(short(rows.slice(0, 3))).toEqual([expect.stringMatching(/^3: likely /)]);
    expect(short([...rows.slice(0, 2), rows[3] as Written[]])).toEqual([expect.stringMatching(/^3: title /)]);
  });

  test("that are not understood are told with their cell, all of them", () => {
    const rows = [
      ["Task", "Role", "Hours"],
      ["a", "ux", "5 apples"],
      ["b", null, 3],
      [null, "ux", 7],
      ["d", null, "lots"],
    ];
    expect(short(rows)).toEqual([
      expect.stringMatching(/^2: C2: “5 apples” is not/),
      "4: has hours, but no title",
      expect.stringMatching(/^5: C5: “lots” is not/),
    ]);
  });
});

describe("hours in titles", () => {
  const rows = (head: string[], ...cells: Written[][]) => [head, ...cells];

  test("are read as in a line, where no column is for hours", () => {
    const table = rows(
      ["Card Name", "Labels"],
      ["Search: 2d", "a"],
      ["Cart (4-8-20h)", "b"],
      ["Mail: 1,5 x2 @ops", ""],
    );
    expect(short(table)).toEqual({
      "Untitled (group)": ["Search 16-16-16", "Cart 4-8-20", "Mail 1.5-1.5-1.5 x2 @ops"],
    });
    const reading = readingOf([...table, ["List about 12h", ""], ["Form: x3 @ux", ""], ["Page: 4 =3-4-5", ""]]);
    expect(reading.sheet.rows.slice(3).map(({ note, quantity, role }) => [note, quantity, role])).toEqual([
      ["hours_in_title", 1, null],
      [null, 3, "ux"],
      ["hours_in_title", 1, null],
    ]);
  });

  test("that cannot be read are refused with their row", () => {
    expect(short(rows(["Task", "Labels"], ["Search: 4 5", "a"]))).toEqual([
      expect.stringMatching(/^2: the title .*; if/),
    ]);
  });

  test("are named where a column is for hours, and the cell is empty", () => {
    const reading = readingOf(
      rows(["Task", "Hours"], ["Search: 2d", ""], ["Cart (4h)", 5], ["Sprint 2", ""], ["Mail 3 days", null]),
    );
    expect(reading.sheet.rows.map(({ note, hours }) => [note, hours?.likely ?? null])).toEqual([
      ["hours_in_title", null],
      [null, 5],
      [null, null],
      ["hours_in_title", null],
    ]);
    const result = importSheet(reading, undefined, checkShape);
    expect(result.ok && result.taken.noted).toEqual([
      { line: 2, message: "has what looks like hours in its title, and has none: give them a column of their own" },
      { line: 5, message: "has what looks like hours in its title, and has none: give them a column of their own" },
    ]);
  });
});

test("hours in the name of a group are named, as they count nowhere", () => {
  const reading = readingOf([
    ["Phase", "Task", "Hours"],
    ["Build: 40h", "Card", 8],
    ["Build: 40h", "Cart", 4],
  ]);
  expect(reading.sheet.rows.map(({ title, note }) => [title, note])).toEqual([
    ["Build: 40h", "hours_in_title"],
    ["Card", null],
    ["Cart", null],
  ]);
});

describe("a group behind the titles", () => {
  test("is above its rows, which stand together", () => {
    expect(
      short([
        ["Name", "Estimate", "Phase", "Status"],
        ["Card", 8, "Checkout", "Done"],
        ["Profile", 4, "Accounts", ""],
        ["Alone", 2, "", ""],
        ["Cart", 16, "Checkout", ""],
      ]),
    ).toEqual({
      "Untitled (group)": ["Alone 2-2-2"],
      "Checkout (group)": ["Card 8-8-8", "Cart 16-16-16"],
      "Accounts (group)": ["Profile 4-4-4"],
    });
  });

  test("may have another behind it", () => {
    expect(
      short([
        ["Card Name", "List Name", "Module"],
        ["A: 1", "Now", "Web"],
        ["B: 2", "Later", "Web"],
        ["C: 3", "Now", "App"],
        ["D: 4", "Now", "Web"],
      ]),
    ).toEqual({
      "Now (group)": [{ Web: { "Web (group)": ["A 1-1-1", "D 4-4-4"] } }, { App: { "App (group)": ["C 3-3-3"] } }],
      "Later (group)": [{ Web: { "Web (group)": ["B 2-2-2"] } }],
    });
  });
});

describe("totals", () => {
  test("are left out, and rows above others have no hours that count twice", () => {
    const rows = [
      ["Nr.", "Aufgabe", "Min", "Max"],
      ["1", "Backend", 6, 12],
      ["1.1", "Login", 2, 4],
      ["1.2", "API", 4, 8],
      [null, "Summe", 6, 12],
      ["2", "Web", { value: 3, isSum: true }, 3],
      ["2.1", "Form", 2, 4],
      [null, null, { value: 8, isSum: true }, 16],
    ] as const;
    const reading = readingOf(rows);
    expect(shortOf(reading)).toEqual({
      "Backend (group)": ["Login 2-3-4", "API 4-6-8"],
      "Web (group)": ["Form 2-3-4"],
    });
    expect(reading.sheet.rows.map(({ row, as, note }) => [row, as, note])).toEqual([
      [2, "question", "sum_of_rows_below"],
      [3, "option", null],
      [4, "option", null],
      [5, "left_out", "total"],
      [6, "question", "sum_of_rows_below"],
      [7, "option", null],
      [8, "left_out", "total"],
    ]);
  });

  test("Total redesign is work", () => {
    expect(
      short([
        ["Task", "Hours"],
        ["Total redesign", 8],
        ["Total:", 8],
      ]),
    ).toEqual({ "Untitled (group)": ["Total redesign 8-8-8"] });
  });
});

test("roles, quantities, descriptions and choices are taken", () => {
  const rows = [
    ["Level", "Task", "Hours", "Rolle", "Menge", "Gewählt", "Notes"],
    [1, "Payment", null, null, null, null, "How do they pay?"],
    [2, "Card: 4 (all)", 8, "lead developer", "2,5", "x", "two\nlines"],
    [2, "Invoice", 4, null, null, "nein", null],
  ] as const;
  const reading = readingOf(rows);
  expect(shortOf(reading)).toEqual({
    "Payment (multi)": ["Card: 4 (all) 8-8-8 x2.5 @lead developer x", "Invoice 4-4-4"],
  });
  const result = importSheet(reading, "Shop", checkShape);
  expect(result.ok && [result.incoming.estimation.title, result.incoming.nodes[0]?.description]).toEqual([
    "Shop",
    "How do they pay?",
  ]);
  expect(result.ok && result.incoming.nodes[0]?.options?.[0]?.description).toBe("two\nlines");
});

test("a mark that is neither yes nor no, and a quantity that is none, are refused", () => {
  expect(
    short([
      ["Task", "Selected"],
      ["a", "maybe"],
    ]),
  ).toEqual([expect.stringContaining("B2: “maybe” is neither")]);
  expect(
    short([
      ["Task", "Quantity"],
      ["a", "some"],
    ]),
  ).toEqual([expect.stringContaining("B2: “some” is not a number")]);
  expect(
    short([
      ["Task", "Quantity"],
      ["a", limits.quantityMax + 1],
    ]),
  ).toEqual([expect.stringContaining("must be from 0 to")]);
  expect(
    short([
      ["Task", "Quantity"],
      ["a", limits.quantityMax],
    ]),
  ).toEqual({ "Untitled (group)": [`a x${limits.quantityMax}`] });
});

test("hours that are merged with rows below are pointed out", () => {
  const { sheet } = readingOf([
    ["Task", "Hours"],
    ["a", { value: 8, rows: 2 }],
    ["b", null],
  ]);
  expect(sheet.rows.map(({ note }) => note)).toEqual(["merged_hours", null]);
});

test("a table without rows, or of nothing but totals, is refused", () => {
  expect(short([["Task", "Hours"]])).toEqual(["1: has no rows with a title below it"]);
  expect(
    short([
      ["Task", "Hours"],
      ["Total", 8],
    ]),
  ).toEqual(["1: has no rows with a title below it"]);
});

test("text is read in the encodings that programs write", () => {
  const bytes = (...list: number[]) => Uint8Array.from(list);
  expect(decodeText(new TextEncoder().encode("Größe €"))).toBe("Größe €");
  expect(decodeText(bytes(0x47, 0x72, 0xf6, 0xdf, 0x65, 0x20, 0x80))).toBe("Größe €");
  expect(decodeText(bytes(0xff, 0xfe, 0xf6, 0x00))).toBe("ö");
  expect(decodeText(bytes(0xef, 0xbb, 0xbf, 0x61))).toBe("a");
});

test("columns have letters", () => expect([0, 25, 26, 701, 702].map(lettersOf)).toEqual(["A", "Z", "AA", "ZZ", "AAA"]));
