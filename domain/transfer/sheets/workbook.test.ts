import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rollUp } from "../../tree/hours/roll-up.ts";
import { examples } from "../../tree/testing/examples.ts";
import { plant } from "../../tree/testing/trees.ts";
import type { Content } from "../content.ts";
import { contents } from "../testing/contents.ts";
import type { Cell, Sheet } from "./cells.ts";
import { workbookOf } from "./workbook.ts";

const about = { revision: 7, exportedAt: "2026-11-28T01:43:59.000Z", hoursPerDay: 6 };

const contentOf = (nodes: Parameters<typeof plant>[0], fields: Partial<Content> = {}): Content => ({
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, tags: [] },
  ...{ hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01, tree: plant(nodes), ...fields },
});

/** Returns the cell at an address such as `B6`. */
function cellAt(sheet: Sheet | undefined, address: string): Cell {
  const [, letter = "", row = ""] = /^([A-Z])(\d+)$/.exec(address) ?? [];
  return sheet?.rows[Number(row) - 1]?.[letter.charCodeAt(0) - 65] ?? null;
}

const valuesOf = (sheet: Sheet | undefined, addresses: string): unknown[] =>
  addresses.split(" ").map((address) => cellAt(sheet, address)?.value ?? null);
const formulasOf = (sheet: Sheet | undefined, addresses: string): unknown[] =>
  addresses.split(" ").map((address) => cellAt(sheet, address)?.formula ?? null);

const hours = { optimistic: 4, likely: 16, pessimistic: 34 };
const shop = contentOf(
  [
    {
      title: "Payment",
      kind: "single",
      options: [
        {
          ...{ title: "Card", hours, role: "backend", quantity: 2, unit: "shop", selected: true },
          nodes: [{ title: "Extras", kind: "group", options: [{ title: "Refunds", hours: 3, quantity: 1.5 }] }],
        },
        { title: "Invoice", hours: { optimistic: 1, likely: 2, pessimistic: 4 }, override: hours, role: "backend" },
      ],
    },
    { title: "Nothing yet", kind: "multi" },
  ],
  { hourlyRate: 100, currency: "EUR", clientName: "ACME", rounding: 0.5 },
);

describe("the sheet Estimate", () => {
  const [estimate] = workbookOf(shop, about);

  test("has a row for each node and option, counted or not, with what is said of it", () => {
    const rows = estimate?.rows.slice(6).map((row) => row.slice(0, 12).map((cell) => cell?.value ?? null));
    const none = null;
    expect(rows).toEqual([
      ["1", 1, "Payment", none, "Choose one", none, none, none, none, none, none, none],
      ["1.1", 2, "Card", none, "Option", "x", "backend", 2, "shop", 4, 16, 34],
      ["1.1.1", 3, "Extras", none, "All", none, none, none, none, none, none, none],
      ["1.1.1.1", 4, "Refunds", none, "Option", "x", none, 1.5, none, 3, 3, 3],
      ["1.2", 2, "Invoice", none, "Option", none, "backend", 1, none, 4, 16, 34],
      ["2", 1, "Nothing yet", none, "Choose any", none, none, none, none, none, none, none],
    ]);
  });

  test("computes what an option adds from its x, its quantity and the row of the option above", () => {
    expect(formulasOf(estimate, "N8 N10 N11")).toEqual([
      'IF(F8="x",H8,0)',
      'IF(F10="x",H10,0)*N8',
      'IF(F11="x",H11,0)',
    ]);
    expect(valuesOf(estimate, "N8 N10 N11 M8 M10 M11 M7 M12")).toEqual([2, 3, 0, 34, 9, 0, 43, 0]);
    expect(formulasOf(estimate, "M8 O8")).toEqual([
      "N8*(J8+4*K8+L8)/6",
      "N8*SQRT(MAX(((J8+4*K8+L8)/6-J8)*(L8-(J8+4*K8+L8)/6),0)/7)",
    ]);
    expect(cellAt(estimate, "M7")?.formula).toMatch(/^\(SUMPRODUCT\(\$N\$8:\$N\$11,\$J\$8:\$J\$11\)\+4\*/);
    // Without rows below, there is nothing to add up.
    expect(cellAt(estimate, "M12")?.formula).toBe("0");
  });

  test("has the totals above, of the whole tree, with the correlation and the rate of the sheet Assumptions", () => {
    const { optimistic, likely, pessimistic, expected, standardDeviation, p50, p80, p90, p95 } = rollUp(
      shop.tree,
      shop,
    );
    expect(valuesOf(estimate, "J3 K3 L3 M3 N3 O3 P3 Q3 R3")).toEqual([
      ...[optimistic, likely, pessimistic, expected, standardDeviation, p50, p80, p90, p95],
    ]);
    expect(formulasOf(estimate, "J3 N3 P3 M4")).toEqual([
      "SUMPRODUCT($N$7:$N$12,$J$7:$J$12)",
      "SQRT((1-Assumptions!$B$6)*SUMSQ($O$7:$O$12)+Assumptions!$B$6*SUM($O$7:$O$12)^2)",
      "IF(ISNUMBER(Assumptions!$B$14),MIN(J3+(L3-J3)*_xlfn.BETA.INV(0.8,Assumptions!$B$14,Assumptions!$B$15),L3),M3)",
      'IF(ISNUMBER(Assumptions!$B$7),ROUND(ROUND(M3,2)*Assumptions!$B$7,2),"")',
    ]);
    expect(valuesOf(estimate, "C4 J4 M4")).toEqual(["Cost in EUR", null, 4300]);
  });

  test("keeps its head, numbers and titles in view, and has widths and formats", () => {
    expect(estimate?.frozen).toEqual({ rows: 6, columns: 3 });
    expect(estimate?.rows[5]?.map((cell) => cell?.value).slice(0, 3)).toEqual(["No.", "Level", "Title"]);
    expect(estimate?.widths.length).toBe(18);
    expect(cellAt(estimate, "J8")?.format).toBe("#,##0.00");
    expect(cellAt(estimate, "C10")?.indent).toBe(3);
  });
});

test("the sheet Assumptions has those of the estimation, a row for each line, and no heading where there are none", () => {
  const said = "Two rounds of feedback\r\n\n=1+1\rThe end";
  const of = (assumptions: string) => {
    const rows = workbookOf({ ...shop, assumptions }, about)[2]?.rows ?? [];
    return { rows, at: rows.findIndex(([cell]) => cell?.value === "Assumptions") };
  };
  const { rows, at } = of(said);
  const written = rows.slice(at + 1, at + 6).map(([cell]) => cell?.value ?? null);
  expect(written).toEqual(["Two rounds of feedback", null, "=1+1", "The end", null]);
  expect(rows[at + 3]?.[0]).toMatchObject({ format: "@" });
  expect(of("").at).toBe(-1);
  expect(rows.length).toBe(of("").rows.length + 6);
});

test("the sheet Tasks has the hours of the tasks, in steps, and the expected hours as they are in the sheet Estimate", () => {
  const [, tasks] = workbookOf(shop, about);
  const rows = tasks?.rows.map((row) => row.map((cell) => cell?.value ?? null));
  expect(rows).toEqual([
    ["No.", "Task", "Role", "Hours as exported", "Expected now"],
    [1, "Payment: Card", "backend", 34, 34],
    [2, "Extras", null, null, null],
    [3, "Refunds", null, 9, 9],
    [null, "Total", null, 43, 43],
  ]);
  expect(formulasOf(tasks, "D2 E2 E4 E5")).toEqual([null, "Estimate!M8", "Estimate!M10", "SUM(E2:E4)"]);
});

test("the sheet Assumptions says what the numbers rest on, and has the hours of each role", () => {
  const [, , assumptions] = workbookOf(shop, about);
  expect(valuesOf(assumptions, "B2 B3 B4 B5 B6 B7 B8 B9 B10")).toEqual([
    ...["Shop", "ACME", 7, "2026-11-28 01:43 UTC", 0.2, 100, "EUR", 0.5, 6],
  ]);
  expect(assumptions?.rows.slice(-2).map((row) => row.map((cell) => cell?.value))).toEqual([
    ["backend", 34],
    ["No role", 9],
  ]);
  expect(assumptions?.rows.flat().some((cell) => String(cell?.value).startsWith("In 80 of 100"))).toBe(true);
});

test("the sheet Assumptions has one row for a role in two spellings, which the sheet Estimate names alike", () => {
  const options = ["Backend", "backend", "BACKEND "].map((role, at) => ({ title: `o${at}`, hours: at + 1, role }));
  const [estimate, , assumptions] = workbookOf(contentOf([{ title: "n", kind: "group", options }]), about);
  expect(assumptions?.rows.slice(-2).map((row) => row.map((cell) => cell?.value))).toEqual([
    ["Backend", 6],
    ["No role", 0],
  ]);
  const cells = estimate?.rows.flat().filter((cell) => /^backend/i.test(String(cell?.value))) ?? [];
  expect(cells.map((cell) => cell?.value)).toEqual(["Backend", "Backend", "Backend"]);
});

test("without a range there is no distribution, and each percentile is the expected hours", () => {
  const [estimate, , assumptions] = workbookOf(
    contentOf([{ title: "n", kind: "group", options: [{ title: "o", hours: 5 }] }]),
    about,
  );
  expect(valuesOf(assumptions, "B13 B14 B15")).toEqual(["no range", "no range", "no range"]);
  expect(valuesOf(estimate, "M3 N3 O3 R3 M4")).toEqual([5, 0, 5, 5, ""]);
});

test("an empty tree has totals of 0", () => {
  const [estimate, tasks] = workbookOf(contentOf([]), about);
  expect(valuesOf(estimate, "J3 M3 R3")).toEqual([0, 0, 0]);
  expect(formulasOf(tasks, "D2")).toEqual(["0"]);
});

test("at most a hundred roles have a row; the others have one together", () => {
  const option = (_: unknown, at: number) => ({ title: `o${at}`, hours: 1, role: `r${at}` });
  const rolesOf = (count: number) => {
    const options = Array.from({ length: count }, option);
    const [, , assumptions] = workbookOf(contentOf([{ title: "n", kind: "group", options }]), about);
    return assumptions?.rows.slice(-2).map((row) => row.map((cell) => cell?.value));
  };
  expect(rolesOf(100)).toEqual([
    ["r99", 1],
    ["No role", 0],
  ]);
  expect(rolesOf(101)).toEqual([
    ["r99", 1],
    ["Other roles, and none", 1],
  ]);
});

describe("text", () => {
  const titled = (title: string): Cell => {
    const [estimate] = workbookOf(contentOf([{ title, kind: "group" }]), about);
    return cellAt(estimate, "C7");
  };

  test.each(["=1+1", "+1", "-1", "@x", '=HYPERLINK("http://example.com")'])(
    "that begins like a formula is a text, also when somebody edits it: %s",
    (title) => {
      expect(titled(title)).toMatchObject({ value: title, format: "@" });
      expect(titled(title)?.formula).toBeUndefined();
    },
  );

  test.each([
    ["a\u0001b\u007F\uFFFEc", "abc"],
    ["two\nlines\tand a tab", "two\nlines\tand a tab"],
    ["_x0041_ and _X000d_", "_x005F_x0041_ and _x005F_X000d_"],
    ["1 + 1 = 2", "1 + 1 = 2"],
  ])("is stored as spreadsheets store it: %j", (title, stored) => {
    expect(titled(title)).toMatchObject({ value: stored });
    expect(titled(title)?.format).toBeUndefined();
  });

  test("is never part of a formula, and numbers are finite, whatever the content", () => {
    const words = /^(?:Estimate|Assumptions|_xlfn\.BETA\.INV|"x"|""|"no range"|[A-Z\d.$]|[-+*/^(),:!<>=])*$/;
    fc.assert(
      fc.property(contents, (content) => {
        for (const { rows } of workbookOf(content, about)) {
          for (const cell of rows.flat()) {
            if (typeof cell?.value === "number") expect(cell.value).toBeGreaterThanOrEqual(0);
            if (cell?.formula !== undefined) expect(cell.formula).toMatch(words);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

test.each(examples)("the rows and the tasks add up to the totals: $file", ({ tree, estimation }) => {
  const [estimate, tasks] = workbookOf(contentOf([], { ...estimation, tree, rounding: 0.01 }), about);
  const total = Number(cellAt(estimate, "M3")?.value);
  const options = estimate?.rows.slice(6).filter((row) => row[4]?.value === "Option") ?? [];
  expect(options.reduce((sum, row) => sum + Number(row[12]?.value), 0)).toBeCloseTo(total, 9);
  const roots = estimate?.rows.slice(6).filter((row) => row[1]?.value === 1) ?? [];
  expect(roots.reduce((sum, row) => sum + Number(row[12]?.value), 0)).toBeCloseTo(total, 9);
  const [, , , exported, now] = tasks?.rows.at(-1) ?? [];
  expect(now?.value).toBeCloseTo(total, 9);
  expect(exported?.value).toBeCloseTo(Math.round(total * 100) / 100, 9);
});
