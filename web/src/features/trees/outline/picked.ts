import { deselectOption, selectOption, updateOption } from "../../../../../domain/tree/edit/edit-options.ts";
import type { Option } from "../../../../../domain/tree/shape.ts";
import { fieldNumber } from "../../../ui/numbers/format.ts";
import { moveTo, type Target } from "../find/places.ts";
import { type Edit, inTurn, moveBy, remove, toggle } from "../sync/edits.ts";
import { POINTS, type Row, valueAt } from "./rows.ts";

/** Returns the lines from the one where selecting began to the one that has the focus; only that one where none began. */
export function pickedRows(rows: readonly Row[], anchor: string | undefined, row: Row | undefined): readonly Row[] {
  const from = rows.find(({ id }) => id === anchor)?.at ?? row?.at ?? 0;
  return row ? rows.slice(Math.min(from, row.at), Math.max(from, row.at) + 1) : [];
}

/** Returns those lines that no other of them holds. */
export function rootsOf(picked: readonly Row[]): readonly Row[] {
  const held = new Set<string>();
  return picked.filter(({ id, parentId }) => {
    const isHeld = parentId !== null && held.has(parentId);
    held.add(id);
    return !isHeld;
  });
}

/** Returns the first and the last of lines that are next to each other below the same; undefined for others. */
export function endsOf(roots: readonly Row[]): readonly [first: Row, last: Row] | undefined {
  const [first] = roots;
  const last = roots.at(-1);
  if (!first || !last) return undefined;
  const isBlock = roots.every(
    ({ parentId, option }) => parentId === first.parentId && (option === null) === (first.option === null),
  );
  return isBlock ? [first, last] : undefined;
}

export const moveAllBy = (roots: readonly Row[], by: -1 | 1): Edit =>
  inTurn((by < 0 ? roots : roots.toReversed()).map((row) => moveBy(row, by)));

export const moveAllTo = (roots: readonly Row[], { parentId, position }: Target): Edit =>
  inTurn(roots.map((row, index) => moveTo(row, { parentId, position: position + index })));

/** Backwards: an option can require one that is above it. */
export const removeAll = (roots: readonly Row[]): Edit => inTurn(roots.toReversed().map(remove));

/** Selects options, or deselects them where all are selected. */
export function toggleAll(picked: readonly Row[]): Edit {
  const options = optionsIn(picked).filter(({ node }) => node.kind !== "group");
  const [only] = options;
  if (only && options.length === 1) return toggle(only);
  const isAll = options.every(({ option }) => option.selected);
  return inTurn(
    options.map(
      ({ id }) =>
        (tree) =>
          isAll ? deselectOption(tree, id) : selectOption(tree, id),
    ),
  );
}

export const updateAll = (picked: readonly Row[], fields: Partial<Pick<Option, "role" | "quantity">>): Edit =>
  inTurn(
    optionsIn(picked).map(
      ({ id }) =>
        (tree) =>
          updateOption(tree, id, fields),
    ),
  );

type OptionRow = Row & { readonly option: Option };

export const optionsIn = (picked: readonly Row[]): OptionRow[] =>
  picked.filter((row): row is OptionRow => row.option !== null);

/** Returns lines as a spreadsheet takes them: title, low, likely, high, quantity, role. */
export const cellsOf = (picked: readonly Row[]): string =>
  picked
    .map((row) => {
      const { option } = row;
      const cells = [valueAt(row, 0), ...POINTS.map((_, index) => (option ? valueAt(row, index + 1) : ""))];
      const more = option ? [option.quantity === 1 ? "" : fieldNumber(option.quantity), option.role ?? ""] : [];
      return [...cells, ...more]
        .map((cell) => cell.replace(/[\t\r\n]+/g, " "))
        .join("\t")
        .trimEnd();
    })
    .join("\n");
