import { limits } from "../../contract/limits.ts";
import { breaches as treeBreaches } from "../tree/check/faults.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import type { Snapshot } from "../versions/shape.ts";
import { build } from "./build.ts";
import { commonBase } from "./common-base.ts";
import { Decisions } from "./decisions.ts";
import { complete, withEffects } from "./effects.ts";
import type { Breach, Merging } from "./merging.ts";
import { breachOf, breakCycles, place } from "./placement.ts";
import { read } from "./read.ts";
import { mergeSettings } from "./settings.ts";
import type { Conflict, Merged, Resolution, Side } from "./shape.ts";
import { breachesOf, inWholeTree } from "./structure.ts";

/** The ends of a merge. */
export interface Ends {
  /** The nearest common ancestors; several where the lines were merged crosswise. */
  readonly bases: readonly Snapshot[];
  readonly into: Snapshot;
  readonly from: Snapshot;
}

/** What decides a merge besides resolutions. */
interface Ways {
  /** Decides every conflict that no resolution names; null leaves those open. */
  readonly otherwise?: Side | null;
  /** Each round applies the decisions of all broken rules that it finds. After so many, only whole trees are left to choose. */
  readonly rounds?: number;
}

/** Two legal trees need a few. */
const ROUNDS = 50;

/**
 * Merges three-way, by id: returns `into` with what changed in `from` since the common ancestor, or the conflicts that
 * no resolution decides. What is merged follows every rule of a tree. Conflicts of cycles and of rules are found once
 * all others are decided, because they depend on these decisions. Order never conflicts. With `otherwise`, a resolution
 * that decides nothing is refused: a decision about other values must not be silently replaced by `otherwise`.
 */
export function merge(
  { bases, ...ends }: Ends,
  resolutions: readonly Resolution[] = [],
  { otherwise = null, rounds = ROUNDS }: Ways = {},
): Merged {
  const merging: Merging = {
    base: commonBase(bases.map(read)),
    into: read(ends.into),
    from: read(ends.from),
    decisions: new Decisions(resolutions, otherwise),
    pins: new Map(),
    picks: new Map(),
    isWholeTree: false,
  };
  for (let round = 0; ; round += 1) {
    const { decisions } = merging;
    const { merged, cycles } = run(merging);
    if (decisions.faults.length > 0) return { ok: false, faults: decisions.faults };
    if (decisions.open.length > 0) {
      return { ok: false, conflicts: withEffects(merging, merged, decisions.open.slice(0, limits.reportedProblems)) };
    }
    if (round > rounds + ROUNDS) throw new Error("The merge keeps finding the same broken rules");
    const found = cycles.length > 0 ? cycles : breachesOf(merging, merged);
    if (found.length === 0) return ended(merged, decisions.unused(), resolutions, otherwise);
    const isEndless = round >= rounds && !merging.isWholeTree;
    const breaches = isEndless ? [inWholeTree(found[0]?.draft.rule ?? treeBreaches.belowItself)] : found;
    const taken = breaches.map((breach) => ({ breach, side: decisions.side(breach.draft) }));
    if (decisions.open.length > 0) return { ok: false, conflicts: ofBreaches(merging, merged, breaches) };
    for (const { breach, side } of taken) breach.take(merging, side);
  }
}

function ended(
  snapshot: Snapshot,
  unused: readonly number[],
  resolutions: readonly Resolution[],
  otherwise: Side | null,
): Merged {
  if (otherwise === null || unused.length === 0) {
    return { ok: true, snapshot, unused: unused.map((index) => resolutions[index]?.id ?? "") };
  }
  const message = "must be the id of a conflict: there is none with these values, or another resolution has ended it";
  return { ok: false, faults: unused.map((index) => ({ index, part: "id", code: "unknown_reference", message })) };
}

/** Merges with the decisions so far. Where there are cycles, the tree is built without them. */
function run(merging: Merging): { merged: Snapshot; cycles: Breach[] } {
  const { parents, cycles } = place(merging);
  const building = cycles.length > 0 ? { ...merging, pins: new Map(merging.pins) } : merging;
  if (cycles.length > 0) breakCycles(building, parents);
  const merged = build(building, parents, mergeSettings(building));
  return { merged, cycles: cycles.map((cycle) => breachOf(merging, cycle)) };
}

/** Returns the open ones of these as conflicts, with the effect of each side's decision on the hours. */
function ofBreaches(merging: Merging, merged: Snapshot, breaches: readonly Breach[]): Conflict[] {
  const { open } = merging.decisions;
  const together = expectedOf(merged);
  const takenBy = (breach: Breach, side: Side): number => {
    if (breach.keepsHours) return together;
    const { decisions, pins, picks } = merging;
    const trial = { ...merging, decisions: decisions.copy(), pins: new Map(pins), picks: new Map(picks) };
    breach.take(trial, side);
    return expectedOf(run(trial).merged);
  };
  const reported = open.slice(0, BREACHES);
  return reported.flatMap((conflict, at) => {
    const breach = breaches.find(
      ({ draft }) => draft.thingId === conflict.thingId && draft.rule?.message === conflict.rule?.message,
    );
    if (!breach) return [];
    if (at >= TRIED && !breach.keepsHours) return [complete(conflict, null)];
    return [complete(conflict, [together, takenBy(breach, "into"), takenBy(breach, "from")])];
  });
}

/** How many of them are reported. The others show once these are decided. */
const BREACHES = 20;
/** For how many of them the hours are computed: each costs two merges. */
const TRIED = 2;

const expectedOf = ({ tree }: Snapshot): number => summaryHours(tree, { correlation: 0 }).expected;
