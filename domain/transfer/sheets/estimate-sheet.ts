import { addPoints, type Figures, meanOf, noHours, percentiles } from "../../tree/hours/distribution.ts";
import { counts } from "../../tree/hours/evaluate.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import { roleNames } from "../../tree/roles.ts";
import { type Node, type Option, pointsOf } from "../../tree/shape.ts";
import type { Content } from "../content.ts";
import { assumed, column, ESTIMATE, FIRST_ROW, HOURS_ROW, range, total } from "./addresses.ts";
import { type Cell, formula, HOURS, type Look, number, type Sheet, text } from "./cells.ts";
import { sheetTexts as t } from "./texts.ts";

/** What the other sheets need of this one. */
export interface EstimateSheet {
  readonly sheet: Sheet;
  /** Rows of the options by their ids. */
  readonly rowOf: ReadonlyMap<string, number>;
  /** The last row of the tree. */
  readonly last: number;
}

/** An option above, or what stands in its place at the top. */
interface Above {
  /** Null at the top. */
  readonly row: number | null;
  readonly weight: number;
  readonly number: string;
  readonly level: number;
}

const TOP: Above = { row: null, weight: 1, number: "", level: 0 };
const COUNT: Look = { format: "0.####" };

/**
 * Returns the sheet of the tree: one row for each node and option in tree order, counted or not, and above them the totals as
 * formulas. What an option adds follows from its x, its quantity and the row of the option above it, so that whatever is
 * changed in the sheet shows in the totals.
 */
export function estimateSheet({ title, currency, hourlyRate, tree }: Content, figures: Figures): EstimateSheet {
  const rows: (readonly Cell[])[] = [];
  const rowOf = new Map<string, number>();
  const nextRow = (): number => FIRST_ROW + rows.length;
  // One name for each role: the sums by role compare exactly.
  const nameOf = roleNames(tree);

  /** Appends nodes with what is below them; returns the expected hours of all. */
  const addNodes = (nodes: readonly Node[], above: Above): number => {
    let sum = 0;
    for (const [index, node] of nodes.entries()) {
      const row = nextRow();
      const place: Above = { ...above, number: `${above.number}${index + 1}.`, level: above.level + 1 };
      // Takes its place before the rows below it, whose last one it names.
      rows.push([]);
      const expected = addOptions(node, place);
      rows[row - FIRST_ROW] = nodeRow(node, place, expected, { first: row + 1, last: nextRow() - 1 });
      sum += expected;
    }
    return sum;
  };

  const addOptions = (node: Node, above: Above): number => {
    let sum = 0;
    for (const [index, option] of node.options.entries()) {
      const row = nextRow();
      rowOf.set(option.id, row);
      const weight = counts(node, option) ? above.weight * option.quantity : 0;
      const place: Above = { row, weight, number: `${above.number}${index + 1}.`, level: above.level + 1 };
      const points = pointsOf(option);
      const expected = points === null ? 0 : weight * meanOf(points);
      rows.push(optionRow(node, option, place, { expected, rowAbove: above.row, role: nameOf(option.role) }));
      sum += expected + addNodes(option.nodes, place);
    }
    return sum;
  };

  addNodes(tree.nodes, TOP);
  const last = Math.max(nextRow() - 1, FIRST_ROW);
  const head = Object.values(t.columns).map((name) => text(name, { head: true }));
  return {
    sheet: {
      name: ESTIMATE,
      rows: [...totalRows({ title, currency, hourlyRate }, figures, last), [], head, ...rows],
      widths: [10, 6, 45, 30, 12, 12, 16, 10, 10, 12, 12, 12, 12, 13, 12, 12, 12, 12],
      frozen: { rows: FIRST_ROW - 1, columns: 3 },
    },
    rowOf,
    last,
  };
}

/** The columns up to that of the title. */
const begin = (title: string, { number: at, level }: Above, bold: boolean): Cell[] => [
  text(at.slice(0, -1)),
  number(level),
  text(title, { indent: level - 1, bold }),
];

function nodeRow(node: Node, place: Above, expected: number, below: { first: number; last: number }): Cell[] {
  const sum = below.last < below.first ? "0" : meanSum(below.first, below.last);
  return [
    ...begin(node.title, place, true),
    text(node.description),
    text(t.kinds[node.kind]),
    ...Array<Cell>(7).fill(null),
    formula(sum, expected, { ...HOURS, bold: true }),
  ];
}

function optionRow(
  node: Node,
  option: Option,
  place: Above,
  { expected, rowAbove, role }: { expected: number; rowAbove: number | null; role: string | null },
): Cell[] {
  const { row, weight } = place;
  const points = pointsOf(option);
  const at = (name: keyof typeof column): string => `${column[name]}${row}`;
  const [o, l, p] = [at("optimistic"), at("likely"), at("pessimistic")];
  const mean = `(${o}+4*${l}+${p})/6`;
  const own = `IF(${at("selected")}="x",${at("quantity")},0)`;
  const deviation = points === null ? 0 : addPoints(noHours(), points, weight);
  return [
    ...begin(option.title, place, false),
    text(option.description),
    text(t.option),
    counts(node, option) ? text("x") : null,
    text(role ?? ""),
    number(option.quantity, COUNT),
    text(option.unit ?? ""),
    ...(points === null
      ? [null, null, null]
      : [points.optimistic, points.likely, points.pessimistic].map((hours) => number(hours, HOURS))),
    formula(`${at("weight")}*${mean}`, expected, HOURS),
    formula(rowAbove === null ? own : `${own}*${column.weight}${rowAbove}`, weight, COUNT),
    formula(`${at("weight")}*SQRT(MAX((${mean}-${o})*(${p}-${mean}),0)/7)`, deviation, HOURS),
  ];
}

type Bound = "optimistic" | "likely" | "pessimistic";

/** The sum of a column of hours, each as often as it counts. Rows of nodes have no such number, and add nothing. */
const weighted = (name: Bound, first: number, last: number): string =>
  `SUMPRODUCT(${range("weight", first, last)},${range(name, first, last)})`;

const meanSum = (first: number, last: number): string =>
  `(${weighted("optimistic", first, last)}+4*${weighted("likely", first, last)}+${weighted("pessimistic", first, last)})/6`;

type Names = Pick<Content, "title" | "currency" | "hourlyRate">;

function totalRows({ title, currency, hourlyRate }: Names, figures: Figures, last: number): Cell[][] {
  const at = (name: keyof typeof total): string => `${total[name]}${HOURS_ROW}`;
  const [a, l, b, m] = [at("optimistic"), at("likely"), at("pessimistic"), at("expected")];
  const deviations = range("deviation", FIRST_ROW, last);
  const rho = assumed("correlation");
  const formulas: Readonly<Record<keyof typeof total, string>> = {
    optimistic: weighted("optimistic", FIRST_ROW, last),
    likely: weighted("likely", FIRST_ROW, last),
    pessimistic: weighted("pessimistic", FIRST_ROW, last),
    expected: `MIN(MAX((${a}+4*${l}+${b})/6,${a}),${b})`,
    standardDeviation: `SQRT((1-${rho})*SUMSQ(${deviations})+${rho}*SUM(${deviations})^2)`,
    ...percentileFormulas(a, b, m),
  };
  const names = Object.keys(t.figures) as (keyof typeof total)[];
  const space = Array<Cell>(6).fill(null);
  const money = (name: "expected" | (typeof percentiles)[number][0]): Cell => {
    const cost = hourlyRate === null ? "" : roundHundredth(roundHundredth(figures[name]) * hourlyRate);
    const rate = assumed("hourlyRate");
    return formula(`IF(ISNUMBER(${rate}),ROUND(ROUND(${at(name)},2)*${rate},2),"")`, cost, { ...HOURS, bold: true });
  };
  return [
    [null, null, text(title, { title: true }), ...space, text(t.change)],
    [
      null,
      null,
      text(t.totals, { head: true }),
      ...space,
      ...names.map((name) => text(t.figures[name], { head: true })),
    ],
    [
      ...[null, null, text(t.hours, { bold: true }), ...space],
      ...names.map((name) => formula(formulas[name], figures[name], { ...HOURS, bold: true })),
    ],
    [
      ...[
        null,
        null,
        text(currency === null ? t.cost : t.costIn(currency), { bold: true }),
        ...space,
        null,
        null,
        null,
      ],
      ...[money("expected"), null, ...percentiles.map(([name]) => money(name))],
    ],
  ];
}

/** Without a range, α is a text, and each percentile is the expected hours. */
const percentileFormulas = (a: string, b: string, m: string) =>
  Object.fromEntries(
    percentiles.map(([name, q]) => [
      name,
      `IF(ISNUMBER(${assumed("alpha")}),` +
        `MIN(${a}+(${b}-${a})*_xlfn.BETA.INV(${q},${assumed("alpha")},${assumed("beta")}),${b}),${m})`,
    ]),
  ) as Record<(typeof percentiles)[number][0], string>;
