import type { Threads } from "../../platform/threads.ts";

/** Takes a place of a user; returns how to give it back, or null if the user has none left. */
export type TakePlace = (userId: string) => (() => void) | null;

/** Returns how to take one of `most` places of each user. */
export function createPlaces(most: number): TakePlace {
  const held = new Map<string, number>();
  return (userId) => {
    const count = held.get(userId) ?? 0;
    if (count >= most) return null;
    held.set(userId, count + 1);
    return () => {
      const left = (held.get(userId) ?? 1) - 1;
      if (left === 0) held.delete(userId);
      else held.set(userId, left);
    };
  };
}

const ofThreads = new WeakMap<Threads, TakePlace>();

/** Returns how to take one of `most` places for work in `threads`: all rows that use them share the places of a user. */
export function placesOn(threads: Threads, most: number): TakePlace {
  const take = ofThreads.get(threads) ?? createPlaces(most);
  ofThreads.set(threads, take);
  return take;
}
