import type { Task } from "../../../../contract/endpoints/tasks.ts";
import type { Dependency, Timeline } from "../../../../contract/endpoints/timelines.ts";

/** What a line needs to know about a task. */
export type ShownTask = Pick<Task, "id" | "parentTaskId" | "title" | "role" | "hours" | "doneAt" | "droppedAt">;

/** A line of the timeline: a task, with when it is worked on. */
export interface Row {
  readonly at: number;
  readonly id: string;
  readonly title: string;
  readonly role: string | null;
  readonly depth: number;
  /** Whether other tasks are below it, whose time it shows. */
  readonly isGroup: boolean;
  readonly isDone: boolean;
  /** Its issue was closed although the work was not done. It is not scheduled. */
  readonly isDropped: boolean;
  /** Of nothing that is scheduled: both are the same. */
  readonly start: string | null;
  readonly end: string | null;
  readonly isCritical: boolean;
  readonly slackHours: number;
}

/** Returns the lines of open tasks in their order; a task with others below it lasts from the first to the last of them. */
export function rowsOf(tasks: readonly ShownTask[], items: Timeline["items"]): Row[] {
  const itemOf = new Map(items.map((item) => [item.taskId, item]));
  const spans = new Map<string, { start: string; end: string; isCritical: boolean }>();
  const parentOf = new Map(tasks.map(({ id, parentTaskId }) => [id, parentTaskId]));
  const groups = new Set(tasks.flatMap(({ parentTaskId }) => parentTaskId ?? []));
  for (const { taskId, start, end, critical } of items) {
    for (let id: string | null = taskId; id !== null; id = parentOf.get(id) ?? null) {
      const span = spans.get(id);
      if (!span) spans.set(id, { start, end, isCritical: critical });
      else {
        if (start < span.start) span.start = start;
        if (end > span.end) span.end = end;
        span.isCritical ||= critical;
      }
    }
  }
  const depths = new Map<string, number>();
  return tasks.map(({ id, title, role, parentTaskId, doneAt, droppedAt }, at) => {
    const depth = parentTaskId === null ? 0 : (depths.get(parentTaskId) ?? -1) + 1;
    depths.set(id, depth);
    const item = itemOf.get(id);
    const isGroup = groups.has(id) && !item;
    const span = isGroup ? spans.get(id) : undefined;
    return {
      ...{ at, id, title, role, depth, isGroup, isDone: doneAt !== null, isDropped: droppedAt !== null },
      start: item?.start ?? span?.start ?? null,
      end: item?.end ?? span?.end ?? null,
      isCritical: item?.critical ?? false,
      slackHours: item?.slackHours ?? 0,
    };
  });
}

/** A bar that is shown some days later than it is, or earlier if negative, and whether the service is told so already. */
export interface MovedBar {
  readonly id: string;
  readonly days: number;
  readonly isKept: boolean;
}

/** Returns the tasks that wait for the start or the end of another: those that start later if they wait for longer. */
export function movableOf(rows: readonly Row[], dependencies: readonly Dependency[]): ReadonlySet<string> {
  const waiting = new Set(dependencies.flatMap(({ to, type }) => (type === "finish_to_finish" ? [] : to)));
  return new Set(rows.flatMap(({ id, isDone, start }) => (waiting.has(id) && !isDone && start !== null ? id : [])));
}

/** A dependency between two lines that show. */
export interface RowLink {
  readonly from: Row;
  readonly to: Row;
  readonly dependency: Dependency;
  /** Whether both ends are critical. */
  readonly isCritical: boolean;
}

/** Returns the dependencies whose tasks are both scheduled. */
export function linksOf(rows: readonly Row[], dependencies: readonly Dependency[]): RowLink[] {
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return dependencies.flatMap((dependency) => {
    const [from, to] = [rowOf.get(dependency.from), rowOf.get(dependency.to)];
    if (!from?.start || !to?.start) return [];
    return { from, to, dependency, isCritical: from.isCritical && to.isCritical };
  });
}

/**
 * Returns the path of an arrow from the side of one bar to the side of another: out by a step, to the line between, and in. `x` are the
 * places of the ends, `y` the middles of the lines, in pixels; `out` and `into` say on which side the arrow leaves and arrives.
 */
export function arrowPath(
  [x1, y1]: readonly [number, number],
  [x2, y2]: readonly [number, number],
  sides: { readonly out: 1 | -1; readonly into: 1 | -1 },
): string {
  const STEP = 7;
  const leave = x1 + sides.out * STEP;
  const arrive = x2 - sides.into * STEP;
  const isStraight = sides.out === 1 && sides.into === 1 && leave <= arrive;
  const turn = y1 + Math.sign(y2 - y1) * 12;
  const way = isStraight ? `H${arrive}V${y2}` : `H${leave}V${turn}H${arrive}V${y2}`;
  return `M${x1} ${y1}${way}H${x2}`;
}

/** On which sides of the bars an arrow of a type leaves and arrives. */
export const sidesOf = (type: Dependency["type"]): { readonly out: 1 | -1; readonly into: 1 | -1 } =>
  type === "finish_to_start"
    ? { out: 1, into: 1 }
    : type === "start_to_start"
      ? { out: -1, into: 1 }
      : { out: 1, into: -1 };
