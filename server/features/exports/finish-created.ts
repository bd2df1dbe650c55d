import type { Queryable } from "../../db/database.ts";
import { setTaskFacts } from "../tasks/index.ts";
import type { StepContext } from "./context.ts";
import { type counter, finishItem, withWarnings } from "./finish-item.ts";
import type { ItemRow } from "./item-store.ts";
import type { Issue } from "./trackers/issues.ts";

interface Made {
  readonly issue: Issue;
  readonly warnings: NonNullable<ItemRow["warnings"]>;
}

/** Gives a task the issue that was created for it, and finishes its item, unless the issue still has to be placed. */
export async function finishCreated(
  tx: Queryable,
  { run, tracker }: StepContext,
  item: ItemRow,
  counting: Pick<ReturnType<typeof counter>, "count">,
  { issue: { key, url }, warnings }: Made,
): Promise<void> {
  await setTaskFacts(tx, run.estimationId, item.taskId, { externalRef: { target: run.target, key, url } });
  const isPlaced = item.parentId === null || tracker.placesAtCreation;
  await finishItem(tx, item, "created", counting, { url, isPlaced, warnings: withWarnings(item, warnings) });
}
