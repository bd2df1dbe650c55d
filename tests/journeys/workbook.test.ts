import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Content } from "../../domain/transfer/content.ts";
import type { Cell, Sheet } from "../../domain/transfer/sheets/cells.ts";
import { workbookOf } from "../../domain/transfer/sheets/workbook.ts";
import { contents } from "../../domain/transfer/testing/contents.ts";
import { writtenRole } from "../../domain/tree/roles.ts";
import { examples } from "../../domain/tree/testing/examples.ts";
import { plant, trees } from "../../domain/tree/testing/trees.ts";
import { writeWorkbook } from "../../server/services/write-workbook.ts";
import { type Json, start } from "../harness.ts";
import { type ReadWorkbook, readGermanCsv, readWorkbooks } from "../support/libre-office.ts";

const app = await start();
const user = await app.signUp();
const send = async (method: string, path: string, body?: object) => {
  const { status, data, text } = await app.request(method, path, { token: user.token, ...(body ? { body } : {}) });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return data;
};

type Nodes = readonly object[];
type Settings = Partial<Pick<Content, "correlation" | "hourlyRate" | "currency" | "rounding">>;

/** Makes an estimation and returns the path to it. */
async function made(nodes: Nodes, settings: Settings = {}): Promise<string> {
  const { estimation } = await send("POST", "/api/estimations", { title: "Shop", ...settings });
  const path = `/api/estimations/${estimation?.id}`;
  await send("PUT", `${path}/tree`, { nodes: withoutIds(nodes) });
  return path;
}

/** Links are left out: nothing in a workbook depends on them. */
const withoutIds = (nodes: Nodes): Nodes =>
  JSON.parse(
    JSON.stringify(nodes, (name, value) => (["id", "requires", "excludes"].includes(name) ? undefined : value)),
  );

async function exported(path: string): Promise<Uint8Array> {
  const headers = { authorization: `Bearer ${user.token}` };
  const response = await fetch(`${app.url}${path}/export?format=xlsx`, { headers });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

const hoursOf = async (path: string): Promise<Json> => (await send("GET", `${path}/tree/hours`)).hours as Json;

const FIGURES = ["optimistic", "likely", "pessimistic", "expected", "standardDeviation"] as const;
const PERCENTILES = ["p50", "p80", "p90", "p95"] as const;
/** The column of the first total. */
const J = 9;

/** Half of the last digit that the API shows. */
const HUNDREDTH = 0.005 + 1e-9;

const distance = (a: unknown, b: unknown): number => Math.abs(Number(a) - Number(b));

/** Compares what was computed with the API's hours: totals to the hundredth, percentiles to a thousandth of them. */
function expectTotals(name: string, workbook: ReadWorkbook | undefined, hours: Json): void {
  const sheet = workbook?.Estimate ?? [];
  const totals = sheet[2]?.slice(J).map(Number) ?? [];
  for (const [at, figure] of FIGURES.entries()) {
    expect(distance(totals[at], hours[figure]), `${name}: ${figure} ${totals[at]}`).toBeLessThanOrEqual(
      // A double has 15 to 16 digits.
      HUNDREDTH + Number(hours.pessimistic) * 1e-13,
    );
  }
  for (const [at, figure] of PERCENTILES.entries()) {
    const computed = totals[FIGURES.length + at];
    expect(distance(computed, hours[figure]), `${name}: ${figure} ${computed}`).toBeLessThanOrEqual(
      HUNDREDTH + Number(hours[figure]) * 0.001,
    );
  }
  const roots = sheet.slice(6).filter((row) => row[1] === "1");
  const sum = roots.reduce((all, row) => all + Number(row[12]), 0);
  expect(distance(sum, totals[3]), `${name}: roots`).toBeLessThanOrEqual(1e-6);
  const roles = workbook?.Assumptions ?? [];
  const split = roles.slice(roles.findIndex(([first]) => first === "Roles") + 1);
  for (const { role, expected } of hours.byRole as unknown as { role: string | null; expected: number }[]) {
    const computed = split.find(([first]) => first === (role ?? "No role"))?.[1];
    // Roles of the API add up exactly, for which a hundredth may be moved.
    expect(distance(computed, expected), `${name}: ${role}`).toBeLessThanOrEqual(0.015);
  }
}

/** The cost of the expected hours and of the percentiles. */
const costsIn = (workbook: ReadWorkbook | undefined): (string | undefined)[] =>
  [12, 14, 15, 16, 17].map((column) => workbook?.Estimate?.[3]?.[column]);

const one = (optimistic: number, likely: number, pessimistic: number, quantity = 1) => [
  { title: "n", kind: "group", options: [{ title: "o", hours: { optimistic, likely, pessimistic }, quantity }] },
];

describe("LibreOffice", () => {
  const random = fc.sample(trees, { numRuns: 15, seed: 7 });
  const all: Readonly<Record<string, readonly [Nodes, Settings]>> = {
    ...Object.fromEntries(
      examples.map(({ file, tree, estimation }) => [file, [tree.nodes, rateOf(estimation)] as const]),
    ),
    ...Object.fromEntries(
      random.map(({ nodes }, at) => [`random ${at}`, [nodes, { correlation: [0, 0.2, 0.7, 1][at % 4] ?? 0 }] as const]),
    ),
    empty: [[], {}],
    "without a range": [one(5, 5, 5), {}],
    "skewed to the left": [one(0, 0, 100), {}],
    "skewed to the right": [one(0, 100, 100), {}],
    "no hours": [one(0, 0, 0), { hourlyRate: 80, currency: "EUR" }],
    "as large as possible": [one(99_999, 100_000, 100_000, 10_000), {}],
  };

  const files: Record<string, Uint8Array> = {};
  const expected: Record<string, Json> = {};
  beforeAll(async () => {
    for (const [name, [nodes, settings]] of Object.entries(all)) {
      const path = await made(nodes, settings);
      files[name] = await exported(path);
      expected[name] = await hoursOf(path);
    }
  });

  test("computes the totals of the API, to the hundredth, and its percentiles, to a thousandth", async () => {
    const computed = await readWorkbooks(files, "always");
    for (const [name, hours] of Object.entries(expected)) {
      expectTotals(name, computed[name], hours);
      const costs = costsIn(computed[name]);
      const { cost } = hours;
      if (cost) {
        expect(Number(costs[0])).toBe(cost.expected);
        for (const [at, figure] of PERCENTILES.entries()) {
          expect(distance(costs[at + 1], cost[figure]), name).toBeLessThanOrEqual(Number(cost[figure]) * 0.001);
        }
      } else expect(costs).toEqual(["", "", "", "", ""]);
    }
  });

  test("shows the same where nothing is computed", async () => {
    const stored = await readWorkbooks(files, "never");
    for (const [name, hours] of Object.entries(expected)) {
      expectTotals(name, stored[name], hours);
      const { cost } = hours;
      const costs = cost ? [cost.expected, cost.p50, cost.p80, cost.p90, cost.p95] : ["", "", "", "", ""];
      expect(costsIn(stored[name])).toEqual(costs.map(String));
    }
  });

  test("computes the totals anew when a number, an x or the correlation is changed", async () => {
    const [example] = examples.filter(({ file }) => file === "checkout.json");
    const [extra, hours] = [
      { optimistic: 10, likely: 20, pessimistic: 60 },
      { optimistic: 4, likely: 16, pessimistic: 34 },
    ];
    const below = {
      title: "Below",
      kind: "multi",
      options: [{ title: "b", hours: extra, quantity: 2, selected: true }],
    };
    const choice = (card: boolean, invoice: boolean, likely = 16, quantity = 1): Nodes => [
      ...(example?.tree.nodes ?? []),
      {
        title: "Choice",
        kind: "multi",
        options: [
          { title: "Card", hours: { ...hours, likely }, quantity, selected: card, nodes: [below] },
          { title: "Invoice", hours: extra, selected: invoice },
        ],
      },
    ];
    const changes: Readonly<Record<string, readonly [Nodes, Settings, Changes]>> = {
      "a number": [choice(true, false, 33.5), {}, [["Card", "K", 33.5]]],
      "a quantity": [choice(true, false, 16, 2.5), {}, [["Card", "H", 2.5]]],
      "an x that is removed": [choice(false, false), {}, [["Card", "F", null]]],
      "an x that is added": [choice(true, true), {}, [["Invoice", "F", "x"]]],
      "the correlation": [choice(true, false), { correlation: 0.9 }, [["Correlation", "B", 0.9]]],
    };
    const content = contentOf(choice(true, false));
    const changedFiles: Record<string, Uint8Array> = {};
    const changedHours: Record<string, Json> = {};
    for (const [name, [nodes, settings, change]] of Object.entries(changes)) {
      changedFiles[name] = await writeWorkbook(changed(workbookOf(content, about), change));
      changedHours[name] = await hoursOf(await made(nodes, settings));
    }
    const before = await hoursOf(await made(choice(true, false)));
    const computed = await readWorkbooks(changedFiles, "always");
    for (const [name, hours] of Object.entries(changedHours)) {
      expect(hours.p80).not.toBe(before.p80);
      expectTotals(name, computed[name], hours);
    }
  });

  test("reads CSV for German as numbers, with the sums of the API", async () => {
    const options = [
      { title: "Zahlung; Rückgabe", hours: { optimistic: 1.25, likely: 2.5, pessimistic: 4.75 }, quantity: 3 },
      { title: "Rückgabe", hours: { optimistic: 0.5, likely: 1_000.5, pessimistic: 2_000.75 } },
    ];
    const path = await made([{ title: "Umfang", kind: "group", options }]);
    const headers = { authorization: `Bearer ${user.token}` };
    const response = await fetch(`${app.url}${path}/export?format=csv&separator=;&decimal=,`, { headers });
    const sums = ["I", "L"].map((column) => `=SUM(${column}2:${column}3)`);
    const row = Array.from({ length: 12 }, (_, at) => (at === 8 ? sums[0] : at === 11 ? sums[1] : ""));
    const sheet = await readGermanCsv(`${await response.text()}${row.join(";")}\r\n`);
    expect(sheet.map((cells) => cells[2]).slice(0, 3)).toEqual(["option", "Zahlung; Rückgabe", "Rückgabe"]);
    const { expected } = (await hoursOf(path)) as unknown as { readonly expected: number };
    expect([Number(sheet[3]?.[8]), Number(sheet[3]?.[11])]).toEqual([1.75, expected]);
  });

  test("shows every text as it was written, and computes none", async () => {
    const names = [
      "constructor",
      "__proto__",
      "toString",
      "=1+1",
      "+1",
      "-1",
      "@SUM(1)",
      " spaces ",
      "_x0041_",
      "a\nb",
      '<&>"',
    ];
    const hostile = contentOf([
      { title: "n", kind: "group", options: names.map((title) => ({ title, role: title, hours: 1 })) },
    ]);
    const sampled = fc.sample(contents, { numRuns: 10, seed: 11 });
    const written: Record<string, Uint8Array> = { hostile: await writeWorkbook(workbookOf(hostile, about)) };
    for (const [at, content] of sampled.entries())
      written[`content ${at}`] = await writeWorkbook(workbookOf(content, about));
    const computed = await readWorkbooks(written, "always");
    expect(computed.hostile?.Estimate?.slice(7).map((row) => [row[2], row[6]])).toEqual(
      names.map((name) => [name, writtenRole(name)]),
    );
    expect(
      computed.hostile?.Assumptions?.slice(-1 - names.length).map(([role, hours]) => [role, Number(hours)]),
    ).toEqual([...names.map((name) => [writtenRole(name), 1]), ["No role", 0]]);
    for (const [at, content] of sampled.entries()) {
      const titles = computed[`content ${at}`]?.Estimate?.slice(6).map((row) => row[2]);
      expect(titles?.map(plain)).toEqual(titlesIn(content).map(plain));
    }
  });
});

const about = { revision: 1, exportedAt: "2026-11-28T01:43:59.000Z", hoursPerDay: 8 };

const rateOf = ({ hourlyRate, currency }: Settings): Settings => ({ hourlyRate, currency }) as Settings;

const contentOf = (nodes: Nodes): Content => ({
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, tags: [] },
  ...{ hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01, tree: plant(withoutIds(nodes) as Parameters<typeof plant>[0]) },
});

/** What a recipient changes: in the row with this text, the cell of this column. */
type Changes = readonly (readonly [text: string, letter: string, value: string | number | null])[];

const changed = (sheets: readonly Sheet[], changes: Changes): Sheet[] =>
  sheets.map((sheet) => ({
    ...sheet,
    rows: sheet.rows.map((row) =>
      changes.reduce<readonly Cell[]>((cells, [title, letter, value]) => {
        const own = sheet.name === "Estimate" ? cells[2] : sheet.name === "Assumptions" ? cells[0] : null;
        if (own?.value !== title) return cells;
        return cells.with(letter.charCodeAt(0) - 65, value === null ? null : { value });
      }, row),
    ),
  }));

/** Titles of all nodes and options in tree order. */
function titlesIn({ tree }: Content): string[] {
  const titles: string[] = [];
  const enter = (nodes: Content["tree"]["nodes"]): void => {
    for (const node of nodes) {
      titles.push(node.title);
      for (const option of node.options) {
        titles.push(option.title);
        enter(option.nodes);
      }
    }
  };
  enter(tree.nodes);
  return titles;
}

/** Without what no spreadsheet stores, and with one kind of line end. */
const plain = (text: string | undefined): string =>
  (text ?? "").replace(/\r\n?/g, "\n").replace(/(?!\n|\t)[\p{Cc}\p{Noncharacter_Code_Point}\uFFFD]/gu, "");
