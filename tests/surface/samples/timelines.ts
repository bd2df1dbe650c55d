import type { holidays } from "../../../contract/endpoints/holidays.ts";
import type { milestones } from "../../../contract/endpoints/milestones.ts";
import type { timelines } from "../../../contract/endpoints/timelines.ts";
import type { EstimationRecords } from "./estimations.ts";
import type { Making, Samples } from "./noun.ts";
import type { TaskRecords } from "./tasks.ts";

export interface TimelineRecords {
  readonly milestone: string;
}

/** Needs a task. The timeline has no start date: scheduling would start a thread, which few tests need. */
export async function makeTimeline(
  { call }: Making,
  { estimation }: EstimationRecords,
  { task }: TaskRecords,
): Promise<TimelineRecords> {
  const path = `/api/estimations/${estimation}`;
  await call("PUT", `${path}/timeline`, { timeZone: "Europe/Berlin" });
  const { milestone } = await call("POST", `${path}/milestones`, {
    title: "Beta",
    dueDate: "2026-03-13",
    taskIds: [task],
  });
  await call("POST", `${path}/milestones`, { title: "Launch without the search", dueDate: "2026-03-20" });
  return { milestone: String(milestone?.id) };
}

export const timelineSamples: Samples<typeof timelines & typeof milestones & typeof holidays> = {
  getTimeline: ({ estimation }) => ({ params: { id: estimation } }),
  updateTimeline: ({ estimation }) => ({
    params: { id: estimation },
    body: {
      startDate: "2026-02-09",
      timeZone: "Europe/Berlin",
      hoursPerDay: 7.5,
      holidays: ["2026-04-03", "2026-04-06"],
      holidayPlace: { country: "DE", region: null },
      people: [{ role: "backend", count: 2 }],
      focusFactor: 0.75,
    },
  }),
  listMilestones: ({ estimation }) => ({ params: { id: estimation } }),
  createMilestone: ({ estimation, node }) => ({
    params: { id: estimation },
    body: { title: "Launch", dueDate: "2026-03-27", nodeIds: [node] },
  }),
  updateMilestone: ({ estimation, milestone }) => ({
    params: { id: estimation, milestoneId: milestone },
    body: { dueDate: "2026-02-05" },
  }),
  listHolidayCountries: () => ({}),
  listHolidays: () => ({ query: { country: "DE", region: "BY", from: 2026, to: 2026 } }),
  proposeForMilestone: ({ estimation, milestone }) => ({ params: { id: estimation, milestoneId: milestone } }),
  deleteMilestone: ({ estimation, milestone }) => ({ params: { id: estimation, milestoneId: milestone } }),
};
