import type { Milestone, MilestoneRecord } from "../../../contract/milestones.ts";
import type { Timeline } from "../../../contract/timelines.ts";
import { itemsOf } from "../../../domain/timeline/items.ts";
import type { Covered, Outcome, Settings } from "./load.ts";

/** Returns a timeline with its schedule as the API shows it. */
export const presentTimeline = ({ settings }: Settings, { plan, problem }: Outcome): Timeline => ({
  ...settings,
  items: plan ? itemsOf(plan) : [],
  assumed: plan ? [...plan.assumed] : [],
  problem,
});

/** Returns a milestone as the API shows it, without a forecast unless one is given. */
export const presentMilestone = (
  milestone: MilestoneRecord,
  covered: Covered | undefined,
  forecast: Milestone["forecast"] = null,
): Milestone => ({ ...milestone, dormantIds: [...(covered?.dormantIds ?? [])], forecast });
