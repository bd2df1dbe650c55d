import type { CsvForm } from "../../contract/values/csv-form.ts";
import { apportion } from "../tree/hours/apportion.ts";
import { meanOf } from "../tree/hours/distribution.ts";
import { evaluate } from "../tree/hours/evaluate.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { type Node, type Option, pointsOf } from "../tree/shape.ts";
import type { Content } from "./content.ts";

const columns = [
  "path",
  "node",
  "option",
  "description",
  "counts",
  "role",
  "quantity",
  "unit",
  "optimistic",
  "likely",
  "pessimistic",
  "expectedTotal",
] as const;

/** Code points shown of a path: each row repeats it, so that a file would otherwise be many times as large as its tree. */
const PATH = 200;

/** Returns the last part of a path, which is the nearest to the row. */
export function endOf(path: string): string {
  const points = [...path];
  return points.length > PATH ? `…${points.slice(1 - PATH).join("")}` : path;
}

type Cell = string | number | null;

/**
 * Returns an estimation as CSV (RFC 4180, CRLF, with a header row): one row per option in tree order, counted or not. `form`:
 * what stands between cells and before decimals, which spreadsheets expect as their language has it.
 * `optimistic`, `likely` and `pessimistic` are the hours of one unit; `expectedTotal` is the expected hours with all
 * quantities, and its sum is exactly the roll-up's. A long `path` is cut at its beginning. Text that a spreadsheet would read as a formula gets an apostrophe
 * in front.
 */
export function exportCsv({ tree }: Content, form: CsvForm = { separator: ",", decimal: "." }): string {
  const { weights } = evaluate(tree);
  const rows: { cells: Cell[]; expected: number }[] = [];
  const enter = (nodes: readonly Node[], path: string): void => {
    for (const node of nodes) {
      for (const option of node.options) {
        const weight = weights.get(option.id);
        const points = pointsOf(option);
        rows.push({
          cells: [...about(node, option, path, weight !== undefined), ...hoursOf(points)],
          expected: points === null ? 0 : (weight ?? 0) * meanOf(points),
        });
        enter(option.nodes, endOf(`${path === "" ? "" : `${path} / `}${node.title}: ${option.title}`));
      }
    }
  };
  enter(tree.nodes, "");
  const totals = apportion(
    rows.map(({ expected }) => expected * 100),
    Math.round(summaryHours(tree, { correlation: 0 }).expected * 100),
  );
  const line = lineOf(form);
  const lines = rows.map(({ cells }, index) => line([...cells, (totals[index] ?? 0) / 100]));
  return [line(columns), ...lines, ""].join("\r\n");
}

function about(node: Node, option: Option, path: string, isCounted: boolean): Cell[] {
  const { title, description, role, quantity, unit } = option;
  return [path, node.title, title, description, isCounted ? "yes" : "no", role, quantity, unit];
}

function hoursOf(points: ReturnType<typeof pointsOf>): Cell[] {
  return points === null ? [null, null, null] : [points.optimistic, points.likely, points.pessimistic];
}

/**
 * Where a formula begins: at the beginning of a cell, also with characters that spreadsheets ignore; and where another
 * separator, which is set on many machines, begins a cell within the text. Some characters have full-width forms. A comma does
 * not begin one where it is the separator: then the cell is in quotation marks.
 */
const formulaBehind = (separators: string): RegExp =>
  new RegExp(`^(?=[=+\\-@\\t\\r\\n＝＋－＠])|(?<=[${separators}\\t\\r\\n])(?="*[=+\\-@＝＋－＠])`, "g");

/** Returns a function that writes a row. */
function lineOf({ separator, decimal }: CsvForm): (cells: readonly Cell[]) => string {
  const formula = formulaBehind(separator === "," ? ";" : ",;");
  const special = new RegExp(`["\r\n${separator}]`);
  const quoted = (text: string) => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const cellOf = (value: Cell): string => {
    if (value === null) return "";
    return quoted(typeof value === "number" ? String(value).replace(".", decimal) : value.replace(formula, "'"));
  };
  return (cells) => cells.map(cellOf).join(separator);
}
