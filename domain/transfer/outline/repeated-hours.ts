import type { NodeInput } from "../../../contract/values/tree-input.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import type { ThreePoint } from "../../tree/shape.ts";
import { note, type Outline } from "../outline-items.ts";

type Points = readonly [number, number, number];

/** What rounding to hundredths adds to a sum. */
const ROUNDED = 0.006;

/** Notes options whose own hours are the sum of what is below them: they would count twice. */
export function noteRepeatedHours(outline: Outline): void {
  sumOf(outline.top.nodes, outline);
}

function sumOf(nodes: readonly NodeInput[], outline: Outline): Points {
  const sum: [number, number, number] = [0, 0, 0];
  for (const option of nodes.flatMap(({ options }) => options ?? [])) {
    const below = sumOf(option.nodes ?? [], outline);
    const { optimistic = 0, likely = 0, pessimistic = 0 } = (option.hours ?? {}) as Partial<ThreePoint>;
    const own: Points = [optimistic, likely, pessimistic];
    const isRepeated = pessimistic > 0 && own.every((hours, at) => Math.abs(hours - (below[at] ?? 0)) <= ROUNDED);
    const line = outline.lines.get(option);
    if (isRepeated && line !== undefined)
      note(outline.noted, line, `${wordsOf(own)} h again in its parts: keep, or leave them out?`);
    for (const at of [0, 1, 2] as const) sum[at] += (below[at] ?? 0) + own[at] * (option.quantity ?? 1);
  }
  return sum;
}

const wordsOf = (points: Points): string => {
  const [first, , last] = points;
  return first === last ? String(roundHundredth(first)) : points.map(roundHundredth).join("-");
};
