import { isAlike } from "../versions/alike.ts";
import { mergeUnit } from "./fields.ts";
import { type Merging, pickKey, titleOf } from "./merging.ts";
import { childrenIn, type Fields, type Line, type Thing, unsure } from "./read.ts";

/** The options of a node in the merge. */
interface Below {
  readonly node: Thing;
  /** The node's merged fields. */
  readonly fields: Fields;
  readonly options: readonly string[];
}

/**
 * Returns those options of a node that are selected in the merge. The choice of a `single` node is one unit; of any
 * other node each option is a unit.
 */
export function mergeSelection(merging: Merging, { node, fields, options }: Below): ReadonlySet<string> {
  const { into, from, picks } = merging;
  const pick = picks.size > 0 ? picks.get(pickKey(node.id, CHOICE)) : undefined;
  if (pick) {
    const chosen = selectedIn(merging[pick], node.id);
    return new Set(chosen === unsure ? [] : chosen);
  }
  const isChoice = fields.kind === "single" && into.things.has(node.id) && from.things.has(node.id);
  if (!isChoice) return new Set(options.filter((id) => isSelected(merging, id)));
  const chosen = mergeChoice(merging, node, options);
  const isOfSide = [into, from].some((line) => isAlike(selectedIn(line, node.id), chosen));
  // An option that came from another node was selected or deselected there too; a value that is given applies as it is.
  const isOn = (id: string): boolean => {
    const lines = [merging.base, into, from].flatMap(({ things }) => things.get(id) ?? []);
    const isArriving = lines.some(({ parentId }) => parentId !== node.id);
    return isArriving && isOfSide ? isSelected(merging, id) : chosen.includes(id);
  };
  return new Set(options.filter(isOn));
}

/** The unit of a `single` node. */
export const CHOICE = "choice";

function mergeChoice(merging: Merging, node: Thing, options: readonly string[]): readonly string[] {
  const [had, into, from] = [merging.base, merging.into, merging.from].map((line) => selectedIn(line, node.id)) as [
    readonly string[] | typeof unsure,
    readonly string[],
    readonly string[],
  ];
  if (isAlike(into, from)) return into;
  const unit = { target: node.target, thingId: node.id, title: titleOf(node), field: CHOICE };
  const shown = {
    base: had === unsure || !merging.base.things.has(node.id) ? unsure : shownChoice(had),
    into: shownChoice(unlessGone(merging.into, node.id, into, had)),
    from: shownChoice(unlessGone(merging.from, node.id, from, had)),
  };
  const merged = mergeUnit(merging, unit, shown, (value) =>
    value === null || options.includes(String(value))
      ? null
      : { code: "unknown_reference", message: "must be the id of an option of this node, or null" },
  );
  return Array.isArray(merged) ? merged : merged === null ? [] : [String(merged)];
}

/** A choice as a conflict shows it: an option, or null; a list only where several are selected in a former `multi` node. */
const shownChoice = (ids: readonly string[]): string | null | readonly string[] =>
  ids.length > 1 ? ids : (ids[0] ?? null);

/** If a side only removed or moved away the chosen option, that does not count as its own choice. */
function unlessGone(
  line: Line,
  nodeId: string,
  now: readonly string[],
  had: readonly string[] | typeof unsure,
): readonly string[] {
  if (had === unsure) return now;
  const left = had.filter((id) => line.things.get(id)?.parentId === nodeId);
  return left.length < had.length && isAlike(left, now) ? had : now;
}

/** Returns the selected options below a node, sorted. */
function selectedIn(line: Line, nodeId: string): readonly string[] | typeof unsure {
  const selected: string[] = [];
  for (const { id } of childrenIn(line, nodeId)) {
    const is = line.things.get(id)?.fields.selected;
    if (is === unsure) return unsure;
    if (is === true) selected.push(id);
  }
  return selected.sort();
}

function isSelected(merging: Merging, id: string): boolean {
  const [into, from] = [merging.into.things.get(id), merging.from.things.get(id)];
  if (!into || !from) return (into ?? from)?.fields.selected === true;
  if (into.fields.selected === from.fields.selected) return into.fields.selected === true;
  const base = merging.base.things.get(id);
  const values = {
    base: base ? base.fields.selected : unsure,
    into: into.fields.selected,
    from: from.fields.selected,
  };
  const unit = { target: into.target, thingId: id, title: titleOf(into), field: "selected" };
  return mergeUnit(merging, unit, values) === true;
}
