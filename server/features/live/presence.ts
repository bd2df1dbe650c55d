import type { LiveEvent } from "../../../contract/endpoints/live.ts";
import { limits } from "../../../contract/limits.ts";
import { may } from "../../../domain/access.ts";
import type { Follower } from "../estimations/index.ts";

/** Who else is in an estimation, and the same as text, to compare. */
export interface Present {
  readonly present: Required<Pick<LiveEvent, "others" | "people">>;
  readonly text: string;
}

/** What is there while nobody else is. */
export const NOBODY = JSON.stringify({ others: 0, people: [] });

/**
 * Returns who else is there, as each of its followers sees it: by name who may edit, as a number who may not. `there`: all
 * followers of one estimation. The list is made once, because all but those who are named in it see the same.
 */
export function presenceOf(there: readonly Follower[]): (own: Follower) => Present {
  const people = new Map<string, NonNullable<LiveEvent["people"]>[number]>();
  for (const { userId: id, name, lineId, level, isPerson } of there)
    if (level !== null && isPerson) people.set(id, { id, name, lineId: lineId ?? people.get(id)?.lineId ?? null });
  // One more than are named, for those who are among them.
  const first = [...people.values()].slice(0, limits.livePeople + 1);
  const named = new Set(first.map(({ id }) => id));
  const made = new Map<string, Present>();
  return ({ userId, level }) => {
    const isShown = level !== null && may(level, "edit") === "allowed";
    const others = people.size - (people.has(userId) ? 1 : 0);
    const key = `${others} ${isShown ? (named.has(userId) ? userId : "all") : ""}`;
    const known = made.get(key);
    if (known) return known;
    const shown = isShown ? first.filter(({ id }) => id !== userId).slice(0, limits.livePeople) : [];
    const present = { others, people: shown };
    const one = { present, text: JSON.stringify(present) };
    made.set(key, one);
    return one;
  };
}
