import { expect, test } from "vitest";
import { limits } from "../../../../contract/limits.ts";
import { readSearch, writeSearch } from "../../app/search-params.ts";
import { filtersOf, isFiltered, readListSearch, scopeOf } from "./list-search.ts";

const read = (address: string) =>
  Object.fromEntries(Object.entries(readListSearch(readSearch(address))).filter(([, value]) => value !== undefined));

test.each([
  ["", {}],
  ["?q=5&sort=createdAt", { q: "5", sort: "createdAt" }],
  ["?hide=owner&hide=title&hide=status", { hide: ["status", "owner"] }],
  ["?hide=none", { hide: ["none"] }],
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

test("an order and columns alone leave nothing out", () => {
  const searches = [{}, { sort: "createdAt" }, { hide: ["owner"] }, { tag: ["web"] }];
  expect(searches.map((search) => isFiltered(readListSearch(search)))).toEqual([false, false, false, true]);
});

test("the owner whose estimations show is a filter", () => {
  expect(readListSearch(readSearch("?owner=usr_1"))).toMatchObject({ owner: "usr_1" });
  expect(isFiltered(readListSearch({ owner: "usr_1" }))).toBe(true);
});

test("an address has no names without values, and starts with a question mark only if it has any", () => {
  expect(writeSearch({ q: undefined, tag: [] })).toBe("");
  expect(writeSearch({ to: "/estimations?tag=a,b&q=1", tag: ["a", "b"] })).toBe(
    "?to=%2Festimations%3Ftag%3Da%2Cb%26q%3D1&tag=a&tag=b",
  );
});

test.each([
  ["all", ""],
  ["mine", "?access=owner"],
  ["shared", "?access=editor&access=viewer&access=reviewer"],
  [{ team: "team_1" }, "?team=team_1"],
] as const)("the switch at %j is in the address, and is read from it", (scope, address) => {
  expect(writeSearch(filtersOf(scope))).toBe(address);
  expect(scopeOf(readListSearch(readSearch(address)))).toEqual(scope);
});

test("the switch shows the position that a choice of levels amounts to", () => {
  expect(scopeOf({ access: ["viewer"] })).toBe("shared");
  expect(scopeOf({ access: ["owner", "viewer"] })).toBe("all");
  expect(scopeOf({ access: ["owner"], team: "team_1" })).toEqual({ team: "team_1" });
});
