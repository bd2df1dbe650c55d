import { expect, test } from "vitest";
import { BASES_MOST, createShownSuggestions, HASHES_MOST } from "./shown.ts";

const basis = (at: number) => ({ userId: "user", estimationId: `estimation ${at}`, revision: 1, sources: "" });
const made = (inputHash: string) => ({ inputHash, suggested: { hours: null } });

test("the suggestions of the estimations that were requested last are remembered, up to a limit", () => {
  const shown = createShownSuggestions();
  for (let at = 0; at < BASES_MOST; at += 1) shown.add(basis(at), [made("a")]);
  expect(shown.find(basis(0))?.has("a")).toBe(true);
  shown.add(basis(BASES_MOST), [made("a")]);
  expect(shown.find(basis(0))).toBeUndefined();
  expect(shown.find(basis(1))?.has("a")).toBe(true);
});

test("the latest suggestions for one estimation are remembered, up to a limit, and none of an earlier state", () => {
  const shown = createShownSuggestions();
  for (let at = 0; at < HASHES_MOST; at += 1) shown.add(basis(0), [made(`${at}`)]);
  expect(shown.find(basis(0))?.has("0")).toBe(true);
  shown.add(basis(0), [made("latest")]);
  expect([...(shown.find(basis(0))?.keys() ?? [])]).toEqual([
    ...Array.from({ length: HASHES_MOST - 1 }, (_, at) => `${at + 1}`),
    "latest",
  ]);
  expect(shown.find({ ...basis(0), revision: 2 })).toBeUndefined();
  expect(shown.find({ ...basis(0), sources: "others" })).toBeUndefined();
});
