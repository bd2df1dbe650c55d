import { describe, expect, test } from "vitest";
import { FOUND_MOST, find } from "./find.ts";

describe("finding by what is typed", () => {
  const items = ["Undo", "Sound", "Page under the cart", "Cart"].map((label) => ({ label }));
  const labels = (query: string) => find(items, query).map(({ label }) => label);

  test("names those first that begin with it, then those with a word that does", () => {
    expect(labels("und")).toEqual(["Undo", "Page under the cart", "Sound"]);
    expect(labels("cart")).toEqual(["Cart", "Page under the cart"]);
  });

  test("asks for every word, in any order, also of the detail", () => {
    expect(labels("cart page")).toEqual(["Page under the cart"]);
    expect(find([{ label: "Card", detail: "Payment" }], "pay card")).toHaveLength(1);
    expect(labels("nothing")).toEqual([]);
  });

  test("shows no more than can be looked through", () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ label: `Option ${n}` }));
    expect(find(many, "")).toHaveLength(FOUND_MOST);
    expect(find(many, "option 499")).toHaveLength(1);
  });
});
