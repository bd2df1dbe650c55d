import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { checkNodeFields, checkOptionFields } from "../../../domain/tree/check/check-fields.ts";
import { breaches, faultAt } from "../../../domain/tree/check/faults.ts";
import { faultText, importFaultText } from "./fault-texts.ts";

const points = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });

test("faults of the editor name its columns and fields", () => {
  const texts = [
    ...checkOptionFields({ hours: points(4, 2, 8) }),
    ...checkOptionFields({ override: points(4, 8, 2) }),
    ...checkOptionFields({ hours: points(1, 2, limits.optionHoursMax + 1) }),
    ...checkOptionFields({ quantity: 0.125 }),
    ...checkNodeFields({ min: 3, max: 2 }),
    ...checkNodeFields({ min: 1.5 }),
  ].map(faultText);
  expect(texts).toEqual([
    "Likely can’t be lower than Low",
    "High can’t be lower than Likely",
    "High must be from 0 to 100,000, with at most two decimals",
    "Quantity must be from 0 to 10,000, with at most two decimals",
    "“Choose at most” can’t be lower than “Choose at least”",
    `“Choose at least” must be a whole number from 0 to ${limits.nodeOptions}`,
  ]);
});

test("faults of requests are said of the field as the screen calls it", () => {
  const of = (path: string, code: Parameters<typeof faultText>[0]["code"], expected?: string | number) =>
    faultText({ path, message: "is wrong", ...(code && { code }), ...(expected !== undefined && { expected }) });
  expect([
    of("/title", "blank"),
    of("/name", "too_short", 1),
    of("/newPassword", "too_short", 10),
    of("/description", "too_long", 20_000),
    of("/hourlyRate", "too_large", 1_000_000),
    of("/email", "wrong_format", "an e-mail address"),
    of("/tags/3", "too_long", 40),
    of("/url", "not_allowed"),
  ]).toEqual([
    "Title can’t be empty",
    "Name can’t be empty",
    "New password needs at least 10 characters",
    "Description can have at most 20,000 characters",
    "Hourly rate must be 1,000,000 or less",
    "Enter a valid e-mail address",
    "A tag can have at most 40 characters",
    "Address is wrong",
  ]);
});

test("a line of an import is told in the words of the editor", () => {
  expect(importFaultText({ code: "out_of_order", message: "likely must be at least optimistic" })).toBe(
    "Likely can’t be lower than Low",
  );
  expect(importFaultText({ code: "out_of_order", message: "/tree/nodes/0/options/1/hours/pessimistic must be" })).toBe(
    "High can’t be lower than Likely",
  );
  expect(importFaultText({ message: "has no title" })).toBe("Has no title");
});

test("no breach of the tree's rules is said in words of the API", () => {
  const places: Readonly<Partial<Record<keyof typeof breaches, string>>> = {
    likely: "/hours/likely",
    pessimistic: "/hours/pessimistic",
    hours: "/hours/likely",
    quantity: "/quantity",
    bound: "/min",
    min: "/min",
    max: "/max",
    links: "/requires",
    unknownLink: "/requires/0",
    ownLink: "/requires/0",
    repeatedLink: "/excludes/0",
    cycle: "/requires/0",
    oneSelected: "/kind",
    referredTo: "",
    treeHours: "/nodes",
  };
  for (const [name, breach] of Object.entries(breaches))
    expect(faultText(faultAt(places[name as keyof typeof breaches] ?? "", breach))).not.toMatch(
      /\b(optimistic|pessimistic|min|max|node|nodes|id|ref|must not|bytes|JSON)\b/,
    );
});
