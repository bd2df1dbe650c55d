import type { Decisions, Draft } from "./decisions.ts";
import { type Fields, type Line, type Thing, unsure } from "./read.ts";
import type { Side } from "./shape.ts";

/** A merge in progress. */
export interface Merging {
  readonly base: Line;
  readonly into: Line;
  readonly from: Line;
  readonly decisions: Decisions;
  /** Things that exist or are gone as in one side. */
  readonly pins: Map<string, Side>;
  /** Units that have a side's value, by `pickKey`. */
  readonly picks: Map<string, Side>;
  /** Whether the tree is as one side has it. */
  isWholeTree: boolean;
}

/** A rule that only both sides together break, and how a side decides it. */
export interface Breach {
  readonly draft: Draft;
  /** Makes everything that it concerns as one side has it. */
  take(merging: Merging, side: Side): void;
  /** Deciding it changes no hours. */
  readonly keepsHours?: true;
}

export const otherSide = (side: Side): Side => (side === "into" ? "from" : "into");

export const pickKey = (thingId: string | null, field: string): string => `${thingId ?? "setting"} ${field}`;

/** Returns a title for people; a thing always has one. */
export const titleOf = ({ fields }: Thing): string => String(fields.title);

/** Returns the fields of a thing without what is below it; null for those in which several common ancestors differ. */
export function recordOf(thing: Thing | undefined): Fields | null {
  if (!thing) return null;
  const { options: _, nodes: __, ...record } = thing.fields;
  const isSure = Object.values(record).every((value) => value !== unsure);
  if (isSure) return record;
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === unsure ? null : value]));
}
