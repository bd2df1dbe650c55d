import type { DependencyType, Link } from "./shape.ts";

/** The links that end at each task, or that begin at each: those of task `i` are at `first[i]` to `first[i + 1] - 1`. */
export interface Sides {
  readonly first: Int32Array;
  readonly other: Int32Array;
  readonly type: Uint8Array;
  readonly lag: Float64Array;
}

/** Tasks by their indexes, and the links between them. */
export interface Network {
  readonly size: number;
  readonly incoming: Sides;
  readonly outgoing: Sides;
  /** All tasks, each after those that it follows. */
  readonly topological: Int32Array;
}

const FINISH_TO_START = 0;
export const START_TO_START = 1;
export const FINISH_TO_FINISH = 2;

const codes: Record<DependencyType, number> = {
  finish_to_start: FINISH_TO_START,
  start_to_start: START_TO_START,
  finish_to_finish: FINISH_TO_FINISH,
};

/** Makes the network of `size` tasks. The links must not form a cycle. */
export function makeNetwork(size: number, links: readonly Link[]): Network {
  const incoming = sidesOf(size, links, "to", "from");
  const outgoing = sidesOf(size, links, "from", "to");
  return { size, incoming, outgoing, topological: sorted(size, incoming, outgoing) };
}

function sidesOf(size: number, links: readonly Link[], here: "from" | "to", there: "from" | "to"): Sides {
  const first = new Int32Array(size + 1);
  for (const link of links) first[link[here] + 1] = (first[link[here] + 1] as number) + 1;
  for (let task = 0; task < size; task += 1) first[task + 1] = (first[task + 1] as number) + (first[task] as number);
  const next = first.slice();
  const other = new Int32Array(links.length);
  const type = new Uint8Array(links.length);
  const lag = new Float64Array(links.length);
  for (const link of links) {
    const at = next[link[here]] as number;
    next[link[here]] = at + 1;
    other[at] = link[there];
    type[at] = codes[link.type];
    lag[at] = link.lag;
  }
  return { first, other, type, lag };
}

function sorted(size: number, incoming: Sides, outgoing: Sides): Int32Array {
  const open = Int32Array.from({ length: size }, (_, task) => linksAt(incoming, task));
  const order = new Int32Array(size);
  let found = 0;
  for (let task = 0; task < size; task += 1) if (open[task] === 0) order[found++] = task;
  for (let done = 0; done < found; done += 1) {
    const task = order[done] as number;
    for (let at = outgoing.first[task] as number; at < (outgoing.first[task + 1] as number); at += 1) {
      const next = outgoing.other[at] as number;
      open[next] = (open[next] as number) - 1;
      if (open[next] === 0) order[found++] = next;
    }
  }
  if (found < size) throw new RangeError("the links form a cycle");
  return order;
}

/** Returns how many links there are at a task. */
export const linksAt = ({ first }: Sides, task: number): number =>
  (first[task + 1] as number) - (first[task] as number);

/** The network with the work of its tasks. `fixedEnd` is the end of a task that is done; NaN for one that is open. */
export interface Timed {
  readonly network: Network;
  /** Working seconds of each task. */
  readonly seconds: Float64Array;
  readonly fixedEnd: Float64Array;
  /** The working seconds that are over: no open task starts before. */
  readonly over: number;
}

/**
 * The earliest start and end of an open task that the links and the present allow, in working seconds. A task that must end with or after others lasts
 * longer instead of starting later: otherwise more work could make something else end earlier.
 */
export function boundsOf(
  { network: { incoming }, over }: Timed,
  task: number,
  start: Float64Array,
  end: Float64Array,
): { start: number; end: number } {
  const bounds = { start: over, end: 0 };
  for (let at = incoming.first[task] as number; at < (incoming.first[task + 1] as number); at += 1) {
    const from = incoming.other[at] as number;
    const type = incoming.type[at];
    const after = ((type === START_TO_START ? start : end)[from] as number) + (incoming.lag[at] as number);
    if (type === FINISH_TO_FINISH) bounds.end = Math.max(bounds.end, after);
    else bounds.start = Math.max(bounds.start, after);
  }
  return bounds;
}

/** The earliest schedule that links allow if everybody can be had at once, and how long each start may wait. */
export interface Passes {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** By how much the start of a task may be delayed without delaying the end of all, in working seconds. */
  readonly slack: Float64Array;
}

/**
 * The critical path method: a forward pass for the earliest times, a backward pass for the latest. A task that is done
 * keeps its end, and delays nothing.
 */
export function criticalPath(timed: Timed): Passes {
  const { network, seconds, fixedEnd } = timed;
  const { size, topological, outgoing } = network;
  const start = new Float64Array(size);
  const end = new Float64Array(size);
  let last = 0;
  for (const task of topological) {
    const fixed = fixedEnd[task] as number;
    const work = seconds[task] as number;
    if (Number.isNaN(fixed)) {
      const bounds = boundsOf(timed, task, start, end);
      start[task] = bounds.start;
      end[task] = Math.max(bounds.start + work, bounds.end);
    } else {
      start[task] = Math.max(0, fixed - work);
      end[task] = fixed;
    }
    last = Math.max(last, end[task] as number);
  }
  const latestStart = new Float64Array(size);
  const latestEnd = new Float64Array(size);
  for (const task of topological.toReversed()) {
    let ends = last;
    let starts = Number.POSITIVE_INFINITY;
    for (let at = outgoing.first[task] as number; at < (outgoing.first[task + 1] as number); at += 1) {
      const to = outgoing.other[at] as number;
      if (!Number.isNaN(fixedEnd[to] as number)) continue;
      const lag = outgoing.lag[at] as number;
      const type = outgoing.type[at];
      if (type === START_TO_START) starts = Math.min(starts, (latestStart[to] as number) - lag);
      else ends = Math.min(ends, ((type === FINISH_TO_FINISH ? latestEnd : latestStart)[to] as number) - lag);
    }
    latestEnd[task] = ends;
    latestStart[task] = Math.min(ends - (seconds[task] as number), starts);
  }
  const slack = start.map((earliest, task) => (latestStart[task] as number) - earliest);
  return { start, end, slack };
}
