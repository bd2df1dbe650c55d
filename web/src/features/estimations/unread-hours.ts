import { withColon } from "../../../../domain/transfer/hours/looks-like-hours.ts";
import { type Tree, walk } from "../../../../domain/tree/shape.ts";

/** Returns options without hours whose titles end in what looks like hours, each as an outline has it with them. */
export function titlesWithHours(nodes: Tree["nodes"]): string[] {
  const found: string[] = [];
  walk(nodes, {
    option: ({ title, hours }) => {
      const line = hours === null ? withColon(title) : null;
      if (line !== null) found.push(line);
    },
  });
  return found;
}
