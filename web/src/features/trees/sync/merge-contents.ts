import { merge } from "../../../../../domain/merge/merge.ts";
import type { Conflict, Resolution, Side } from "../../../../../domain/merge/shape.ts";
import type { Snapshot } from "../../../../../domain/versions/shape.ts";
import { type Content, isSame, type Own, ownOf } from "./content.ts";

export type MergedContent =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly conflicts: readonly Conflict[] };

interface Ends {
  readonly base: Content;
  readonly into: Content;
  readonly from: Content;
}

/** Merges three contents of one estimation by the rules by which the server merges versions. */
export function mergeContents(
  { base, into, from }: Ends,
  resolutions: readonly Resolution[] = [],
  otherwise: Side | null = null,
): MergedContent {
  const ends = { bases: [snapshotOf(base)], into: snapshotOf(into), from: snapshotOf(from) };
  const merged = merge(ends, resolutions, { otherwise });
  if (!merged.ok) return { ok: false, conflicts: merged.conflicts ?? [] };
  const tags = mergeTags(base.own, into.own, from.own);
  return { ok: true, content: { tree: merged.snapshot.tree, own: ownOf({ ...merged.snapshot, tags }) } };
}

/** The result of a change that is merged with others. */
interface Changed {
  readonly content: Content;
  /** False if a later change by others stays instead of this one. */
  readonly isWhole: boolean;
}

/**
 * Returns `content` with the change from one content to another applied: exactly the other one if nothing else has
 * changed, otherwise changes by others stay.
 */
export function changeBy(content: Content, from: Content, to: Content): Changed {
  if (isSame(content, from)) return { content: to, isWhole: true };
  const ends = { base: from, into: content, from: to };
  const whole = mergeContents(ends);
  if (whole.ok) return { content: whole.content, isWhole: true };
  const merged = mergeContents(ends, [], "into");
  return { content: merged.ok ? merged.content : content, isWhole: false };
}

const snapshotOf = ({ tree, own }: Content): Snapshot => {
  const { tags: _, ...settings } = own;
  return { ...settings, timeline: null, milestones: [], tree };
};

/** Tags are not part of a version: additions and removals of both sides apply. */
const mergeTags = (base: Own, into: Own, from: Own): string[] => [
  ...into.tags.filter((tag) => !base.tags.includes(tag) || from.tags.includes(tag)),
  ...from.tags.filter((tag) => !base.tags.includes(tag) && !into.tags.includes(tag)),
];
