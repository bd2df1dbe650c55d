import { type Tree, walk } from "../../../../domain/tree/shape.ts";

const HOURS = String.raw`\d+(?:[.,]\d+)?\s*h?`;
/** Three points or a number with its unit; a bare number at the end is as often a part of the name. */
const AT_END = new RegExp(String.raw`\s+(${HOURS}(?:\s*[-–]\s*${HOURS}){1,2}|\d+(?:[.,]\d+)?\s*h)$`);

/** Returns the titles of options without hours that end in what looks like hours: an outline has a colon before them. */
export function titlesWithHours(nodes: Tree["nodes"]): string[] {
  const found: string[] = [];
  walk(nodes, {
    option: ({ title, hours }) => {
      if (hours === null && AT_END.test(title)) found.push(title);
    },
  });
  return found;
}

/** Returns such a title as an outline has it, with its hours. */
export const withColon = (title: string): string => title.replace(AT_END, ": $1");
