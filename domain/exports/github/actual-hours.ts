import { limits } from "../../../contract/limits.ts";

/**
 * A tracker may send a line of millions of spaces: no two parts next to each other take the same characters, or else a line that
 * ends in another way would be searched for each way to divide them.
 */
const NUMBER = "(\\d{1,9}(?:[.,]\\d{1,2})?)(?:[ \\t]*(?:h|hours?))?";
const LABEL = new RegExp(`^[ \\t]*actual hours:[ \\t]*${NUMBER}[ \\t]*$`, "i");
const LINE = new RegExp(LABEL.source, "gim");

export interface HoursComment {
  readonly body: string;
  /** Whether its author belongs to the repository: in a public one everybody may comment. */
  readonly ofMember: boolean;
}

/**
 * Returns the actual hours of a task, as people wrote them in its issue: a label `actual hours: 12.5`, or a line
 * `Actual hours: 12.5` in a comment. A label takes precedence over comments, the last line over earlier ones; labels that differ are ignored. null: none are given.
 *
 * @param comments in the order in which they were written
 */
export function actualHoursOf(labels: readonly string[], comments: readonly HoursComment[]): number | null {
  const labelled = new Set(labels.map((label) => hoursIn(LABEL.exec(label)?.[1])).filter((hours) => hours !== null));
  const [only] = labelled;
  if (labelled.size === 1 && only !== undefined) return only;
  const lines = comments
    .filter(({ ofMember }) => ofMember)
    .flatMap(({ body }) => [...body.replaceAll("\r\n", "\n").matchAll(LINE)].map(([, number]) => hoursIn(number)));
  return lines.findLast((hours) => hours !== null) ?? null;
}

function hoursIn(text: string | undefined): number | null {
  const hours = text === undefined ? Number.NaN : Number(text.replace(",", "."));
  return hours <= limits.treeHoursMax ? hours : null;
}
