import { describe, expect, it } from "vitest";
import { asOutline } from "./as-outline.ts";

const of = (text: string, isPart = false) => {
  const { content, added } = asOutline(text, { untitled: "Untitled", isPart });
  return [content, added];
};

describe("a text that is no outline yet", () => {
  it("of plain lines has them as items, below the first one if that stands above all others", () => {
    expect(of("Shop\n  Payment\n    Card: 4\n  Screens\n")).toEqual(["# Shop\n- Payment\n  - Card: 4\n- Screens\n", 0]);
    expect(of("\r\nShop\r\n\tPayment\r\n\t\tCard: 4")).toEqual(["\n# Shop\n- Payment\n    - Card: 4", 0]);
    expect(of("Payment\n  Card: 4\nScreens")).toEqual(["# Untitled\n- Payment\n  - Card: 4\n- Screens", 1]);
    expect(of("Payment")).toEqual(["# Untitled\n- Payment", 1]);
  });

  it("loses the signs and numbers that other programs write before the lines of a list", () => {
    expect(of("1. Payment\n   • Card: 4\n2) Screens")).toEqual(["# Untitled\n- Payment\n   - Card: 4\n- Screens", 1]);
    expect(of("• Shop\n  ◦ Payment")).toEqual(["# Shop\n- Payment", 0]);
    expect(of("1. Shop\n- Payment")).toEqual(["# Shop\n- Payment", 0]);
    expect(of("3 screens\n2.5 days")).toEqual(["# Untitled\n- 3 screens\n- 2.5 days", 1]);
  });

  it("of items without a title gets one, or has the plain line above them", () => {
    expect(of("- Payment\n  - Card: 4")).toEqual(["# Untitled\n- Payment\n  - Card: 4", 1]);
    expect(of("Shop\n\n- Payment\n> What for")).toEqual(["# Shop\n\n- Payment\n> What for", 0]);
  });

  it("may be indented with no-break spaces", () => {
    const [two, four] = ["\u00A0".repeat(2), "\u00A0".repeat(4)];
    expect(of(`Shop\n${two}Payment\n${four}Card: 4`)).toEqual(["# Shop\n- Payment\n  - Card: 4", 0]);
    expect(of(`- Payment\n${two}- Card: 4`)).toEqual(["# Untitled\n- Payment\n  - Card: 4", 1]);
  });

  it("of plain lines above items has both as items", () => {
    const items = "- Payment\n  - Card: 4\n- Screens\n  - Cart: 3";
    expect(of("Payment\n  - Card: 4\nScreens\n  - Cart: 3")).toEqual([`# Untitled\n${items}`, 1]);
    expect(of("Shop\n Payment\n   - Card: 4\n Screens\n   - Cart: 3")).toEqual([`# Shop\n${items}`, 0]);
  });

  it("of a part needs no title: all its plain lines are items", () => {
    expect(of("Payment\n  Card: 4", true)).toEqual(["# Untitled\n- Payment\n  - Card: 4", 1]);
    expect(of("Payment\n- Card: 4", true)).toEqual(["Payment\n- Card: 4", 0]);
  });
});

it("what has a title, or mixes items with other lines, stays as it is", () => {
  for (const text of ["# Shop\nPayment", "", "  \n", "Shop\n- a\nClient: Ada\n- b"]) {
    expect(of(text)).toEqual([text, 0]);
  }
  expect(of("\n\n# Shop\n- a")).toEqual(["\n\n# Shop\n- a", 0]);
});
