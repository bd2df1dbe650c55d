import { describe, expect, it } from "vitest";
import { biasOf, verdictOf } from "./verdict.ts";

describe("what is said about ranges", () => {
  const said = (low: number | null, high: number | null) =>
    verdictOf({ n: 20, held: low === null ? null : 15, low, high, widenBy: 1 });

  it("calls them wrong only where the interval of the share leaves out 80 %", () => {
    expect([said(0.5, 0.79), said(0.5, 0.8), said(0.8, 0.95), said(0.81, 0.95)]).toEqual([
      "narrow",
      "right",
      "right",
      "wide",
    ]);
  });

  it("is nothing for too few tasks", () => {
    expect(said(null, null)).toBe("unknown");
  });
});

describe("what is said about hours", () => {
  const said = (low: number | null, high: number | null) => biasOf({ n: 9, median: 1, low, high });

  it("calls them wrong only where the interval of the median leaves out 1", () => {
    expect([said(1.01, 2), said(1, 2), said(0.5, 1), said(0.5, 0.99), said(null, null)]).toEqual([
      "longer",
      "right",
      "right",
      "shorter",
      "unknown",
    ]);
  });
});
