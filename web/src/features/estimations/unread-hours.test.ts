import { expect, test } from "vitest";
import { readImport } from "./read-import.ts";
import { titlesWithHours } from "./unread-hours.ts";

const found = (...lines: string[]) => {
  const read = readImport(`# Site\n\n- Design\n${lines.map((line) => `  - ${line}\n`).join("")}`);
  return read.ok ? titlesWithHours(read.tree.nodes) : read.faults;
};

test("hours at the end of a title, which an outline does not read, are found, with what to write", () => {
  expect(found("Wireframes 8-16-30", "Fonts 2,5 – 4", "Review 6 h", "Hosting 8h", "Icons – 4", "Logo (3)")).toEqual([
    "Wireframes: 8-16-30",
    "Fonts: 2,5 – 4",
    "Review: 6 h",
    "Hosting: 8h",
    "Icons: 4",
    "Logo: 3",
  ]);
});

test("what is no hours, or was read as such, is not", () => {
  expect(found("Wireframes: 8-16-30", "Layer 3", "3-D model", "OAuth 2", "Page 7-4: 12", "Cart")).toEqual([]);
});

test("the title that is proposed is read with its hours", () => {
  const [proposed] = [found("Wireframes 8-16-30")].flat();
  const read = readImport(`# Site\n\n- Design\n  - ${proposed}\n`);
  expect(read.ok && read.tree.nodes[0]?.options[0]).toMatchObject({ title: "Wireframes", hours: { likely: 16 } });
});
