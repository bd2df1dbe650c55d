import type { ActivityEntry } from "../../../../contract/endpoints/activity.ts";
import type { Looked } from "./looked.ts";

/** What was begun on one day, newest first. */
export interface Day {
  /** The day as it is written, which tells days apart. */
  readonly name: string;
  readonly entries: readonly ActivityEntry[];
}

/** Returns the entries, which are given newest first, by the day on which they began. */
export function byDay(entries: readonly ActivityEntry[], nameOf: (iso: string) => string): Day[] {
  const days = new Map<string, ActivityEntry[]>();
  for (const entry of entries) {
    const name = nameOf(entry.startedAt);
    const day = days.get(name);
    if (day) day.push(entry);
    else days.set(name, [entry]);
  }
  return [...days].map(([name, of]) => ({ name, entries: of }));
}

/** Returns how far somebody who sees these entries, newest first, has seen the activity; null without an entry. */
export function newestOf(entries: readonly ActivityEntry[]): Looked | null {
  const [first] = entries;
  if (!first) return null;
  const at = entries.reduce((latest, { endedAt }) => (endedAt > latest ? endedAt : latest), first.endedAt);
  return { number: first.number, at };
}

/** What of the activity is news. */
export interface News {
  /** The number of the newest entry that was there at the last look, if others did something since. */
  readonly line: number | null;
  /** Numbers of the entries below the line that others have gone on with since. */
  readonly continued: ReadonlySet<number>;
}

/** Returns what others did since the reader looked; null for a reader who looks for the first time. */
export function newsSince(looked: Looked | null, entries: readonly ActivityEntry[], userId: string): News {
  if (looked === null) return { line: null, continued: new Set() };
  const byOthers = entries.filter(({ person }) => person.id !== userId);
  const hasNew = byOthers.some(({ number }) => number > looked.number);
  const known = byOthers.filter(({ number, endedAt }) => number <= looked.number && endedAt > looked.at);
  return { line: hasNew ? looked.number : null, continued: new Set(known.map(({ number }) => number)) };
}
