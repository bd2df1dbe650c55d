import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, Nullable, Shape } from "../shapes.ts";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const factor = (description: string) => Type.Number({ minimum: 0, description });

const INTERVAL = "end of the interval that holds the true value in 95 of 100 cases";
const tooFew = `; null for fewer than ${limits.accuracyTasksMin} tasks`;

const ratio = {
  n: count("Finished tasks"),
  median: Nullable(factor("Median of actual divided by estimated hours: above 1 the work took longer; null: no task")),
  low: Nullable(factor(`Lower ${INTERVAL}, by the binomial distribution of ranks; null for fewer than six tasks`)),
  high: Nullable(factor(`Upper ${INTERVAL}; null for fewer than six tasks`)),
};
export const Ratio = component("HoursRatio", Shape(ratio));

export const Ranges = component(
  "RangesHeld",
  Shape({
    n: count("Finished tasks with a range: their low and high hours differ"),
    held: Nullable(
      count(`Those of them that took no less than the P10 and no more than the P90 of their range${tooFew}`),
    ),
    low: Nullable(share(`Lower ${INTERVAL}, of the share that was held, by Wilson${tooFew}`)),
    high: Nullable(share(`Upper ${INTERVAL}${tooFew}`)),
    widenBy: Nullable(
      factor(
        `By which factor ranges have to be made wider, about their P50, so that P10 to P90 holds 80 of 100 tasks; below 1: narrower${tooFew}`,
      ),
    ),
  }),
);

const Accuracy = component(
  "TaskAccuracy",
  Shape({
    ratio: Ratio.ref,
    ranges: Ranges.ref,
    reliability: Type.Array(
      Shape({
        stated: share("A probability"),
        observed: share("Share of the tasks that took no longer than their range held likely with that probability"),
        low: share(`Lower ${INTERVAL}, by Wilson`),
        high: share(`Upper ${INTERVAL}`),
      }),
      {
        description: `What the ranges said, and what came about, for 10 %, 20 % and so on to 90 %. Empty for fewer than ${limits.accuracyTasksMin} tasks with a range`,
      },
    ),
    months: Type.Array(
      Shape({
        month: Type.String({ pattern: "^\\d{4}-\\d{2}$", description: "The month in which the work was done, in UTC" }),
        ...ratio,
      }),
      { description: `The newest ${limits.accuracyMonths} months in which work was done, the newest first` },
    ),
    roles: Type.Array(
      Shape({
        role: Nullable(Type.String({ description: "Null: tasks without a role" })),
        ratio: Ratio.ref,
        ranges: Ranges.ref,
      }),
      { description: `The ${limits.accuracyRoles} roles with the most tasks, those with more first` },
    ),
    isCut: Type.Boolean({ description: "Whether there are more finished tasks than were looked at" }),
  }),
);
export type TaskAccuracy = Static<typeof Accuracy.schema>;

export const accuracy = endpoints({
  getTaskAccuracy: {
    method: "GET",
    path: "/api/tasks/accuracy",
    summary: "Compare estimates with the hours that finished tasks took",
    description: `Covers the newest ${limits.accuracyTasks.toLocaleString("en-US")} tasks that are done and have estimated and actual hours above 0, in the newest estimations that you own or have changed or that are shared with a team of yours. The range of a task is the one that it was last generated from; where its hours were edited, it grew or shrank with them.`,
    access: "tasks:read",
    response: { status: 200, data: Shape({ accuracy: Accuracy.ref }) },
  },
});
