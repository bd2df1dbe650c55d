import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaQuantiles } from "./beta.ts";

const reference = readFileSync(new URL("../testing/beta-quantiles.csv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split(",").map(Number) as [number, number, number, number]);
const shapes = Map.groupBy(reference, ([alpha, beta]) => `α ${alpha}, β ${beta}`);

describe("quantiles of the beta distribution", () => {
  it.each([...shapes])("equal the reference values to 1e-9: %s", (_, rows) => {
    for (const [alpha, beta, q, value] of rows) {
      const [quantile = Number.NaN] = betaQuantiles([q], alpha, beta);
      expect(Math.abs(quantile - value) / value, `q ${q}: ${quantile} for ${value}`).toBeLessThan(1e-9);
    }
  });

  it("are reference values for shapes from 1 to 100,000 and probabilities from 0.01 to 0.99", () => {
    const column = (index: number) => reference.map((row) => row[index] as number);
    for (const index of [0, 1]) {
      expect([Math.min(...column(index)), Math.max(...column(index))]).toEqual([1, 100_000]);
    }
    expect([Math.min(...column(2)), Math.max(...column(2))]).toEqual([0.01, 0.99]);
  });

  it("are those of the exact cases: the uniform distribution, powers, and symmetry", () => {
    const shape = fc.double({ min: 1, max: 100_000, noNaN: true });
    const probability = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(shape, shape, probability, (alpha, beta, q) => {
        expect(betaQuantiles([q], 1, 1)[0]).toBeCloseTo(q, 12);
        expect(betaQuantiles([q], alpha, 1)[0]).toBeCloseTo(q ** (1 / alpha), 10);
        const [below = 0, above = 0] = [betaQuantiles([q], alpha, beta)[0], betaQuantiles([1 - q], beta, alpha)[0]];
        expect(below + above).toBeCloseTo(1, 10);
      }),
    );
  });

  it("lie between 0 and 1 and rise with the probability, whatever the shapes", () => {
    const shape = fc.oneof(fc.double({ min: 1, max: 3, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true }));
    fc.assert(
      fc.property(shape, shape, (alpha, beta) => {
        const found = betaQuantiles([0.01, 0.5, 0.8, 0.9, 0.95, 0.99], alpha, beta);
        expect(found).toEqual(found.toSorted((a, b) => a - b));
        for (const quantile of found) {
          expect(quantile).toBeGreaterThan(0);
          expect(quantile).toBeLessThan(1);
        }
      }),
    );
  });
});
