import { readFileSync, writeFileSync } from "node:fs";
import type { Scene } from "./stage.ts";

const README = new URL("../README.md", import.meta.url);
const BEGIN = "<!-- tour: written by `npm run tour -- --readme` -->";
const END = "<!-- end of the tour -->";

/** The tour as a section of the README. */
export const asMarkdown = (scenes: readonly Scene[]): string =>
  scenes
    .map(({ title, says, lines }, at) => {
      const text = [`**${at + 1}. ${title}.**`, says].filter(Boolean).join(" ");
      return `${text}\n\n\`\`\`console\n${lines.join("\n")}\n\`\`\``;
    })
    .join("\n\n");

/** The README's tour as it stands there. Throws where the marks around it are missing. */
export function readmeTour(): string {
  const [, rest] = readFileSync(README, "utf8").split(`${BEGIN}\n\n`);
  const [tour, after] = rest?.split(`\n\n${END}`) ?? [];
  if (tour === undefined || after === undefined) throw new Error("the README has no place for the tour");
  return tour;
}

/** Puts a played tour into the README, in the place of the one before. */
export function writeReadme(scenes: readonly Scene[]): void {
  const before = readmeTour();
  const text = readFileSync(README, "utf8");
  writeFileSync(
    README,
    text.replace(`\n\n${before}\n\n`, () => `\n\n${asMarkdown(scenes)}\n\n`),
  );
}
