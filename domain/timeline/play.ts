import type { Staff } from "./level.ts";
import { FINISH_TO_FINISH, START_TO_START, type Timed } from "./network.ts";

/**
 * Open tasks in the order in which they are begun, prepared for being scheduled many times with other working times. The
 * events of place `k` of the order are `2k`, its start, and `2k + 1`, its end.
 */
export interface Play {
  /** The task at each place. */
  readonly order: Int32Array;
  /** When each event takes place in the last schedule, in working seconds. */
  readonly times: Float64Array;
  /** Schedules the tasks with these working seconds, given by place. */
  run(seconds: Float64Array): void;
  /** Adds one to `counts` at the place of each task whose work the end of place `last` has waited for in that schedule. */
  trace(last: number, counts: Int32Array): void;
}

const NOTHING = -1;

/**
 * In the order given, each task starts as soon as the links allow it and a person of its role is free, after all who were
 * begun before it. Nothing is allocated in `run`.
 */
export function createPlay({ network, seconds, fixedEnd, over }: Timed, staff: Staff, order: Int32Array): Play {
  const size = order.length;
  const placeOf = new Int32Array(network.size).fill(NOTHING);
  order.forEach((task, place) => {
    placeOf[task] = place;
  });
  const starts = createWaits(size, over);
  const ends = createWaits(size, 0);
  order.forEach((task, place) => {
    const { first, other, type, lag } = network.incoming;
    for (let at = first[task] as number; at < (first[task + 1] as number); at += 1) {
      const from = other[at] as number;
      const waits = type[at] === FINISH_TO_FINISH ? ends : starts;
      const byStart = type[at] === START_TO_START;
      const fixed = fixedEnd[from] as number;
      if (Number.isNaN(fixed)) waits.add(place, 2 * (placeOf[from] as number) + (byStart ? 0 : 1), lag[at] as number);
      else waits.fix(place, (byStart ? Math.max(0, fixed - (seconds[from] as number)) : fixed) + (lag[at] as number));
    }
  });
  const times = new Float64Array(2 * size);
  /** The event for which each event waited. */
  const cause = new Int32Array(2 * size);

  const { fixed: earliest, first: startsFirst, event: startEvent, lag: startLag } = starts.packed();
  const { fixed: bounds, first: endsFirst, event: endEvent, lag: endLag } = ends.packed();
  /** Whether anything besides its work can delay the end of a place; for most nothing can. */
  const hasBound = Uint8Array.from(bounds, (bound, place) =>
    bound > 0 || (endsFirst[place] as number) < (endsFirst[place + 1] as number) ? 1 : 0,
  );
  const { freeAtFirst, free, who, from, until } = createPeople(fixedEnd, staff, order);

  const run = (work: Float64Array): void => {
    free.set(freeAtFirst);
    who.fill(NOTHING);
    let link = 0;
    for (let place = 0; place < size; place += 1) {
      let start = earliest[place] as number;
      let startCause = NOTHING;
      for (const last = startsFirst[place + 1] as number; link < last; link += 1) {
        const event = startEvent[link] as number;
        const time = (times[event] as number) + (startLag[link] as number);
        if (time <= start) continue;
        start = time;
        startCause = event;
      }
      let bound = 0;
      let endCause = NOTHING;
      if (hasBound[place] === 1) {
        bound = bounds[place] as number;
        for (let at = endsFirst[place] as number; at < (endsFirst[place + 1] as number); at += 1) {
          const event = endEvent[at] as number;
          const time = (times[event] as number) + (endLag[at] as number);
          if (time <= bound) continue;
          bound = time;
          endCause = event;
        }
      }
      const own = work[place] as number;
      const low = from[place] as number;
      const high = until[place] as number;
      const takesSomebody = high > low && (own > 0 || bound > start);
      if (takesSomebody) {
        const freeFrom = free[low] as number;
        if (freeFrom > start) {
          start = freeFrom;
          startCause = who[low] as number;
        }
      }
      let end = start + own;
      let workIsCause = 2 * place;
      if (bound > end) {
        end = bound;
        workIsCause = endCause;
      }
      times[2 * place] = start;
      times[2 * place + 1] = end;
      cause[2 * place] = startCause;
      cause[2 * place + 1] = workIsCause;
      if (!takesSomebody) continue;
      // The person who was free first is busy until the end: moved down in the heap of the role.
      let at = low;
      for (let below = low + 1; below < high; below = 2 * at - low + 1) {
        let time = free[below] as number;
        if (below + 1 < high && (free[below + 1] as number) < time) {
          below += 1;
          time = free[below] as number;
        }
        if (time >= end) break;
        free[at] = time;
        who[at] = who[below] as number;
        at = below;
      }
      free[at] = end;
      who[at] = 2 * place + 1;
    }
  };

  const trace = (last: number, counts: Int32Array): void => {
    for (let event = 2 * last + 1; event !== NOTHING; ) {
      const before = cause[event] as number;
      if ((event & 1) === 1 && before === event - 1) counts[event >> 1] = (counts[event >> 1] as number) + 1;
      event = before;
    }
  };

  return { order, times, run, trace };
}

/** The events that the starts, or the ends, of the places wait for, and what is fixed for each: at least `earliest`. */
function createWaits(size: number, earliest: number) {
  const fixed = new Float64Array(size).fill(earliest);
  const found: { readonly event: number; readonly lag: number }[][] = Array.from({ length: size }, () => []);
  return {
    fix(place: number, time: number) {
      fixed[place] = Math.max(fixed[place] as number, time);
    },
    add: (place: number, event: number, lag: number) => found[place]?.push({ event, lag }),
    packed() {
      const all = found.flat();
      const first = new Int32Array(size + 1);
      for (const [place, waits] of found.entries()) first[place + 1] = (first[place] as number) + waits.length;
      return {
        fixed,
        first,
        event: Int32Array.from(all, ({ event }) => event),
        lag: Float64Array.from(all, ({ lag }) => lag),
      };
    },
  };
}

/**
 * When the people of each role are free: a heap for each role that may have to wait for a person, one after the other.
 * Those of place `k` are at `from[k]` to `until[k] - 1`; none where there are enough for all tasks.
 */
function createPeople(fixedEnd: Float64Array, { roleOf, people }: Staff, order: Int32Array) {
  const tasksOf = new Int32Array(people.length);
  for (const role of roleOf) tasksOf[role] = (tasksOf[role] as number) + 1;
  const isScarce = people.map((count, role) => count < (tasksOf[role] as number));
  const ranges = people.map(() => [0, 0] as [number, number]);
  const freeAtFirst: number[] = [];
  for (const [role, count] of people.entries()) {
    if (!isScarce[role]) continue;
    const done = Array.from(fixedEnd.keys()).filter((task) => roleOf[task] === role && (fixedEnd[task] as number) > 0);
    // In the order of their ends each goes to who is free first; so the last ends are what counts, sorted as a heap is.
    const ends = done.map((task) => fixedEnd[task] as number).sort((a, b) => a - b);
    const last = [...new Array<number>(Math.max(0, count - ends.length)).fill(0), ...ends.slice(-count)];
    ranges[role] = [freeAtFirst.length, freeAtFirst.length + count];
    freeAtFirst.push(...last);
  }
  const free = Float64Array.from(freeAtFirst);
  return {
    freeAtFirst: Float64Array.from(freeAtFirst),
    free,
    who: new Int32Array(free.length),
    from: Int32Array.from(order, (task) => ranges[roleOf[task] as number]?.[0] ?? 0),
    until: Int32Array.from(order, (task) => ranges[roleOf[task] as number]?.[1] ?? 0),
  };
}
