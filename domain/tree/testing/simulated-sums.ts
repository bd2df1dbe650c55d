import { readFileSync } from "node:fs";
import { addPoints, noHours, type Sums } from "../hours/distribution.ts";

/** A sum of options, and the percentiles of 1,000,000 simulated totals, in hours. */
interface SimulatedSum {
  readonly name: string;
  readonly correlation: number;
  readonly expected: number;
  readonly standardDeviation: number;
  readonly p50: number;
  readonly p80: number;
  readonly p90: number;
  readonly p95: number;
  readonly sums: Sums;
}

/** The cases of `simulated-sums.csv`. Each option's hours were drawn from its beta-PERT, joined by a Gaussian copula. */
export const simulatedSums: readonly SimulatedSum[] = readFileSync(
  new URL("simulated-sums.csv", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [name = "", ...rest] = line.split(",");
    const sums = noHours();
    for (const text of (rest.pop() ?? "").split(" ")) {
      const [points = "", quantity] = text.split("×");
      const [optimistic = 0, likely = 0, pessimistic = 0] = points.split("/").map(Number);
      addPoints(sums, { optimistic, likely, pessimistic }, Number(quantity));
    }
    const [correlation = 0, expected = 0, standardDeviation = 0, p50 = 0, p80 = 0, p90 = 0, p95 = 0] = rest.map(Number);
    return { name, correlation, expected, standardDeviation, p50, p80, p90, p95, sums };
  });
