import type { ItemOutcome } from "../../../contract/endpoints/exports.ts";
import type { Queryable } from "../../db/database.ts";
import { type ItemRow, updateItem } from "./item-store.ts";
import type { RunRow } from "./store.ts";
import type { Gone } from "./trackers/issues.ts";

/** How each outcome counts in the progress of a run. */
const COUNTED = {
  created: "created",
  updated: "updated",
  unchanged: "skipped",
  kept: "skipped",
  obsolete: "skipped",
  closed: "updated",
  gone: "skipped",
  skipped: "skipped",
  failed: "failed",
} as const satisfies Record<Exclude<ItemOutcome, "pending">, "created" | "updated" | "skipped" | "failed">;

export type Counts = Pick<RunRow, "created" | "updated" | "skipped" | "failed">;

/** Counts the outcomes of a step, to be stored with the run. */
export function counter({ created, updated, skipped, failed }: Counts) {
  const counts = { created, updated, skipped, failed };
  return {
    counts: () => counts,
    count(outcome: Exclude<ItemOutcome, "pending">, times = 1) {
      counts[COUNTED[outcome]] += times;
    },
  };
}

type Changes = Partial<Pick<ItemRow, "reason" | "url" | "keptFields" | "warnings">>;

/** Why an issue is gone, as text for people. */
export const goneReasons = {
  deleted: "The issue was deleted there, or moved where the token's user has no access.",
  moved: "The issue was moved, or cannot be seen there any more.",
  pull_request: "The issue was turned into a pull request there, which exports leave alone.",
} as const satisfies Record<Gone["reason"], string>;

/** Why the issue of a task that is not obsolete is not closed. */
export const notObsolete = (task: object | null): string =>
  task === null ? "The task is gone." : "The task is part of the estimation again.";

/** Gives an item its outcome, or, if it still has to be placed below a parent, makes that its next stage. */
export async function finishItem(
  tx: Queryable,
  item: ItemRow,
  outcome: Exclude<ItemOutcome, "pending">,
  { count }: Pick<ReturnType<typeof counter>, "count">,
  { isPlaced = true, ...changes }: Changes & { readonly isPlaced?: boolean } = {},
): Promise<void> {
  if (!isPlaced) {
    await updateItem(tx, item.exportId, item.taskId, { ...changes, stage: "link", result: outcome });
    return;
  }
  const isOpen = await updateItem(tx, item.exportId, item.taskId, { ...changes, outcome });
  if (isOpen) count(outcome);
}

/** The warnings of an item, with further ones added. */
export const withWarnings = (
  { warnings }: Pick<ItemRow, "warnings">,
  more: NonNullable<ItemRow["warnings"]>,
): ItemRow["warnings"] => {
  const known = new Set((warnings ?? []).map(({ code }) => code));
  return [...(warnings ?? []), ...more.filter(({ code }) => !known.has(code))];
};
