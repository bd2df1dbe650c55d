/**
 * `npm run bench:suggestion -- FOLDER`: how accurate the hours suggestion is, on issues of public projects with story
 * points. `docs/decisions/hours-suggestion.md` says where the data come from. Prints the mean absolute error in points
 * of each project, over its last fifth, and the means; exits with 1 if a target is missed.
 */
import { configuration } from "../../domain/suggestion/configuration.ts";
import { forecaster, type Method, partsOf, type Said, type Setting, settings } from "./evaluate.ts";
import { type Project, readProjects } from "./projects.ts";
import { nearestNeighbours, trainingMedian } from "./references.ts";
import { wilcoxon } from "./wilcoxon.ts";

/** The greatest mean error over all projects that is acceptable, … */
const ERROR_MOST: Readonly<Record<Setting, number>> = { "60 %": 2.55, "80 %": 2.5, online: 2.22 };
/** … and the greatest of a project as a multiple of that of its median. */
const OF_MEDIAN_MOST = 1.08;
/** What intervals of 80 % have to hold, as a mean and in each project. */
const HELD = { least: 0.77, most: 0.88, projectLeast: 0.7 };

const folder = process.argv[2];
if (!folder) throw new Error("name the folder with the projects: npm run bench:suggestion -- FOLDER");
const projects = readProjects(folder);
let missed = 0;
const judge = (text: string, isMet: boolean) => {
  console.log(`${isMet ? "met   " : "MISSED"}  ${text}`);
  if (!isMet) missed += 1;
};

/** The absolute errors of a method in a project, and the share of its intervals that hold the outcome. */
function assess(method: Method, { issues }: Project, setting: Setting) {
  const outcomes = issues.slice(partsOf(issues.length).test).map(({ points }) => points);
  const said = method(issues, setting);
  const errors = said.map(({ point }, at) => Math.abs(point - (outcomes[at] as number)));
  const holds = ({ low, high }: Said, at: number) =>
    low <= (outcomes[at] as number) && (outcomes[at] as number) <= high;
  return { errors, error: mean(errors), held: said.filter(holds).length / said.length };
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

const rows = projects.map((project) => ({
  name: project.name,
  median: assess(trainingMedian, project, "60 %"),
  near: settings.map((setting) => assess(nearestNeighbours, project, setting)),
  own: settings.map((setting) => assess(forecaster(configuration), project, setting)),
}));

const show = (name: string, ...cells: readonly string[]) =>
  console.log([name.padEnd(20), ...cells.map((cell) => cell.padStart(9))].join(" "));
show(
  "mean absolute error",
  "median",
  ...settings.map((name) => `near ${name}`.slice(0, 9)),
  ...settings,
  "held 60 %",
  "80 %",
  "online",
);
for (const { name, median, near, own } of rows) {
  const errors = [median, ...near, ...own].map(({ error }) => error.toFixed(2));
  show(name, ...errors, ...own.map(({ held }) => `${(100 * held).toFixed(0)} %`));
}
const means = [
  mean(rows.map(({ median }) => median.error)),
  ...settings.map((_, at) => mean(rows.map(({ near }) => near[at]?.error ?? 0))),
  ...settings.map((_, at) => mean(rows.map(({ own }) => own[at]?.error ?? 0))),
];
const held = settings.map((_, at) => mean(rows.map(({ own }) => own[at]?.held ?? 0)));
show(
  `mean of ${rows.length}`,
  ...means.map((value) => value.toFixed(3)),
  ...held.map((part) => `${(100 * part).toFixed(1)} %`),
);

console.log();
settings.forEach((setting, at) => {
  const error = means[at + 4] ?? 0;
  judge(`${setting}: mean error ${error.toFixed(3)}, at most ${ERROR_MOST[setting]}`, error <= ERROR_MOST[setting]);
  const worst = rows
    .map(({ name, own, median }) => ({ name, ratio: (own[at]?.error ?? 0) / median.error }))
    .reduce((a, b) => (b.ratio > a.ratio ? b : a));
  judge(
    `${setting}: worst project against its median ${worst.ratio.toFixed(3)} (${worst.name}), at most ${OF_MEDIAN_MOST}`,
    worst.ratio <= OF_MEDIAN_MOST,
  );
  const part = held[at] ?? 0;
  judge(`${setting}: intervals hold ${(100 * part).toFixed(1)} %, 77 to 88 %`, part >= HELD.least && part <= HELD.most);
  const least = Math.min(...rows.map(({ own }) => own[at]?.held ?? 0));
  judge(`${setting}: the least of a project ${(100 * least).toFixed(0)} %, at least 70 %`, least >= HELD.projectLeast);
});

console.log("\nWilcoxon's signed-rank test on the errors, over all issues, and over the projects' means:");
settings.forEach((setting, at) => {
  const compare = (
    name: string,
    other: (row: (typeof rows)[number]) => { errors: number[]; error: number } | undefined,
  ) => {
    const pairs = rows.flatMap((row) =>
      (other(row)?.errors ?? []).map((error, issue) => error - (row.own[at]?.errors[issue] ?? 0)),
    );
    const byProject = rows.map((row) => (other(row)?.error ?? 0) - (row.own[at]?.error ?? 0));
    const better = byProject.filter((difference) => difference > 0).length;
    console.log(
      `${setting} against ${name}: p = ${wilcoxon(pairs).p.toExponential(1)} (rank sum in favour ${(100 * wilcoxon(pairs).positive).toFixed(0)} %); ` +
        `better in ${better} of ${rows.length} projects, p = ${wilcoxon(byProject).p.toFixed(3)}`,
    );
  };
  compare("the training median", ({ median }) => median);
  compare("TF-IDF neighbours", ({ near }) => near[at]);
});
if (missed > 0) process.exitCode = 1;
