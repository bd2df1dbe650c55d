import type { Node, Option, ThreePoint } from "../../../contract/values/tree.ts";
import type { TreeHours } from "../../../contract/values/tree-hours.ts";
import { counts as optionCounts } from "../../../domain/tree/hours/evaluate.ts";
import { bar, exact, figure, points, times } from "./figures.ts";
import { bold, dim } from "./style.ts";
import { left, right, widthOf } from "./text.ts";

interface TreeView {
  /** Clean, as what is printed of it. */
  readonly nodes: readonly Node[];
  readonly hours: TreeHours;
  /** Columns of a line. */
  readonly width: number;
  /** Ids in place of hours, to copy them. */
  readonly ids: boolean;
}

/** A line of the tree, before anybody knows how wide its columns are. */
interface Line {
  readonly depth: number;
  readonly mark: string;
  readonly title: string;
  /** Behind the title, less important. */
  readonly aside: string;
  readonly id: string;
  readonly counts: boolean;
  /** Hours of an option with all its quantities; null for questions, and options without hours. */
  readonly range: ThreePoint | null;
  /** Of a question that is asked: what everything below it takes on average. */
  readonly expected: number | null;
}

const CHOICES = { single: "choose one", multi: "choose any", group: "all" } as const;

/** Returns the tree as lines: what is selected, the hours of each option, and their ranges on one scale. */
export function treeLines({ nodes, hours, width, ids }: TreeView): string[] {
  const expected = new Map(hours.byNode.map((node) => [node.nodeId, node.expected]));
  const lines = nodes.flatMap((node) => linesOf(node, { depth: 0, factor: 1, counts: true, expected }));
  const most = Math.max(0, ...lines.map(({ range }) => range?.pessimistic ?? 0));
  const numbers = lines.map(numbersOf);
  const numberWidth = ids ? 0 : Math.min(20, Math.floor(width / 4), Math.max(5, ...numbers.map(widthOf)));
  const lastWidth = ids ? ID_WIDTH : Math.max(8, Math.min(30, Math.floor((width - numberWidth - 4) / 3)));
  const between = ids ? "" : "  ";
  const titleWidth = width - numberWidth - lastWidth - between.length - 2;
  const scale = `0${right(`${figure(most)} h`, lastWidth - 1)}`;
  const head = ids ? [] : [dim(`${left("", titleWidth)}  ${right("hours", numberWidth)}  ${scale}`)];
  return [
    ...head,
    ...lines.map((line, at) => {
      const number = ids ? "" : right(numbers[at] ?? "", numberWidth);
      const last = ids ? line.id : line.range ? bar(line.range, { most, width: lastWidth, counts: line.counts }) : "";
      const rest = `  ${line.expected === null ? number : dim(number)}${between}${last}`;
      return (titleOf(line, titleWidth) + (line.counts ? rest : dim(rest))).trimEnd();
    }),
  ];
}

/** Ids have a prefix of three letters, `_`, and 26 characters. */
const ID_WIDTH = 30;

interface Above {
  readonly depth: number;
  /** All quantities above. */
  readonly factor: number;
  /** Whether what is above counts. */
  readonly counts: boolean;
  readonly expected: ReadonlyMap<string, number>;
}

function linesOf(node: Node, above: Above): Line[] {
  const { depth, counts, expected } = above;
  const aside = ` (${[CHOICES[node.kind], ...rulesOf(node)].join(", ")})`;
  const sum = counts ? (expected.get(node.id) ?? null) : null;
  const own: Line = { depth, mark: "", title: node.title, aside, id: node.id, counts, range: null, expected: sum };
  return [own, ...node.options.flatMap((option) => linesOfOption(option, node, above))];
}

function linesOfOption(option: Option, node: Node, { depth, factor, counts, expected }: Above): Line[] {
  const { kind } = node;
  const isChosen = optionCounts(node, option);
  const all = factor * option.quantity;
  const three = option.override ?? option.hours;
  const mark = kind === "group" ? "·" : kind === "single" ? (isChosen ? "●" : "○") : isChosen ? "■" : "□";
  const own: Line = {
    ...{ depth: depth + 1, mark: `${mark} `, title: option.title, id: option.id, expected: null },
    aside: option.quantity === 1 ? "" : ` ×${exact(option.quantity)}${option.unit ? ` ${option.unit}` : ""}`,
    counts: counts && isChosen,
    range: three ? times(three, all) : null,
  };
  const below = { depth: depth + 2, factor: all, counts: own.counts, expected };
  return [own, ...option.nodes.flatMap((nested) => linesOf(nested, below))];
}

const rulesOf = ({ required, min, max }: Node): string[] => [
  ...(required ? ["required"] : []),
  ...(min === null ? [] : [`min ${min}`]),
  ...(max === null ? [] : [`max ${max}`]),
];

const numbersOf = ({ range, expected }: Line): string => {
  if (expected !== null) return `Σ ${figure(expected)}`;
  return range === null ? "" : points(range);
};

/** Columns in which what stands behind a title still says something. */
const LEAST_ASIDE = 6;
/** Columns that indentation leaves for a title with its mark. */
const ROOM = 10;

function titleOf({ depth, mark, title, aside, counts }: Line, width: number): string {
  const begin = "  ".repeat(Math.max(0, Math.min(depth, Math.floor((width - ROOM) / 2)))) + mark;
  const room = width - widthOf(begin);
  const shown = left(title, Math.min(widthOf(title), room));
  const space = room - widthOf(shown);
  const rest = left(space < LEAST_ASIDE ? "" : aside, space);
  if (!counts) return dim(begin + shown + rest);
  return begin + (mark === "" ? bold(shown) : shown) + dim(rest);
}
