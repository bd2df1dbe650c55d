import { listed } from "../../../../domain/exports/words.ts";
import type { Queryable } from "../../../db/database.ts";
import { composeItems } from "../compose.ts";
import type { StepContext } from "../context.ts";
import { fingerprints } from "../destination.ts";
import { finishCreated } from "../finish-created.ts";
import { counter, finishItem, goneReasons } from "../finish-item.ts";
import { type ItemRow, isMadeAnew, itemsOf, ledgerRows, type RunKey, updateItem } from "../item-store.ts";
import { markerFor, type NoIssue, storeIntent, storeIssue, storeNoIssue, storeNotRecreated } from "../ledger-store.ts";
import { updateRun } from "../store.ts";
import { type Created, type Issue, type NewIssue, nothingPrepared } from "../trackers/issues.ts";
import type { Fault } from "../trackers/tracker-fault.ts";
import { unseen } from "./give-up.ts";
import { write } from "./write.ts";

/** How often a run sends one issue before it counts as failed. */
const SENDS_MAX = 5;

interface Sent {
  readonly item: ItemRow;
  readonly sends: number;
  readonly issue: NewIssue;
  readonly warnings: NonNullable<ItemRow["warnings"]>;
}

/** Creates issues: the intent of each is stored before, the outcome after. */
export const send = (context: StepContext, taskIds: readonly string[]): Promise<void> =>
  write<readonly Sent[], readonly Created[]>(context, {
    async intend({ tx, run, now }) {
      const rows = await itemsOf(tx, run, taskIds);
      const { placesAtCreation } = context.tracker;
      const parents = placesAtCreation ? await issuesOfParents(tx, run, rows) : new Map<string, string>();
      const composed = await composeItems(
        context,
        tx,
        rows.map(({ item, ledger }) => ({ item, ledger, marker: markerFor(ledger) })),
      );
      const { counts, count } = counter(run);
      const sent: Sent[] = [];
      for (const { item, ledger, marker, composed: issue } of composed) {
        if (!issue) {
          await finishItem(tx, item, "skipped", { count }, { reason: "The task is gone." });
        } else if (ledger !== null && ledger.among !== null && !run.recreateDeleted) {
          // An earlier export was to make it again, and has not.
          await storeNotRecreated(tx, run, item.taskId);
          await finishItem(tx, item, "failed", { count }, { reason: unseen(ledger) });
        } else if (ledger !== null && ledger.goneAt !== null && !run.recreateDeleted) {
          await storeNotRecreated(tx, run, item.taskId);
          await finishItem(tx, item, "gone", { count }, { reason: goneReasons.deleted, url: null });
        } else if (item.sends >= SENDS_MAX) {
          const reason = `The issue was sent to the tracker ${SENDS_MAX} times, without a sign that it was made.`;
          await finishItem(tx, item, "failed", { count }, { reason });
        } else if (placesAtCreation && item.parentId !== null && !parents.has(item.parentId)) {
          const reason = "The parent task has no issue that this one could be placed below.";
          await finishItem(tx, item, "failed", { count }, { reason });
        } else {
          const { fields, warnings } = issue;
          const { taskId, depth } = item;
          const parentRef = parents.get(item.parentId ?? "") ?? null;
          const sinceAt = run.trackerAt ?? now;
          const intent = { taskId, marker, pushed: fingerprints(fields), parentRef, sinceAt, isAnew: isMadeAnew(item) };
          const sends = await storeIntent(tx, run, intent, now);
          if (sends === null) continue;
          await updateItem(tx, run.id, taskId, { sends: item.sends + 1 });
          sent.push({ item, sends, issue: { fields, marker, depth, parentRef }, warnings: [...warnings] });
        }
      }
      await updateRun(tx, run.id, counts());
      return sent.length > 0 ? sent : null;
    },

    send: (sent, call) =>
      context.tracker.create(
        context.reached,
        sent.map(({ issue }) => issue),
        context.run.prepared ?? nothingPrepared,
        call,
      ),

    async know(tx, now, sent, { result, fault }) {
      const { run } = context;
      for (const [at, { item, sends }] of sent.entries()) {
        const created = result?.[at];
        const taskId = item.taskId;
        if (created?.outcome === "created") await storeIssue(tx, run, taskId, created.issue, { now, sends });
        else if (created?.outcome === "made") {
          const among = keysOf(created.among);
          await storeNoIssue(tx, run, { taskId, sends, outcome: "made", among });
        } else await storeNoIssue(tx, run, { taskId, sends, outcome: created ? "refused" : outcomeOf(fault) });
        // A request that certainly did not arrive does not count.
        if (fault && outcomeOf(fault) === "not_sent") await updateItem(tx, run.id, taskId, { sends: item.sends });
      }
    },

    async conclude({ tx, run }, sent, created) {
      const { counts, count } = counter(run);
      for (const [at, { item, warnings }] of sent.entries()) {
        const outcome = created[at];
        if (outcome?.outcome === "created") {
          const made = { issue: outcome.issue, warnings: [...warnings, ...outcome.warnings] };
          await finishCreated(tx, context, item, { count }, made);
        } else if (outcome?.outcome === "refused") {
          await finishItem(tx, item, "failed", { count }, { reason: outcome.reason });
        }
      }
      return counts();
    },

    onLoss: { smallBatches: true },

    async refused({ tx, run }, sent, reason) {
      const { counts, count } = counter(run);
      for (const { item } of sent) await finishItem(tx, item, "failed", { count }, { reason });
      await updateRun(tx, run.id, counts());
    },
  });

/** The issues of the parents of items, by the parents' tasks. */
async function issuesOfParents(
  tx: Queryable,
  run: RunKey,
  rows: readonly { readonly item: ItemRow }[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ item }) => item.parentId ?? []);
  const parents = ids.length === 0 ? [] : await ledgerRows(tx, run, ids);
  return new Map(
    parents.flatMap(({ taskId, state, ref, goneAt }) =>
      state === "created" && ref !== null && goneAt === null ? [[taskId, ref]] : [],
    ),
  );
}

/** Characters of a key that are stored. A row of the ledger has as many keys as a request makes issues. */
const KEY_LENGTH = 50;

/** What people call issues, in one text. */
const keysOf = (issues: readonly Issue[]): string =>
  listed(
    issues.map(({ key }) => key.slice(-KEY_LENGTH)),
    issues.length,
  );

/** The effect of a fault on an issue: only after a missing response is it unknown whether it exists. */
const outcomeOf = (fault: Fault | undefined): NoIssue => {
  if (fault === undefined || fault.kind === "unknown") return "lost";
  return fault.kind === "refused" ? "refused" : "not_sent";
};
