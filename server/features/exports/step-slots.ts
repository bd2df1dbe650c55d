import { createUserSlots, type TakeSlot } from "../../http/steps/held-slots.ts";

/** Steps of one user at the same time: their trackers may be slow while other users wait. */
export const STEPS_OF_USER = 8;
/** Steps of all users: half of what a worker does at the same time. */
export const STEPS_OF_ALL = 20;

/**
 * Returns how a step of an export takes a slot. A user has `ofUser`, and all users together have `ofAll`, so that trackers that
 * are slow leave the rest of a worker to other jobs. Once half of these are taken, each user gets only one, so that few users
 * cannot keep others from exporting.
 */
export function createStepSlots({
  ofUser = STEPS_OF_USER,
  ofAll = STEPS_OF_ALL,
}: {
  readonly ofUser?: number;
  readonly ofAll?: number;
} = {}): TakeSlot {
  let taken = 0;
  const take = createUserSlots(() => (taken >= ofAll / 2 ? 1 : ofUser));
  return (userId) => {
    const leave = taken < ofAll ? take(userId) : null;
    if (!leave) return null;
    taken += 1;
    return () => {
      taken -= 1;
      leave();
    };
  };
}
