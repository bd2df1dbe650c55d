/**
 * Looks for better constants of the forecast, one at a time: `node bench/suggestion/tune.ts FOLDER [NAME…]`, by default
 * all of them. It reads the training and validation parts only, and repeats in them what the benchmark does: it asks about
 * the last fifth of the first 70, 85 and 100 % of each project. Prints for each constant what smaller and larger values
 * would give.
 */
import { type Configuration, configuration } from "../../domain/suggestion/configuration.ts";
import { forecaster, partsOf, settings } from "./evaluate.ts";
import { type Project, readEarlierParts } from "./projects.ts";

const LENGTHS = [0.7, 0.85, 1];
/** Issues that are asked about in each part of a project, at most. */
const ASKED = 100;
/** A project's error may exceed that of its median by this much before it counts extra. */
const TOLERATED = 1.02;
const FACTORS = [0.5, 0.7, 1.4, 2];

const [folder, ...named] = process.argv.slice(2);
if (!folder) throw new Error("name the folder with the projects: node bench/suggestion/tune.ts FOLDER");
const projects = readEarlierParts(folder);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The errors of a project as multiples of that of the training median, in each setting. */
function ratiosOf({ issues }: Project, constants: Configuration): number[] {
  const { training, test } = partsOf(issues.length);
  const step = Math.max(1, Math.floor((issues.length - test) / ASKED));
  const asked = issues.slice(test).filter((_, at) => at % step === 0);
  const sorted = issues
    .slice(0, training)
    .map(({ points }) => points)
    .sort((a, b) => a - b);
  const median = sorted[training >> 1] ?? 0;
  const ofMedian = mean(asked.map(({ points }) => Math.abs(points - median)));
  return settings.map((setting) => {
    const said = forecaster(constants, step)(issues, setting);
    return mean(said.map(({ point }, at) => Math.abs(point - (asked[at]?.points ?? 0)))) / ofMedian;
  });
}

/** What is to be as low as possible: the mean ratio, and what single projects lose. */
function lossOf(constants: Configuration): number {
  const ratios = LENGTHS.flatMap((length) =>
    projects.flatMap(({ name, issues }) =>
      ratiosOf({ name, issues: issues.slice(0, Math.floor(length * issues.length)) }, constants),
    ),
  );
  return mean(ratios) + mean(ratios.map((ratio) => Math.max(0, ratio - TOLERATED)));
}

console.log(`now: ${lossOf(configuration).toFixed(4)}`);
for (const [name, value] of Object.entries(configuration)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const tried = FACTORS.map((factor) => {
    const changed = Number.isInteger(value) && value > 3 ? Math.round(value * factor) : value * factor;
    return `${changed.toPrecision(3)}: ${lossOf({ ...configuration, [name]: changed }).toFixed(4)}`;
  });
  console.log(`${name} ${value}; ${tried.join(", ")}`);
}
