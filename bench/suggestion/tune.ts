/**
 * Looks for better constants of the forecast: `node bench/suggestion/tune.ts FOLDER [NAME…]`, by default all of them, one at
 * a time. It reads the training and validation parts only, and repeats in them what the benchmark does, with a rolling
 * origin: it asks about the last fifth of the first 100, 80, 64 and 51 % of each project, so that each block ends where
 * the next one begins. Prints errors as multiples of the training median's, and for smaller and larger values of each
 * constant by how many percent they change, with the standard error over the projects.
 */
import { type Configuration, configuration } from "../../domain/suggestion/configuration.ts";
import { forecaster, partsOf, type Said, settings } from "./evaluate.ts";
import { readEarlierParts } from "./projects.ts";
import { trainingMedian } from "./references.ts";

const LENGTHS = [1, 0.8, 0.64, 0.512];
/** Issues that are asked about in each block, at most twice as many. */
const ASKED = 60;
const FACTORS = [0.5, 0.7, 1.4, 2];

const [folder, ...named] = process.argv.slice(2);
if (!folder) throw new Error("name the folder with the projects: node bench/suggestion/tune.ts FOLDER");

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (part: number) => (100 * part).toFixed(2);

const projects = readEarlierParts(folder).map(({ name, issues }) => ({
  name,
  blocks: LENGTHS.map((length) => {
    const known = issues.slice(0, Math.floor(length * issues.length));
    const { test } = partsOf(known.length);
    const step = Math.max(1, Math.floor((known.length - test) / ASKED));
    const outcomes = known.slice(test).flatMap(({ points }, at) => (at % step === 0 ? [points] : []));
    const ofMedian = trainingMedian(known, "60 %").slice(0, outcomes.length);
    return { known, step, outcomes, ofMedian: errorOf(ofMedian, outcomes) };
  }),
}));

function errorOf(said: readonly Said[], outcomes: readonly number[]): number {
  return mean(said.map(({ point }, at) => Math.abs(point - (outcomes[at] as number))));
}

/** For each setting and project: the error, the logarithm of its ratio to the median's, and the share of intervals that hold. */
function assess(constants: Configuration) {
  return settings.map((setting) =>
    projects.map(({ name, blocks }) => {
      const all = blocks.map(({ known, step, outcomes, ofMedian }) => {
        const said = forecaster(constants, step)(known, setting);
        const held = said.filter(({ low, high }, at) => low <= (outcomes[at] ?? 0) && (outcomes[at] ?? 0) <= high);
        return { error: errorOf(said, outcomes), ofMedian, held: held.length / said.length };
      });
      return {
        name,
        error: mean(all.map(({ error }) => error)),
        log: mean(all.map(({ error, ofMedian }) => Math.log(error / ofMedian))),
        held: mean(all.map(({ held }) => held)),
      };
    }),
  );
}

const now = assess(configuration);
for (const [at, setting] of settings.entries()) {
  const rows = now[at] ?? [];
  const worst = rows.reduce((a, b) => (b.log > a.log ? b : a));
  const least = rows.reduce((a, b) => (b.held < a.held ? b : a));
  console.log(
    `${setting}: error ${mean(rows.map(({ error }) => error)).toFixed(3)}, ` +
      `${Math.exp(mean(rows.map(({ log }) => log))).toFixed(4)} of the median's, at most ${Math.exp(worst.log).toFixed(2)} (${worst.name}); ` +
      `held ${percent(mean(rows.map(({ held }) => held)))} %, at least ${percent(least.held)} % (${least.name})`,
  );
}
for (const [name, value] of Object.entries(configuration)) {
  if (named.length > 0 && !named.includes(name)) continue;
  for (const factor of FACTORS) {
    const changed = Number.isInteger(value) && value > 3 ? Math.round(value * factor) : value * factor;
    const changes = assess({ ...configuration, [name]: changed }).map((rows, at) => {
      const differences = rows.map(({ log }, project) => log - (now[at]?.[project]?.log ?? 0));
      const change = mean(differences);
      const error = Math.sqrt(mean(differences.map((other) => (other - change) ** 2)) / differences.length);
      return `${settings[at]} ${percent(change)} ± ${percent(error)} %`;
    });
    console.log(`${name} ${value} as ${changed.toPrecision(3)}: ${changes.join(", ")}`);
  }
}
