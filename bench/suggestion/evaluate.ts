import type { Configuration } from "../../domain/suggestion/configuration.ts";
import { createPredictor } from "../../domain/suggestion/predict.ts";
import type { Issue } from "./projects.ts";

/** The prediction for an issue: the point, and the ends of the nominal 80 % interval. */
export interface Said {
  readonly point: number;
  readonly low: number;
  readonly high: number;
}

/** Which issues are known when one is asked about: the first 60 % or 80 % of all, or all before it. */
export const settings = ["60 %", "80 %", "online"] as const;
export type Setting = (typeof settings)[number];

/** A method that predicts the last fifth of the issues. */
export type Method = (issues: readonly Issue[], setting: Setting) => Said[];

/** Returns the boundaries of a project's parts. */
export function partsOf(count: number): { readonly training: number; readonly test: number } {
  return { training: Math.floor(0.6 * count), test: Math.floor(0.8 * count) };
}

export const forecaster =
  (configuration: Configuration, step = 1): Method =>
  (issues, setting) => {
    const { training, test } = partsOf(issues.length);
    const learnt = createPredictor(configuration);
    const learn = (to: number) => {
      for (const { piece, points } of issues.slice(learnt.size, to)) learnt.add(piece, points);
    };
    learn(setting === "60 %" ? training : test);
    const said: Said[] = [];
    for (let at = test; at < issues.length; at += step) {
      if (setting === "online") learn(at);
      const { quantile } = learnt.predict((issues[at] as Issue).piece, { later: at - learnt.size });
      const [point, low, high] = [0.5, 0.1, 0.9].map((part) => quantile(part)) as [number, number, number];
      said.push({ point, low, high });
    }
    return said;
  };
