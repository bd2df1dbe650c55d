import type { Milestone } from "../../../../contract/endpoints/milestones.ts";
import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import { dayFormat } from "../../ui/numbers/format.ts";
import type { Row } from "./rows.ts";
import { type Axis, axisOf, createPlaces, DAY_PX, dayNow, dayOfDate, daysOff, workdayAt, type Zoom } from "./scale.ts";

/** From left to right, in pixels from the left edge of the chart. */
export interface Span {
  readonly left: number;
  readonly right: number;
}

/** Where everything is in a chart, in pixels; rows are not among it. */
export interface Layout {
  readonly zoom: Zoom;
  readonly dayPx: number;
  /** The first day, counted from 1 January 1970. */
  readonly first: number;
  readonly width: number;
  readonly axis: Axis;
  /** Days on which nobody works; none where days are too narrow to see them. */
  readonly off: readonly Span[];
  readonly today: number;
  /** Where each line's bar is, by task. */
  readonly bars: ReadonlyMap<string, Span>;
  /** The bars of the submitted version. */
  readonly baseline: ReadonlyMap<string, Span>;
  readonly startDay: number;
  /** The day at whose end a milestone is due, and from when to when it is reached with 50 and 95 %. */
  readonly marks: readonly { readonly milestone: Milestone; readonly day: number; readonly range: Span | null }[];
  readonly xOfDay: (day: number) => number;
  /** Returns a day or, if it is off, the next working day, or the last one before it if `by` is -1. */
  readonly workdayAt: (day: number, by: 1 | -1) => number;
}

interface Given {
  readonly timeline: Timeline;
  readonly rows: readonly Row[];
  readonly milestones: readonly Milestone[];
  readonly baseline: Timeline["items"] | null;
  readonly zoom: Zoom;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Days that show before the start and after the end. */
const BEFORE = 3;
const AFTER = 14;
/** A bar of a task that takes no time is a point this wide. */
const BAR_LEAST = 3;

/** Returns where everything is. The timeline must have a start date. */
export function layoutOf({ timeline, rows, milestones, baseline, zoom, now }: Given): Layout {
  const placeOf = createPlaces(timeline);
  const startDay = dayOfDate(timeline.startDate ?? "1970-01-01");
  const today = dayNow(timeline.timeZone, now);
  const places = rows.flatMap(({ id, start, end }) =>
    start === null || end === null ? [] : { id, from: placeOf(start), until: placeOf(end) },
  );
  const before = (baseline ?? []).map(({ taskId, start, end }) => ({
    id: taskId,
    from: placeOf(start),
    until: placeOf(end),
  }));
  const marks = milestones.map((milestone) => {
    const { p50 = null, p95 = null } = milestone.forecast ?? {};
    const range = p50 === null ? null : { from: placeOf(p50), until: p95 === null ? placeOf(p50) : placeOf(p95) };
    return { milestone, day: dayOfDate(milestone.dueDate), range };
  });
  const all = [...places, ...before, ...marks.flatMap(({ range }) => range ?? [])];
  const days = marks.map(({ day }) => day);
  const first = Math.floor(least([startDay, ...days, ...all.map(({ from }) => from)])) - BEFORE;
  const last = Math.ceil(most([startDay, ...days, ...all.map(({ until }) => until)])) + AFTER;
  const dayPx = DAY_PX[zoom];
  const xOfDay = (day: number) => (day - first) * dayPx;
  const spans = (some: typeof places): ReadonlyMap<string, Span> =>
    new Map(
      some.map(({ id, from, until }) => {
        const left = xOfDay(from);
        return [id, { left, right: Math.max(left + BAR_LEAST, xOfDay(until)) }];
      }),
    );
  return {
    ...{ zoom, dayPx, first, startDay, xOfDay },
    workdayAt: (day, by) => workdayAt(timeline, day, by),
    width: (last - first) * dayPx,
    axis: axisOf(first, last, zoom, dayFormat),
    off:
      zoom === "weeks" ? daysOff(timeline, first, last).map(([a, b]) => ({ left: xOfDay(a), right: xOfDay(b) })) : [],
    today: xOfDay(today),
    bars: spans(places),
    baseline: spans(before),
    marks: marks.map(({ milestone, day, range }) => ({
      ...{ milestone, day },
      range: range && { left: xOfDay(range.from), right: xOfDay(range.until) },
    })),
  };
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
