/** How an issue was closed, by the tracker's own id and by what people call it. */
export interface Resolution {
  readonly id: string;
  readonly name: string;
}

/** A resolution that means that the work was not done. Its id is null until an issue with its name was seen. */
export interface DroppedResolution {
  readonly id: string | null;
  readonly name: string;
}

const named = (name: string): DroppedResolution => ({ id: null, name });

/** GitHub's reasons (`state_reason`) for closing an issue whose work was not done. They have no other id. */
export const droppedAtGithub: readonly DroppedResolution[] = ["not_planned", "duplicate"].map(named);

/** Of Jira: those of new sites, of older ones, and those that many sites add. */
export const droppedAtJira: readonly DroppedResolution[] = [
  ...["Won't Do", "Duplicate", "Cannot Reproduce", "Declined", "Won't Fix", "Incomplete", "Invalid", "Rejected"],
  ...["Not a Bug", "Works as Designed", "Obsolete", "Abandoned", "Withdrawn", "Cancelled", "Canceled", "Deferred"],
].map(named);

/** Returns a name without what spellings differ in: case, blanks around it, the kind of apostrophe. */
const spelled = (name: string): string => name.trim().replaceAll("’", "'").toLowerCase();

const isSame = (known: DroppedResolution, { id, name }: Resolution): boolean =>
  known.id === id || spelled(known.name) === spelled(name);

/** Returns whether work whose issue was closed in this way was not done. */
export const isDropped = (resolution: Resolution | null, dropped: readonly DroppedResolution[]): boolean =>
  resolution !== null && dropped.some((known) => isSame(known, resolution));

/**
 * Returns the list with the ids of those that were seen under their names: names are translated and changed, ids are not. It is
 * the same list if there is nothing to learn.
 */
export function withIds(
  dropped: readonly DroppedResolution[],
  seen: readonly Resolution[],
): readonly DroppedResolution[] {
  const learned = dropped.map((known) => {
    const found = known.id === null ? seen.find((resolution) => isSame(known, resolution)) : undefined;
    return found ? { ...known, id: found.id } : known;
  });
  return learned.some((known, at) => known !== dropped[at]) ? learned : dropped;
}

/** Returns the list for these names, with the ids that are known of them. */
export const renamed = (names: readonly string[], before: readonly DroppedResolution[]): DroppedResolution[] =>
  [...new Map(names.map((name) => [spelled(name), name])).values()].map((name) => ({
    ...{ id: before.find((known) => spelled(known.name) === spelled(name))?.id ?? null, name },
  }));
