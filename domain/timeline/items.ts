import type { Timeline } from "../../contract/endpoints/timelines.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import type { Plan } from "./plan.ts";

/** Returns an instant, in seconds since 1970, as the API shows it: rounded to minutes. */
export const shownInstant = (seconds: number): string => new Date(Math.round(seconds / 60) * 60_000).toISOString();

/**
 * Returns the scheduled tasks as the API shows them, by position. A task that is done ends when it was done, and begins
 * as long before as it took, but not before the schedule does.
 */
export function itemsOf({ calendar, asOf, tasks, passes, schedule }: Plan): Timeline["items"] {
  return tasks.map(({ id, doneAt }, task) => {
    const [start, end] = [schedule.start[task] as number, schedule.end[task] as number];
    const slack = passes.slack[task] as number;
    if (doneAt !== null) {
      const begun = Math.min(calendar.instantOf(start, "start"), doneAt);
      return { taskId: id, start: shownInstant(begun), end: shownInstant(doneAt), critical: false, slackHours: 0 };
    }
    // What takes no time is where it begins: at the end of a day's work, but not before now.
    const begins = Math.max(asOf, calendar.instantOf(start, start === end ? "end" : "start"));
    return {
      taskId: id,
      start: shownInstant(begins),
      end: shownInstant(Math.max(asOf, calendar.instantOf(end, "end"))),
      critical: slack <= 0,
      slackHours: roundHundredth(Math.max(0, slack) / 3_600),
    };
  });
}
