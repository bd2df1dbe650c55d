import { Heap } from "./heap.ts";
import { boundsOf, linksAt, type Timed } from "./network.ts";

/** Who does the tasks: of role `roleOf[i]` there are `people[roleOf[i]]`. */
export interface Staff {
  readonly roleOf: Int32Array;
  readonly people: readonly number[];
}

/** When each task starts and ends, in working seconds, … */
export interface Levelled {
  readonly start: Float64Array;
  readonly end: Float64Array;
  /** … and the order in which the open ones were begun: starting them in this order gives this schedule. */
  readonly order: Int32Array;
}

/** The time in which a person is busy, as [from, until) pairs in order. */
type Busy = number[];

/**
 * Serial scheduling: of the tasks whose predecessors are scheduled the first by `rank` gets the earliest time at which
 * the links allow it and a person of its role is free until it ends, including gaps between other tasks. The person who
 * did a done task was busy until its end.
 */
export function level(timed: Timed, staff: Staff, rank: Int32Array): Levelled {
  const { network, seconds, fixedEnd } = timed;
  const { size, incoming, outgoing, topological } = network;
  const start = new Float64Array(size);
  const end = new Float64Array(size);
  const busy = staff.people.map((people) => Array.from({ length: people }, (): Busy => []));
  const isOpen = (task: number) => Number.isNaN(fixedEnd[task] as number);
  occupyUntilDone(timed, staff, busy);

  const byRank = new Int32Array(size);
  for (let task = 0; task < size; task += 1) byRank[rank[task] as number] = task;
  const left = Int32Array.from({ length: size }, (_, task) => linksAt(incoming, task));
  const eligible = new Heap(size);
  const release = (task: number): void => {
    for (let at = outgoing.first[task] as number; at < (outgoing.first[task + 1] as number); at += 1) {
      const next = outgoing.other[at] as number;
      left[next] = (left[next] as number) - 1;
      if (left[next] === 0 && isOpen(next)) eligible.push(rank[next] as number);
    }
  };
  for (let task = 0; task < size; task += 1) if (left[task] === 0 && isOpen(task)) eligible.push(rank[task] as number);
  // What is done has its time already: nothing open waits for its turn.
  for (let task = 0; task < size; task += 1) {
    if (isOpen(task)) continue;
    end[task] = fixedEnd[task] as number;
    start[task] = Math.max(0, (end[task] as number) - (seconds[task] as number));
    release(task);
  }
  while (eligible.size > 0) {
    const task = byRank[eligible.pop()] as number;
    const work = seconds[task] as number;
    const bounds = boundsOf(timed, task, start, end);
    start[task] = place(busy[staff.roleOf[task] as number] ?? [], bounds, work);
    end[task] = Math.max((start[task] as number) + work, bounds.end);
    release(task);
  }
  // By their starts, but each after those that it waits for: what ends with another task may begin long before it.
  const begun = start.slice();
  const places = new Int32Array(size);
  for (const [place, task] of topological.entries()) {
    places[task] = place;
    for (let at = incoming.first[task] as number; at < (incoming.first[task + 1] as number); at += 1) {
      begun[task] = Math.max(begun[task] as number, begun[incoming.other[at] as number] as number);
    }
  }
  const order = topological
    .filter(isOpen)
    .sort((a, b) => (begun[a] as number) - (begun[b] as number) || (places[a] as number) - (places[b] as number));
  return { start, end, order };
}

/** Gives each done task, in the order of their ends, to the person of its role who is free first. */
function occupyUntilDone({ fixedEnd }: Timed, { roleOf }: Staff, busy: readonly Busy[][]): void {
  const done = Array.from(fixedEnd.keys()).filter((task) => (fixedEnd[task] as number) > 0);
  done.sort((a, b) => (fixedEnd[a] as number) - (fixedEnd[b] as number) || a - b);
  for (const task of done) {
    const people = busy[roleOf[task] as number] ?? [];
    const free = people.reduce(
      (first, person) => ((person[1] ?? 0) < (first[1] ?? 0) ? person : first),
      people[0] ?? [],
    );
    free[0] = 0;
    free[1] = fixedEnd[task] as number;
  }
}

/** Takes the earliest time of anybody for some work, and returns its start. */
function place(people: readonly Busy[], bounds: { start: number; end: number }, work: number): number {
  if (work === 0 && bounds.end <= bounds.start) return bounds.start;
  let best = { start: Number.POSITIVE_INFINITY, person: people[0] ?? [], at: 0 };
  for (const person of people) {
    const found = gapOf(person, bounds, work);
    if (found.start < best.start) best = { ...found, person };
    if (best.start === bounds.start) break;
  }
  occupy(best.person, best.at, best.start, Math.max(best.start + work, bounds.end));
  return best.start;
}

/** Returns the earliest start in a gap of a person's time, and the place among the busy times where it comes. */
function gapOf(busy: Busy, bounds: { start: number; end: number }, work: number): { start: number; at: number } {
  let start = bounds.start;
  for (let at = 0; at < busy.length; at += 2) {
    if (Math.max(start + work, bounds.end) <= (busy[at] as number)) return { start, at };
    start = Math.max(start, busy[at + 1] as number);
  }
  return { start, at: busy.length };
}

/** Adds a busy time at place `at`, joined with those that it touches. */
function occupy(busy: Busy, at: number, from: number, until: number): void {
  const joinsBefore = at > 0 && busy[at - 1] === from;
  const joinsAfter = at < busy.length && busy[at] === until;
  if (joinsBefore && joinsAfter) busy.splice(at - 1, 2);
  else if (joinsBefore) busy[at - 1] = until;
  else if (joinsAfter) busy[at] = from;
  else busy.splice(at, 0, from, until);
}
