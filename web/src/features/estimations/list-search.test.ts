import { expect, test } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import { readSearch, writeSearch } from "../../app/search-params.ts";
import { isFiltered, readListSearch } from "./list-search.ts";

const read = (address: string) =>
  Object.fromEntries(Object.entries(readListSearch(readSearch(address))).filter(([, value]) => value !== undefined));

test.each([
  ["", {}],
  ["?q=5&sort=createdAt", { q: "5", sort: "createdAt" }],
  ["?status=submitted&status=draft&status=submitted", { status: ["draft", "submitted"] }],
  ["?access=viewer&status=nonsense&sort=title&q=", { access: ["viewer"] }],
  ["?tag=a%2Cb&tag=C%2B&tag=a%2Cb&tag=%F0%9F%98%80+1", { tag: ["a,b", "C+", "😀 1"] }],
  [
    `?tag=${"x".repeat(limits.tagLength)}&tag=${"x".repeat(limits.tagLength + 1)}`,
    { tag: ["x".repeat(limits.tagLength)] },
  ],
])("an address selects what it says, and invalid parts are ignored: %s", (address, shown) => {
  expect(read(address)).toEqual(shown);
  expect(read(writeSearch(shown))).toEqual(shown);
});

test("more tags than the API takes are left out", () => {
  const tags = Array.from({ length: limits.filterTags + 1 }, (_, index) => `t${index}`);
  expect(readListSearch({ tag: tags }).tag).toEqual(tags.slice(0, -1));
});

test("an order alone leaves nothing out", () => {
  expect([{}, { sort: "createdAt" }, { tag: ["web"] }].map((search) => isFiltered(readListSearch(search)))).toEqual([
    false,
    false,
    true,
  ]);
});

test("an address has no names without values, and starts with a question mark only if it has any", () => {
  expect(writeSearch({ q: undefined, tag: [] })).toBe("");
  expect(writeSearch({ to: "/estimations?tag=a,b&q=1", tag: ["a", "b"] })).toBe(
    "?to=%2Festimations%3Ftag%3Da%2Cb%26q%3D1&tag=a&tag=b",
  );
});
