import type { MergeConflict, MergeSide } from "../../../../contract/values/merge-conflicts.ts";
import { markedTexts } from "../trees/marked/texts.ts";
import { valueText } from "../trees/marked/value-text.ts";
import { versionTexts } from "./texts.ts";

const t = versionTexts.merge;

/** Things that are named in one text; of more only the number is said. */
const NAMED = 5;

type TitleOf = (id: string) => string;
type Unit = Readonly<Record<string, unknown>>;

const isUnit = (value: unknown): value is Unit =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !("optimistic" in value);

const isUnits = (value: unknown): value is readonly Unit[] => Array.isArray(value) && value.some(isUnit);

/** Returns what a side of a conflict has, as a reader knows it; of several units those that the other side has otherwise. */
export function sideText(
  conflict: Pick<MergeConflict, "kind" | "field" | "base" | MergeSide>,
  side: MergeSide,
  titleOf: TitleOf,
): string {
  const [own, other] = [conflict[side].value, conflict[side === "into" ? "from" : "into"].value];
  if (!isUnits(own) || !isUnits(other)) return conflictText(conflict, own, titleOf);
  const others = new Set(other.map((unit) => JSON.stringify(unit)));
  const apart = own.filter((unit) => !others.has(JSON.stringify(unit)));
  return apart.length === 0 ? t.thisSide : conflictText(conflict, apart, titleOf);
}

/** Returns a value of a conflict as a reader knows it. */
export function conflictText(
  { kind, field, base }: Pick<MergeConflict, "kind" | "field" | "base">,
  value: unknown,
  titleOf: TitleOf,
): string {
  if (kind === "removed") return value === null ? t.removed : keptText(base, value, titleOf);
  // Of a whole tree, and of all milestones, there is no value to show.
  if (kind === "structure" && field === null) return t.thisSide;
  if (isUnits(value))
    return listText(
      value.map((unit) => unitText(unit, titleOf)),
      "; ",
    );
  if (field === "parentId") return placeText(value, titleOf);
  if (field === "choice") return valueText([value ?? []].flat(), titleOf);
  if (isUnit(value) && "min" in value) return t.bounds(value.min as number | null, value.max as number | null);
  if (isUnit(value)) {
    const parts = Object.entries(value).map(([name, of]) => `${markedTexts.field(name)}: ${valueText(of, titleOf)}`);
    return listText(parts, ", ");
  }
  return valueText(value, titleOf);
}

/** What was changed in a thing that the other side removed; that may also be its place, or something in it. */
function keptText(base: unknown, record: unknown, titleOf: TitleOf): string {
  if (!isUnit(base) || !isUnit(record)) return t.kept;
  const changed = Object.keys(record).filter((name) => JSON.stringify(record[name]) !== JSON.stringify(base[name]));
  if (changed.length === 0) return t.kept;
  const text = (value: unknown) => valueText(value, titleOf);
  return t.keptWith(
    listText(
      changed.map((name) => `${markedTexts.field(name)}: ${text(base[name])} → ${text(record[name])}`),
      ", ",
    ),
  );
}

/** Returns the names of other things that a conflict is about. */
export const thingsText = (things: readonly string[], titleOf: TitleOf): string => listText(things.map(titleOf), ", ");

/** One of the things that are decided together: where it is, or what it needs. */
function unitText({ id, parentId, requires }: Unit, titleOf: TitleOf): string {
  const title = titleOf(String(id));
  if (Array.isArray(requires)) return t.needs(title, valueText(requires, titleOf));
  // Only nodes stand at the top.
  const isMissing = requires === null || (parentId === null && String(id).startsWith("opt_"));
  return isMissing ? t.missing(title) : t.placed(title, placeText(parentId, titleOf));
}

const placeText = (parentId: unknown, titleOf: TitleOf): string =>
  parentId === null || parentId === undefined ? t.top : t.below(titleOf(String(parentId)));

const listText = (parts: readonly string[], between: string): string =>
  [...parts.slice(0, NAMED), ...(parts.length > NAMED ? [t.more(parts.length - NAMED)] : [])].join(between);
