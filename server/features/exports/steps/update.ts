import { compareFields } from "../../../../domain/exports/compare.ts";
import type { Fields, Warning } from "../../../../domain/exports/fields.ts";
import { setTaskFacts } from "../../tasks/index.ts";
import { type ComposedItem, composeItems } from "../compose.ts";
import type { StepContext } from "../context.ts";
import { fingerprints } from "../destination.ts";
import { counter, finishItem, goneReasons, withWarnings } from "../finish-item.ts";
import { isPlacedBelow, itemsOf, ledgerRows } from "../item-store.ts";
import { changeLedger } from "../ledger-store.ts";
import { updateRun } from "../store.ts";
import { nothingPrepared, type Updated } from "../trackers/issues.ts";
import type { Call } from "../trackers/reach.ts";
import { TrackerFault } from "../trackers/tracker-fault.ts";
import { write } from "./write.ts";

interface Update extends ComposedItem {
  readonly ref: string;
  readonly fields: Fields;
  readonly parentRef: string | null;
}

/** The outcome of updating the fields. */
type Sent =
  | Exclude<Updated, { readonly outcome: "updated" }>
  | {
      /** `kept`: people have changed all of them there. */
      readonly outcome: "updated" | "kept";
      readonly warnings: readonly Warning[];
      readonly keptFields: readonly string[];
      readonly pushed: Record<string, string>;
    };

/**
 * Reads the issue once more and sends the fields that are still as they were pushed: the comparison may be old by now,
 * and what people have written since must stay.
 */
async function sendChanged(
  { tracker, reached, run }: StepContext,
  { ref, fields, ledger }: Update,
  call: Call,
): Promise<Sent> {
  const remote = (await tracker.read(reached, [ref], { hours: false }, call)).get(ref);
  if (!remote) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  if (remote.outcome === "gone") return remote;
  const { update, kept, pushed } = compareFields(
    fingerprints(fields),
    ledger?.pushed ?? {},
    fingerprints(remote.fields),
  );
  const keptFields = kept.map(({ field }) => field);
  const sent = { keptFields, pushed: pushed as Record<string, string>, warnings: [] };
  const changed = Object.entries(fields).filter(([name]) => name in update);
  if (changed.length === 0) return { ...sent, outcome: keptFields.length > 0 ? "kept" : "updated" };
  const updated = await tracker.update(
    reached,
    ref,
    Object.fromEntries(changed),
    run.prepared ?? nothingPrepared,
    call,
  );
  if (updated.outcome !== "updated") return updated;
  // A field that was not taken is as it was pushed before.
  const before = Object.entries(ledger?.pushed ?? {}).filter(([name]) => updated.left.includes(name));
  return { ...sent, ...updated, pushed: { ...sent.pushed, ...Object.fromEntries(before) } };
}

/** Updates the fields of an issue that changed only here. */
export const update = (context: StepContext, taskId: string): Promise<void> =>
  write<Update, Sent>(context, {
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

    send: (intent, call) => sendChanged(context, intent, call),

    async conclude({ tx, run, now }, { item, ledger, parentRef }, updated) {
      const { counts, count } = counter(run);
      if (updated.outcome === "updated" || updated.outcome === "kept") {
        await changeLedger(tx, run, taskId, { pushed: { ...updated.pushed }, touchedAt: now });
        const isPlaced = parentRef === null || isPlacedBelow(ledger, parentRef);
        const warnings = withWarnings(item, [...updated.warnings]);
        const keptFields = [...new Set([...item.keptFields, ...updated.keptFields])];
        await finishItem(tx, item, updated.outcome, { count }, { isPlaced, warnings, keptFields });
      } else if (updated.outcome === "refused") {
        await finishItem(tx, item, "failed", { count }, { reason: updated.reason });
      } else if (updated.outcome === "gone") {
        await changeLedger(tx, run, taskId, { goneAt: now });
        await setTaskFacts(tx, run.estimationId, taskId, { externalRef: null });
        await finishItem(tx, item, "gone", { count }, { reason: goneReasons[updated.reason], url: null });
      }
      return counts();
    },

    async refused({ tx, run }, { item }, reason) {
      const { counts, count } = counter(run);
      await finishItem(tx, item, "failed", { count }, { reason });
      await updateRun(tx, run.id, counts());
    },
  });
