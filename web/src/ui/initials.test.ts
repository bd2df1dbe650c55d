import { expect, test } from "vitest";
import { hueOf, initialsOf } from "./initials.ts";

test("initials are of the first and the last word, where there are letters or digits", () => {
  const names = {
    "Ada Lovelace": "AL",
    "anna maria van der berg": "AB",
    "Jean-Luc O’Neill": "JO",
    "Łucja Żak": "ŁŻ",
    "𝒜da (QA)": "𝒜Q",
    Madonna: "M",
    "anna.berg@example.com": "A",
    "073c74": "0",
    "  Ada  ": "A",
    "…": "?",
    "": "?",
  };
  expect(Object.keys(names).map(initialsOf)).toEqual(Object.values(names));
});

test("a name has one hue, and names have many", () => {
  expect(hueOf("Ada Lovelace")).toBe(hueOf("Ada Lovelace"));
  const hues = new Set(Array.from({ length: 100 }, (_, at) => hueOf(`Person ${at}`)));
  expect(hues.size).toBeGreaterThan(50);
  expect([...hues, hueOf("")].filter((hue) => !(Number.isInteger(hue) && hue >= 0 && hue < 360))).toEqual([]);
});
