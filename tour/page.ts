import { readFileSync, writeFileSync } from "node:fs";
import type { Scene } from "./stage.ts";

const PAGE = new URL("../docs/tour.md", import.meta.url);
const BEGIN = "<!-- tour: written by `npm run tour -- --write` -->";
const END = "<!-- end of the tour -->";

const block = (language: string, lines: readonly string[]): string => `\`\`\`${language}\n${lines.join("\n")}\n\`\`\``;

/** Where the page has its receiver: `npm run tour` takes any free port for its own. */
const onThePage = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.replace(/https:\/\/localhost:\d+/g, "https://localhost:4443"));

/** The tour as a part of its page: for each step a block to copy, then blocks with what comes back. */
export const asMarkdown = (scenes: readonly Scene[]): string =>
  scenes
    .map(({ title, says, commands, response, received }, at) =>
      [
        [`**${at + 1}. ${title}.**`, says].filter(Boolean).join(" "),
        block("bash", commands),
        block("http", onThePage(response)),
        ...(received.length > 0 ? ["The receiver shows:", block("text", received)] : []),
      ].join("\n\n"),
    )
    .join("\n\n");

/** The tour as it stands in its page. Throws where the marks around it are missing. */
export function writtenTour(): string {
  const [, rest] = readFileSync(PAGE, "utf8").split(`${BEGIN}\n\n`);
  const [tour, after] = rest?.split(`\n\n${END}`) ?? [];
  if (tour === undefined || after === undefined) throw new Error("docs/tour.md has no place for the tour");
  return tour;
}

/** Puts a played tour into its page, in the place of the one before. */
export function writeTour(scenes: readonly Scene[]): void {
  const before = writtenTour();
  const text = readFileSync(PAGE, "utf8");
  writeFileSync(
    PAGE,
    text.replace(`\n\n${before}\n\n`, () => `\n\n${asMarkdown(scenes)}\n\n`),
  );
}
