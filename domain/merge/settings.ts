import { isAlike } from "../versions/alike.ts";
import type { Settings } from "../versions/shape.ts";
import { mergeUnit } from "./fields.ts";
import type { Merging } from "./merging.ts";
import type { Fields } from "./read.ts";
import type { Values } from "./three-way.ts";

/** Returns the merged settings: each is a unit, and so is each setting of a timeline that all versions have. */
export function mergeSettings(merging: Merging): Settings {
  const [base, into, from] = [merging.base, merging.into, merging.from].map(({ settings }) => settings as Fields) as [
    Fields,
    Fields,
    Fields,
  ];
  const merged: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(into), ...Object.keys(from)])) {
    const values = { base: base[field], into: into[field], from: from[field] };
    merged[field] =
      field === "timeline" && Object.values(values).every(isTimeline)
        ? mergeTimeline(merging, values as unknown as Record<keyof typeof values, Fields>)
        : mergeSetting(merging, field, values);
  }
  return merged as unknown as Settings;
}

const isTimeline = (value: unknown): boolean => typeof value === "object" && value !== null;

function mergeTimeline(merging: Merging, { base, into, from }: Record<"base" | "into" | "from", Fields>): Fields {
  if (isAlike(into, from)) return into;
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(into), ...Object.keys(from)])) {
    const values = { base: base[name], into: into[name], from: from[name] };
    const value = mergeSetting(merging, `timeline.${name}`, values);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

const mergeSetting = (merging: Merging, field: string, values: Values): unknown =>
  mergeUnit(merging, { target: "setting", thingId: null, title: null, field }, values);
