import { expect, test } from "vitest";
import { currencies } from "../../../contract/values/currencies.ts";
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
  "nothing is suggested for %.20s",
  (given) => {
    expect(suggest(given, [...estimation, ...list])).toBeUndefined();
  },
);

test.each([
  ["eur", "EUR"],
  ["Usd", "USD"],
  ["EURO", "EUR"],
  ["euros", "EUR"],
  ["EU", "EUR"],
  ["UDS", "USD"],
  ["GPB", "GBP"],
  ["GB", "GBP"],
])("the currency %s was probably meant to be %s", (given, meant) => {
  expect(suggest(given, currencies)).toBe(meant);
});

// One letter makes another currency, and the beginning of two is that of neither.
test.each(["RMB", "SFR", "BTC", "JPN", "DEM", "US", "E", "X", "EUROPE", "XYZ"])(
  "no currency is suggested for %s",
  (given) => {
    expect(suggest(given, currencies)).toBeUndefined();
  },
);

test("of several similar names the most similar is suggested", () => {
  expect(suggest("tagz", ["tag", "tags"])).toBe("tag");
  expect(suggest("tagss", ["tag", "tags"])).toBe("tags");
});
