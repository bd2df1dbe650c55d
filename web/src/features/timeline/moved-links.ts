import type { Dependency, Timeline } from "../../../../contract/endpoints/timelines.ts";
import { limits } from "../../../../contract/limits.ts";
import { makeCalendar } from "../../../../domain/timeline/calendar.ts";
import { instantOfLocal, localOfInstant, zoneOffsets } from "../../../../domain/timeline/zone.ts";

const DAY_SECONDS = 86_400;

/** Links before and after a move. */
interface Moved {
  readonly before: Dependency[];
  readonly after: Dependency[];
}

/**
 * Returns how the hours after what a task waits for change, so that it starts some days later, or earlier if negative: at the
 * same time of that day. Later, only the link that ends last changes; earlier, all those that would hold the task. Null where
 * no link can be changed so.
 */
export function movedLinks(timeline: Timeline, taskId: string, days: number): Moved | null {
  const { startDate, items, dependencies } = timeline;
  const itemOf = new Map(items.map((item) => [item.taskId, item]));
  const moved = itemOf.get(taskId);
  if (startDate === null || !moved) return null;
  const calendar = makeCalendar({ ...timeline, startDate, asOf: Date.parse(timeline.asOf) / 1_000 });
  const workAt = (instant: string) => calendar.workBefore(Date.parse(instant) / 1_000);
  const there = calendar.workBefore(sameTime(timeline.timeZone, Date.parse(moved.start) / 1_000, days));
  // Waiting for less would not move it into the past.
  const target = Math.max(there, workAt(timeline.asOf));
  const waits = dependencies.flatMap((link) => {
    const from = itemOf.get(link.from);
    if (link.to !== taskId || link.type === "finish_to_finish" || !from) return [];
    const since = workAt(link.type === "start_to_start" ? from.start : from.end);
    return { link, since, until: since + link.lagHours * 3_600 };
  });
  const last = waits.toSorted((a, b) => b.until - a.until)[0];
  const changed = waits.flatMap(({ link, since, until }) => {
    // Earlier, only what would hold it: what starts when its people are free waits for more than this.
    if (days > 0 ? link !== last?.link : until <= target) return [];
    const lagHours = Math.min(limits.lagHoursMax, Math.max(0, Math.round((target - since) / 36) / 100));
    return lagHours === link.lagHours ? [] : { before: link, after: { ...link, lagHours } };
  });
  if (changed.length === 0) return null;
  return { before: changed.map(({ before }) => before), after: changed.map(({ after }) => after) };
}

/** Returns the instant at the same time of a day some days later in a time zone; instants are seconds since 1970. */
function sameTime(timeZone: string, instant: number, days: number): number {
  const there = instant + days * DAY_SECONDS;
  const [from, until] = [Math.min(instant, there) - 2 * DAY_SECONDS, Math.max(instant, there) + 2 * DAY_SECONDS];
  const offsets = zoneOffsets(timeZone, from, until);
  return instantOfLocal(offsets, localOfInstant(offsets, instant) + days * DAY_SECONDS);
}
