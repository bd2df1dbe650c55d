import { expect, test } from "vitest";
import { suggest } from "./suggest.ts";

const estimation = ["title", "description", "clientName", "tags", "hourlyRate", "currency", "correlation"];
const list = ["status", "access", "tag", "q", "sort", "limit", "cursor"];

test.each([
  ["pageSize", list, "limit"],
  ["page_size", list, "limit"],
  ["per_page", list, "limit"],
  ["offset", list, "cursor"],
  ["search", list, "q"],
  ["orderBy", list, "sort"],
  ["Limit", list, "limit"],
  ["client_name", estimation, "clientName"],
  ["titel", estimation, "title"],
  ["hourlyrate", estimation, "hourlyRate"],
  ["currancy", estimation, "currency"],
  ["name", estimation, "title"],
  ["draftt", ["draft", "submitted"], "draft"],
  ["usd", ["EUR", "USD"], "USD"],
])("%s was probably meant to be %s's %s", (given, known, meant) => {
  expect(suggest(given, known)).toBe(meant);
});

test.each([["surprise"], ["x"], [""], ["__proto__"], ["constructor"], ["t".repeat(1_000_000)]])(
  "nothing is near %.20s",
  (given) => {
    expect(suggest(given, [...estimation, ...list])).toBeUndefined();
  },
);

test("of several similar names the nearest is suggested", () => {
  expect(suggest("tagz", ["tag", "tags"])).toBe("tag");
  expect(suggest("tagss", ["tag", "tags"])).toBe("tags");
});
