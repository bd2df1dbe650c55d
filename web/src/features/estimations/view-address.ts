import type { SavedFilter } from "../../../../contract/endpoints/preferences.ts";
import type { ListColumn } from "../../../../contract/values/list-columns.ts";
import { writeSearch } from "../../app/search-params.ts";
import { type ListSearch, readListSearch } from "./list-search.ts";

/** Returns the columns that do not show as the address of the list has them: that all of them show has to be said too. */
export const hideOf = (columns: readonly ListColumn[]): ListSearch["hide"] =>
  columns.length === 0 ? ["none"] : columns;

/** Returns the address of the list; what shows in the same way has the same one. */
export const addressOf = (search: ListSearch): string =>
  `/estimations${writeSearch({ ...readListSearch({ ...search }) })}`;

/** Returns the address of a saved view. An older one has no columns: it shows with those that the reader prefers. */
export const addressOfView = ({ name: _, hiddenColumns, ...search }: SavedFilter): string =>
  addressOf({ ...search, hide: hiddenColumns && hideOf(hiddenColumns) });

/** Returns what the list shows, with the columns that it hides, as a view to save. */
export function viewOf(name: string, { hide: _, ...search }: ListSearch, hiddenColumns: readonly ListColumn[]) {
  // What is undefined is not stored.
  return JSON.parse(JSON.stringify({ name, ...search, hiddenColumns })) as SavedFilter;
}
