import { expect, test } from "vitest";
import { conflictText, sideText, thingsText } from "./merge-values.ts";

const titles = new Map([
  ["nod_1", "Payment"],
  ["opt_1", "Payment: Card"],
  ["opt_2", "Payment: Invoice"],
]);
const titleOf = (id: string) => titles.get(id) ?? "something that was removed";

test.each([
  ["changed", "hours", { optimistic: 4, likely: 16, pessimistic: 34 }, "4–16–34"],
  ["changed", "hours", null, "nothing"],
  ["changed", "title", "Card or invoice", "Card or invoice"],
  ["changed", "quantity", 2.5, "2.5"],
  ["changed", "choice", "opt_1", "Payment: Card"],
  ["changed", "choice", null, "nothing"],
  ["changed", "choice", "gone", "something that was removed"],
  ["changed", "bounds", { min: 1, max: null }, "1 or more"],
  ["changed", "bounds", { min: null, max: 2 }, "at most 2"],
  ["changed", "bounds", { min: null, max: null }, "any number"],
  ["changed", "optional", false, "no"],
  ["moved", "parentId", "nod_1", "below “Payment”"],
  ["moved", "parentId", null, "at the top"],
  ["removed", null, null, "Removed"],
  ["removed", null, { title: "Card" }, "Kept, with its change"],
  ["structure", null, null, "Keep what this side changed"],
  ["structure", "choice", ["opt_1", "opt_2"], "Payment: Card, Payment: Invoice"],
  ["structure", "requires", [{ id: "opt_1", requires: ["opt_2"] }], "“Payment: Card” needs Payment: Invoice"],
  ["structure", "requires", [{ id: "opt_1", requires: [] }], "“Payment: Card” needs nothing"],
  ["structure", "requires", [{ id: "opt_1", requires: null }], "no “Payment: Card”"],
  ["structure", "parentId", [{ id: "opt_1", parentId: null }], "no “Payment: Card”"],
  ["structure", "currency", { hourlyRate: 90, currency: null }, "Hourly rate: 90, Currency: nothing"],
  [
    "moved_into_itself",
    "parentId",
    [
      { id: "nod_1", parentId: null },
      { id: "opt_1", parentId: "nod_1" },
    ],
    "“Payment” at the top; “Payment: Card” below “Payment”",
  ],
] as const)("a %s %s of %j is read as %s", (kind, field, value, text) => {
  expect(conflictText({ kind, field, base: null }, value, titleOf)).toBe(text);
});

test("of what one side removed, what the other side changed is read with it", () => {
  const base = { id: "opt_1", title: "Card", quantity: 1, requires: [] };
  const text = (value: object) => conflictText({ kind: "removed", field: null, base }, value, titleOf);
  expect(text({ ...base, quantity: 2, requires: ["opt_2"] })).toBe(
    "Kept, with Quantity: 1 → 2, Needs: nothing → Payment: Invoice",
  );
  // The change is its place, or in something below it.
  expect(text(base)).toBe("Kept, with its change");
});

test("of things that are decided together, those that both sides have alike are left out", () => {
  const place = (id: string, parentId: string | null) => ({ id, parentId });
  const units = (...value: object[]) => ({ value, hoursDelta: null });
  const into = units(place("nod_1", null), place("opt_1", "nod_1"), place("opt_2", "nod_1"));
  const from = units(place("nod_1", "opt_2"), place("opt_1", "nod_1"), place("opt_2", "nod_1"));
  const conflict = { kind: "moved_into_itself", field: "parentId", base: null, into, from } as const;
  expect(sideText(conflict, "into", titleOf)).toBe("“Payment” at the top");
  expect(sideText(conflict, "from", titleOf)).toBe("“Payment” below “Payment: Invoice”");
});

test("of many things the first are named", () => {
  expect(thingsText(["opt_1", "opt_2"], titleOf)).toBe("Payment: Card, Payment: Invoice");
  expect(thingsText(Array(201).fill("opt_1"), titleOf)).toMatch(/^(Payment: Card, ){5}196 more$/);
});
