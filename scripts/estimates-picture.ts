import type { ThreePoint } from "../contract/values/tree.ts";
import { addPoints, figuresOf, noHours } from "../domain/tree/hours/distribution.ts";
import { rollUp } from "../domain/tree/hours/roll-up.ts";
import { examples } from "../domain/tree/testing/examples.ts";
import { countedOptions } from "../domain/tree/testing/oracle.ts";
import { simulate } from "../domain/tree/testing/simulate.ts";

export const ESTIMATES_PICTURE_FILE = "docs/images/estimates.gen.svg";

const EXAMPLE = "checkout.json";
const DRAWS = 50_000;
const BINS = 60;
const settings = { correlation: 0.2, hourlyRate: null, currency: null };

const width = 860;
const height = 380;
const left = 30;
const right = 30;
const top = 110;
const bottom = 48;

/**
 * Returns the picture of `docs/estimates.md`: how often each total occurred when the example was simulated, the
 * percentiles that the service computes, and the sum of the P80s of the options.
 */
export function estimatesPicture(): string {
  const { tree } = examples.find(({ file }) => file === EXAMPLE) ?? examples[0] ?? { tree: { nodes: [] } };
  const weighted = countedOptions(tree).map(({ weight, o, l, p }) => ({
    optimistic: weight * o,
    likely: weight * l,
    pessimistic: weight * p,
  }));
  const drawn = simulate(weighted, settings.correlation, DRAWS, 20_260_101);
  const { expected, p50, p80, p95 } = rollUp(tree, settings);
  const added = weighted.reduce((sum, hours) => sum + p80Of(hours), 0);
  const from = Math.floor((drawn[0] ?? 0) / 50) * 50;
  const to = Math.ceil(Math.max(drawn[Math.floor(0.9995 * DRAWS)] ?? 0, added) / 50) * 50 + 50;
  const x = (hours: number) => round(left + ((hours - from) / (to - from)) * (width - left - right));
  const counts = histogram(drawn, from, to);
  const tallest = Math.max(...counts);
  const y = (count: number) => round(height - bottom - (count / tallest) * (height - top - bottom));
  const bin = (to - from) / BINS;
  const bars = counts.map((count, index) => {
    const hours = from + index * bin;
    const fill = hours + bin / 2 <= p80 ? "#9ec5e8" : "#e3e9ef";
    return `<rect x="${x(hours)}" y="${y(count)}" width="${round(x(hours + bin) - x(hours) - 1)}" height="${round(height - bottom - y(count))}" fill="${fill}"/>`;
  });
  const share = Math.round((1_000 * drawn.filter((hours) => hours <= p80).length) / DRAWS) / 10;
  const marks = [
    mark(x(p50), 1, `P50 ${whole(p50)} h`, "end"),
    mark(x(expected), 2, `expected ${whole(expected)} h`, "end"),
    mark(x(p80), 1, `P80 ${whole(p80)} h`, "start"),
    mark(x(p95), 2, `P95 ${whole(p95)} h`, "start"),
    mark(x(added), 0, `the options' P80s added up: ${whole(added)} h`, "start", true),
  ];
  const ticks: string[] = [];
  for (let hours = Math.ceil(from / 100) * 100; hours <= to; hours += 100) {
    ticks.push(
      `<line x1="${x(hours)}" y1="${height - bottom}" x2="${x(hours)}" y2="${height - bottom + 5}" stroke="#5b6b7b"/>`,
      `<text x="${x(hours)}" y="${height - bottom + 20}" text-anchor="middle">${whole(hours)}</text>`,
    );
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#22303c">`,
    "<title>Totals of the simulated checkout, and the percentiles that the service gives</title>",
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="${left}" y="24" font-size="15" font-weight="600">The checkout example, simulated ${whole(DRAWS)} times: ${share} % of the totals are at most P80</text>`,
    ...bars,
    `<line x1="${left}" y1="${height - bottom}" x2="${width - right}" y2="${height - bottom}" stroke="#5b6b7b"/>`,
    ...ticks,
    `<text x="${width - right}" y="${height - 10}" text-anchor="end">hours in all</text>`,
    ...marks,
    "</svg>",
    "",
  ].join("\n");
}

/** Returns the P80 of one option by itself, in hours. */
function p80Of(points: ThreePoint): number {
  const sums = noHours();
  addPoints(sums, points, 1);
  return figuresOf(sums, settings.correlation).p80;
}

function histogram(drawn: Float64Array, from: number, to: number): number[] {
  const counts = new Array<number>(BINS).fill(0);
  for (const hours of drawn) {
    const index = Math.floor(((hours - from) / (to - from)) * BINS);
    if (index >= 0 && index < BINS) counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/** Returns a vertical line with its label, which is in one of three rows so that labels do not overlap. */
function mark(x: number, row: number, label: string, anchor: "start" | "end", isWarning = false): string {
  const labelY = 50 + row * 20;
  const color = isWarning ? "#b3261e" : "#0b4f8a";
  const dash = isWarning ? ' stroke-dasharray="5 4"' : "";
  return [
    `<line x1="${x}" y1="${labelY - 10}" x2="${x}" y2="${height - bottom}" stroke="${color}" stroke-width="1.5"${dash}/>`,
    `<text x="${x + (anchor === "start" ? 5 : -5)}" y="${labelY}" text-anchor="${anchor}" fill="${color}">${label}</text>`,
  ].join("\n");
}

const round = (value: number): number => Math.round(value * 10) / 10;
const whole = (value: number): string => Math.round(value).toLocaleString("en");
