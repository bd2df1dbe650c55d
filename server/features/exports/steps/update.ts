import type { Fields } from "../../../../domain/exports/fields.ts";
import { setTaskFacts } from "../../tasks/index.ts";
import { type ComposedItem, composeItems } from "../compose.ts";
import type { StepContext } from "../context.ts";
import { fingerprints } from "../destination.ts";
import { counter, finishItem, withWarnings } from "../finish-item.ts";
import { itemsOf, ledgerRows } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import { updateRun } from "../store.ts";
import { nothingPrepared, type Updated } from "../trackers/tracker.ts";
import { write } from "./write.ts";

interface Update extends ComposedItem {
  readonly ref: string;
  readonly fields: Fields;
  readonly parentRef: string | null;
}

/** Updates the fields of an issue that changed here and not there. */
export const update = (context: StepContext, taskId: string): Promise<void> =>
  write<Update, Updated>(context, {
    async intend({ tx, run }) {
      const [row] = await itemsOf(tx, run, [taskId]);
      if (!row?.ledger?.ref) return null;
      const [made] = await composeItems(context, tx, [{ ...row, marker: row.ledger.marker }]);
      if (!made?.composed) {
        const { counts, count } = counter(run);
        await finishItem(tx, row.item, "skipped", { count }, { reason: "The task is gone." });
        await updateRun(tx, run.id, counts());
        return null;
      }
      const named = Object.entries(made.composed.fields).filter(([name]) => row.item.updates.includes(name));
      const [parent] = row.item.parentId === null ? [] : await ledgerRows(tx, run, [row.item.parentId]);
      const parentRef = parent && parent.goneAt === null ? parent.ref : null;
      return { ...made, ref: row.ledger.ref, fields: Object.fromEntries(named), parentRef };
    },

    send: ({ ref, fields }, call) =>
      context.tracker.update(context.place, ref, fields, context.run.prepared ?? nothingPrepared, call),

    async conclude({ tx, run, now }, { item, ledger, fields, parentRef }, updated) {
      const { counts, count } = counter(run);
      if (updated.outcome === "updated") {
        await changeLedger(tx, run, taskId, { pushed: { ...ledger?.pushed, ...fingerprints(fields) }, touchedAt: now });
        const isPlaced = parentRef === null || ledger?.parentRef === parentRef;
        const warnings = withWarnings(item, [...updated.warnings]);
        await finishItem(tx, item, "updated", { count }, { isPlaced, warnings });
      } else if (updated.outcome === "refused") {
        await finishItem(tx, item, "failed", { count }, { reason: updated.reason });
      } else {
        await changeLedger(tx, run, taskId, { goneAt: now });
        await setTaskFacts(tx, run.estimationId, taskId, { externalRef: null });
        await finishItem(tx, item, "gone", { count }, { reason: "The issue is no longer there.", url: null });
      }
      return counts();
    },

    async refused({ tx, run }, { item }, reason) {
      const { counts, count } = counter(run);
      await finishItem(tx, item, "failed", { count }, { reason });
      await updateRun(tx, run.id, counts());
    },
  });
