import { type Figures, meanOf, spreadOf } from "../../tree/hours/distribution.ts";
import { evaluate } from "../../tree/hours/evaluate.ts";
import { roleNames } from "../../tree/roles.ts";
import { pointsOf, type Tree, walk } from "../../tree/shape.ts";
import type { Content } from "../content.ts";
import { ASSUMPTIONS, assumption, ESTIMATE, FIRST_ROW, range, totalHours } from "./addresses.ts";
import { type Cell, formula, HOURS, type Look, number, type Sheet, text } from "./cells.ts";
import { sheetTexts } from "./texts.ts";

const t = sheetTexts.assumptions;

/** What a workbook says beside the content. */
export interface About {
  readonly revision: number;
  /** ISO 8601 in UTC. */
  readonly exportedAt: string;
  readonly hoursPerDay: number;
}

/** Roles with a row of their own: each is searched for in all rows of the tree. */
const ROLES = 100;

const SHAPE: Look = { format: "0.0000" };

/** Returns the sheet that says what the numbers rest on; the formulas of the sheet Estimate read the correlation and the rate here. */
export function assumptionsSheet(content: Content, about: About, figures: Figures, last: number): Sheet {
  const { title, assumptions, clientName, correlation, hourlyRate, currency, rounding, tree } = content;
  const settings: Readonly<Record<keyof typeof assumption, readonly Cell[]>> = {
    estimation: [text(t.estimation), text(title)],
    client: [text(t.client), text(clientName ?? "")],
    revision: [text(t.revision), number(about.revision)],
    exported: [text(t.exported), text(`${about.exportedAt.slice(0, 16).replace("T", " ")} UTC`)],
    correlation: [text(t.correlation), number(correlation), text(t.correlationNote)],
    hourlyRate: [
      text(t.hourlyRate),
      hourlyRate === null ? null : number(hourlyRate, HOURS),
      text(hourlyRate === null ? t.noRate : t.hourlyRateNote),
    ],
    currency: [text(t.currency), text(currency ?? "")],
    rounding: [text(t.rounding), number(rounding), text(t.roundingNote)],
    hoursPerDay: [text(t.hoursPerDay), number(about.hoursPerDay), text(t.hoursPerDayNote)],
    ...shapes(figures),
  };
  const rows: (readonly Cell[])[] = [[text(t.title, { title: true })]];
  for (const [name, cells] of Object.entries(settings)) {
    const row = assumption[name as keyof typeof assumption];
    while (rows.length < row - 1) rows.push(rows.length === row - 2 ? [text(t.percentiles, { bold: true })] : []);
    rows.push(cells);
  }
  // A row for each line: a cell with a line break is one line high until somebody changes that.
  if (assumptions !== "") rows.push([], [text(t.assumptions, { bold: true })], ...linesOf(assumptions));
  rows.push([], [text(t.reading, { bold: true })]);
  for (const [name, meaning] of sheetTexts.readings) rows.push([text(name), null, text(meaning)]);
  rows.push([], [text(t.roles, { head: true }), text(t.expectedHours, { head: true })]);
  rows.push(...roleRows(tree, figures.expected, rows.length + 1, last));
  return { name: ASSUMPTIONS, rows, widths: [30, 24, 100], frozen: { rows: 1, columns: 0 } };
}

const linesOf = (words: string): Cell[][] => words.split(/\r\n|\r|\n/).map((line) => [text(line)]);

/** The shapes of the distribution, or that there is no range: `spreadOf` as formulas. */
function shapes(figures: Figures): Readonly<Record<"tau" | "alpha" | "beta", readonly Cell[]>> {
  const spread = spreadOf(figures);
  const none = "mean" in spread;
  const { optimistic: low, pessimistic: high, expected: mean, standardDeviation: s } = figures;
  const [a, b] = [totalHours("optimistic"), totalHours("pessimistic")];
  const [m, deviation] = [totalHours("expected"), totalHours("standardDeviation")];
  const tau = `B${assumption.tau}`;
  const shape = (part: string): string => `IF(ISNUMBER(${tau}),MAX(${tau}*(${part})/(${b}-${a}),1),"${t.noRange}")`;
  const isNarrow = `OR(${b}-${a}<=1E-9*${m},${deviation}<=1E-9*${m},${m}<=${a},${m}>=${b})`;
  const value = (of: number): string | number => (none ? t.noRange : of);
  return {
    tau: [
      text(t.tau),
      formula(
        `IF(${isNarrow},"${t.noRange}",(${m}-${a})*(${b}-${m})/${deviation}^2-1)`,
        value(((mean - low) * (high - mean)) / (s * s) - 1),
        SHAPE,
      ),
      text(t.tauNote),
    ],
    alpha: [text(t.alpha), formula(shape(`${m}-${a}`), value(none ? 0 : spread.alpha), SHAPE), text(t.alphaNote)],
    beta: [text(t.beta), formula(shape(`${b}-${m}`), value(none ? 0 : spread.beta), SHAPE), text(t.betaNote)],
  };
}

/** The expected hours of each role, and what is left of the total. */
function roleRows(tree: Tree, expected: number, first: number, last: number): Cell[][] {
  const { weights } = evaluate(tree);
  const nameOf = roleNames(tree);
  const hours = new Map<string, { readonly cell: Cell; sum: number }>();
  let isCut = false;
  walk(tree.nodes, {
    option: (option) => {
      const cell = text(nameOf(option.role) ?? "");
      if (cell === null) return;
      const name = String(cell.value);
      const role = hours.get(name) ?? { cell, sum: 0 };
      if (!hours.has(name) && hours.size === ROLES) isCut = true;
      else hours.set(name, role);
      role.sum += (weights.get(option.id) ?? 0) * meanOf(pointsOf(option) ?? NONE);
    },
  });
  const roles = `${ESTIMATE}!${range("role", FIRST_ROW, last)}`;
  const sums = `${ESTIMATE}!${range("expected", FIRST_ROW, last)}`;
  const rows = Array.from(hours.values(), ({ cell, sum }, index): Cell[] => [
    cell,
    formula(`SUMPRODUCT(--EXACT(${roles},A${first + index}),${sums})`, sum, HOURS),
  ]);
  const end = first + rows.length - 1;
  const named = rows.length === 0 ? "" : `-SUM(B${first}:B${end})`;
  const left = [...hours.values()].reduce((rest, { sum }) => rest - sum, expected);
  // What rounding errors leave would show as -0.00.
  const rest = formula(`ROUND(${totalHours("expected")}${named},6)`, Math.round(left * 1e6) / 1e6 + 0, HOURS);
  return [...rows, [text(isCut ? t.otherRoles : t.noRole), rest]];
}

const NONE = { optimistic: 0, likely: 0, pessimistic: 0 };
