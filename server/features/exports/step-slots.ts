import { limits } from "../../../contract/limits.ts";
import type { TakeSlot } from "../../http/steps/held-slots.ts";

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
  const held = new Map<string, number>();
  let taken = 0;
  return (userId) => {
    const own = held.get(userId) ?? 0;
    if (taken >= ofAll || own >= (taken >= ofAll / 2 ? 1 : ofUser)) return null;
    held.set(userId, own + 1);
    taken += 1;
    return () => {
      taken -= 1;
      const left = (held.get(userId) ?? 1) - 1;
      if (left === 0) held.delete(userId);
      else held.set(userId, left);
    };
  };
}
