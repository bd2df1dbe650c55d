import { distributionOf, quantileOf } from "../../domain/suggestion/distribution.ts";
import { topOf } from "../../domain/suggestion/top.ts";
import { createWordIndex } from "../../domain/suggestion/word-index.ts";
import { type Method, partsOf } from "./evaluate.ts";
import type { Issue } from "./projects.ts";

/** Predicts the same for every issue: the quantiles of the training part. */
export const trainingMedian: Method = (issues) => {
  const { training, test } = partsOf(issues.length);
  const points = issues
    .slice(0, training)
    .map((issue) => issue.points)
    .sort((a, b) => a - b);
  const [lower, upper] = [points[Math.floor((training - 1) / 2)], points[Math.floor(training / 2)]];
  const at = (part: number) => points[Math.floor(part * (training - 1))] ?? 0;
  const said = { point: ((lower ?? 0) + (upper ?? 0)) / 2, low: at(0.1), high: at(0.9) };
  return issues.slice(test).map(() => said);
};

/** Chosen on the earlier parts, from 20 to all issues, as was how similarity weighs. */
const NEIGHBOURS = 80;
const weightOf = (similarity: number): number => similarity ** 2 + 0.01;

/**
 * The obvious method: the weighted quantiles of the most similar issues by TF-IDF and cosine, without regard to time.
 */
export const nearestNeighbours: Method = (issues, setting) => {
  const { training, test } = partsOf(issues.length);
  const index = createWordIndex();
  const learn = (to: number) => {
    for (const { piece } of issues.slice(index.size, to)) index.add(piece.words);
  };
  learn(setting === "60 %" ? training : test);
  const scores = new Float64Array(issues.length);
  return issues.slice(test).map(({ piece }, at) => {
    if (setting === "online") learn(test + at);
    index.compare(index.vectorFrom(piece.words), index.size, scores);
    const near = topOf(index.size, NEIGHBOURS, (number) => weightOf(scores[number] as number));
    const pointsOf = (number: number) => (issues[number] as Issue).points;
    near.sort((a, b) => pointsOf(a) - pointsOf(b));
    const sum = near.reduce((total, number) => total + weightOf(scores[number] as number), 0);
    const distribution = distributionOf(
      Float64Array.from(near, pointsOf),
      Float64Array.from(near, (number) => weightOf(scores[number] as number) / sum),
    );
    const [point, low, high] = [0.5, 0.1, 0.9].map((part) => quantileOf(distribution, part)) as [
      number,
      number,
      number,
    ];
    return { point, low, high };
  });
};
