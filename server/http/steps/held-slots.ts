/** Takes a slot of a user; returns how to give it back, or null if the user has none left. */
export type TakeSlot = (userId: string) => (() => void) | null;

/** Returns how to take one of the slots of a user, of which each has `most()` at this moment. */
export function createUserSlots(most: () => number): TakeSlot {
  const held = new Map<string, number>();
  return (userId) => {
    const count = held.get(userId) ?? 0;
    if (count >= most()) return null;
    held.set(userId, count + 1);
    return () => {
      const left = (held.get(userId) ?? 1) - 1;
      if (left === 0) held.delete(userId);
      else held.set(userId, left);
    };
  };
}
