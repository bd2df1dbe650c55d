import { createHash } from "node:crypto";
import { type MilestoneState, type Scheduling, schedulingText } from "../../../domain/timeline/scheduling.ts";
import type { Services } from "../../services.ts";

type States = ReadonlyMap<string, MilestoneState>;

/** Forecasts that are kept. With the milestones and drivers of the largest, some 10 MB. */
const KEPT = 100;

/**
 * Returns a function that forecasts milestones. The most recent forecasts are kept, and those under way too: of several
 * requests for the same one only the first computes it.
 */
export function createForecasts({ compute }: Pick<Services, "compute">) {
  const kept = new Map<string, Promise<States>>();
  return (
    scheduling: Scheduling,
    estimation: { readonly correlation: number; readonly rounding: number },
  ): Promise<States> => {
    const text = schedulingText(scheduling, estimation);
    const key = createHash("sha256").update(text.work).update("\0").update(text.tree).digest("base64");
    // The simulated schedules take long, however few bytes they are made of.
    const isForecast = scheduling.settings.startDate !== null && scheduling.tasks.length > 0;
    const bytes = isForecast ? Number.POSITIVE_INFINITY : text.work.length + text.tree.length;
    const found = kept.get(key) ?? compute.run("forecastMilestones", text, bytes);
    // The least recently used one is first, and is removed.
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > KEPT) for (const first of [...kept.keys()].slice(0, 1)) kept.delete(first);
    found.catch(() => {
      if (kept.get(key) === found) kept.delete(key);
    });
    return found;
  };
}
