import { apportion, type Bounds } from "./apportion.ts";
import type { Figures } from "./distribution.ts";
import { presentFigures } from "./round.ts";

/** The figures whose parts sum to the whole. */
export type Additive = Pick<Figures, "optimistic" | "likely" | "pessimistic" | "expected">;

const toUnits = (hours: number): number => Math.round(hours * 100);

/**
 * Returns figures of parts as the API shows them: to two decimals, and so that `optimistic`, `likely`, `pessimistic`
 * and `expected` sum exactly to those of `whole`, which are already rounded. A hundredth may be moved for that; every
 * part stays within its own bounds. `rest` is the part of the whole that is in no part.
 */
export function presentParts(parts: readonly Figures[], whole: Additive, rest?: Additive): Figures[] {
  const all: readonly Additive[] = rest ? [...parts, rest] : parts;
  const split = (name: keyof Additive, bounds?: Bounds): number[] =>
    apportion(
      all.map((part) => part[name] * 100),
      toUnits(whole[name]),
      bounds,
    );
  const low = split("optimistic");
  const high = split("pessimistic", { low });
  const likely = split("likely", { low, high });
  const expected = split("expected", { low, high });
  return parts.map((part, index) => {
    const hours = (units: readonly number[]): number => (units[index] ?? 0) / 100;
    const [optimistic, pessimistic] = [hours(low), hours(high)];
    const within = (value: number): number => Math.min(Math.max(value, optimistic), pessimistic);
    const { standardDeviation, p50, p80, p90, p95 } = presentFigures(part);
    return {
      optimistic,
      likely: hours(likely),
      pessimistic,
      expected: hours(expected),
      standardDeviation,
      p50: within(p50),
      p80: within(p80),
      p90: within(p90),
      p95: within(p95),
    };
  });
}
