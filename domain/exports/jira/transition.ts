import { droppedAtJira, isDropped, type Resolution } from "../dropped.ts";

/** A transition of a workflow, as far as it decides about closing an issue. */
export interface Transition {
  readonly id: string;
  /** The name of the status that it leads to. */
  readonly to: string;
  /** Whether that status is of the category Done. */
  readonly isDone: boolean;
  /** Names of the fields that have to be given, but for the resolution. */
  readonly needed: readonly string[];
  /** The resolutions that can be given, and whether one has to be; null: none can. */
  readonly resolution: { readonly isNeeded: boolean; readonly allowed: readonly Resolution[] } | null;
}

/**
 * Returns the transition that closes an issue whose work is not to be done, and the id of the resolution to give (null:
 * none). One that says so comes before one that only leads to a status of the category Done. null: each needs more than is known.
 */
export function closingTransition(
  transitions: readonly Transition[],
): { readonly id: string; readonly resolution: string | null } | null {
  const usable = transitions.filter(
    ({ isDone, needed, resolution }) =>
      isDone && needed.length === 0 && !(resolution?.isNeeded && resolution.allowed.length === 0),
  );
  const says = (name: string) => isDropped({ id: "", name }, droppedAtJira);
  const droppedIn = ({ resolution }: Transition) => resolution?.allowed.find(({ name }) => says(name));
  const best = usable.find(droppedIn) ?? usable.find(({ to }) => says(to)) ?? usable[0];
  if (!best) return null;
  const fallback = best.resolution?.isNeeded ? best.resolution.allowed[0] : undefined;
  return { id: best.id, resolution: (droppedIn(best) ?? fallback)?.id ?? null };
}
