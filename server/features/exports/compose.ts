import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { webPages } from "../estimations/index.ts";
import { findTasks } from "../tasks/index.ts";
import { layoutOf, type StepContext } from "./context.ts";
import { type ItemRow, type LedgerRow, ledgerRows } from "./item-store.ts";
import { estimationTitle } from "./store.ts";

/** A task of a run as the fields of its issue, as it is now. */
export interface ComposedItem {
  readonly item: ItemRow;
  readonly ledger: LedgerRow | null;
  /** null: the task is gone. */
  readonly task: StoredTask | null;
  readonly composed: ReturnType<StepContext["tracker"]["compose"]> | null;
}

/** What every issue of an estimation says about it. */
export async function exportedEstimation({ services, run }: Pick<StepContext, "services" | "run">, db: Queryable) {
  const { estimationId: id } = run;
  return { id, title: await estimationTitle(db, id), url: webPages.estimation(services.config.webUrl, id) };
}

/** Composes the issues of items, each with its marker. Other work runs in between: a long text takes a while to read. */
export async function composeItems(
  context: Pick<StepContext, "services" | "run" | "tracker" | "reached">,
  db: Queryable,
  items: readonly { readonly item: ItemRow; readonly ledger: LedgerRow | null; readonly marker: string }[],
): Promise<(ComposedItem & { readonly marker: string })[]> {
  const { run, tracker } = context;
  const estimation = await exportedEstimation(context, db);
  const tasks = new Map(
    (
      await findTasks(
        db,
        run.estimationId,
        items.map(({ item }) => item.taskId),
      )
    ).map((task) => [task.id, task]),
  );
  const linkIds = items.flatMap(({ item }) => (item.linkId === null ? [] : [item.linkId]));
  const links = new Map((linkIds.length > 0 ? await ledgerRows(db, run, linkIds) : []).map((row) => [row.taskId, row]));
  const compose = ({ item, ledger, marker }: (typeof items)[number]) => {
    const task = tasks.get(item.taskId) ?? null;
    if (!task) return { item, ledger, marker, task, composed: null };
    const link = item.linkId === null ? undefined : links.get(item.linkId);
    const parentLink = link?.key && link.url ? { key: link.key, url: link.url } : null;
    const { title, description, hours, role } = task;
    const composed = tracker.compose(
      { title, description, hours, role, marker, milestone: item.milestone, depth: item.depth, parentLink },
      estimation,
      layoutOf(context),
    );
    return { item, ledger, marker, task, composed };
  };
  const made: ReturnType<typeof compose>[] = [];
  for (const item of items) {
    made.push(compose(item));
    await nextTurn();
  }
  return made;
}
