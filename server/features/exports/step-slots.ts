import { limits } from "../../../contract/limits.ts";
import { createUserSlots, type TakeSlot } from "../../http/steps/held-slots.ts";

/**
 * Returns how a step of an export takes a slot. A user has `ofUser`, and all users together have `ofAll`, so that trackers that
 * are slow leave the rest of a worker to other jobs. Once half of these are taken, each user gets only one, so that few users
 * cannot keep others from exporting.
 */
export function createStepSlots({
  ofUser = limits.exportStepsAtOnce,
  ofAll = limits.exportStepsOfAll,
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
