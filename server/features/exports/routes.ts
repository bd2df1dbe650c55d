import type { exports } from "../../../contract/endpoints/exports.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage, type Order } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { demandDestination, destinationIn, findConnection, lockConnection } from "../connections/index.ts";
import { type ContentCall, type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { hasOpenTasks } from "../tasks/index.ts";
import { addStep } from "./context.ts";
import { beginAnew, listItems } from "./item-store.ts";
import { isResumable, presentExport, presentItem } from "./present.ts";
import type { Trackers } from "./run.ts";
import { refuseSecond, reserveRun, startRun } from "./start.ts";
import { findRun, hasUnfinished, listRuns, type RunRow, updateRun } from "./store.ts";
import { watch } from "./watch.ts";

const newestFirst = byId("exports");

const byNumber: Order<{ readonly number: number }, number, readonly [number]> = {
  list: "export-items",
  sample: [0],
  valuesOf: ({ number }) => [number],
  read: ([number]) => (Number.isInteger(number) && number >= 0 && number < 2 ** 31 ? number : null),
};

interface OfRun {
  readonly db: Queryable;
  readonly estimation: Pick<ReadableEstimation, "id">;
  readonly params: { readonly exportId: string };
}

const demandRun = async ({ db, estimation, params }: OfRun): Promise<RunRow> =>
  (await findRun(db, estimation.id, params.exportId)) ?? fail("not_found");

const isActive = ({ status }: RunRow): boolean => status === "queued" || status === "running";

const shown = (run: RunRow | undefined, { actor }: { readonly actor: { readonly userId: string } }) => ({
  data: { export: presentExport(run ?? fail("not_found"), actor.userId) },
});

/**
 * Refuses (400) to retry a run that was not an export to the same destination: its tasks say nothing about this one.
 */
function refuseOther({ kind, target, project }: RunRow, wanted: Pick<RunRow, "target" | "project">): void {
  const isSame = target === wanted.target && project.toLowerCase() === wanted.project.toLowerCase();
  if (kind === "export" && isSame) return;
  const message = "must be an export to the same repository or project";
  failWith([{ path: "/retryOf", in: "body", code: "not_allowed", message }]);
}

/** Starting, reading, cancelling and resuming exports. */
export function exportRoutes(services: Services, trackers: Trackers): Handlers<typeof exports, ReadableEstimation> {
  /** Starts a run about the issues of an earlier one. */
  const follow = (
    call: ContentCall & { readonly body: { readonly connectionId?: string } | undefined },
    { target, project, issueType, destination, connectionId }: RunRow,
    what: Pick<RunRow, "kind" | "retryOf">,
  ): Promise<RunRow> =>
    startRun({ services, trackers }, call, {
      ...{ ...what, target, project, issueType, destination, userId: call.actor.userId },
      ...{ connectionId: call.body?.connectionId ?? connectionId, dryRun: false, recreateDeleted: false },
    });

  return {
    async exportTasks(call) {
      const { actor, body, db, estimation } = call;
      const { target, connectionId, dryRun = false, recreateDeleted = false, retryOf = null } = body;
      const { project, issueType } = destinationIn(target, body) ?? demandDestination(target);
      if (retryOf !== null) {
        const earlier = (await findRun(db, estimation.id, retryOf)) ?? fail("not_found");
        refuseOther(earlier, { target, project });
        if (!(await hasUnfinished(db, earlier.id))) fail("tasks_missing");
      } else if (!(await hasOpenTasks(db, estimation.id))) fail("tasks_missing");
      const start = {
        ...{ target, connectionId, project, issueType },
        kind: "export",
        userId: actor.userId,
        dryRun,
        recreateDeleted,
        retryOf,
        destination: "",
      } as const;
      const run = await startRun({ services, trackers }, call, start);
      if (!dryRun) await recordActivity(call, "tasks.exported", { subject: { exportId: run.id } });
      return shown(run, call);
    },

    async listExports({ actor, estimation, db, query }) {
      const find = (limit: number, afterId: string | null) =>
        listRuns(db, { estimationId: estimation.id, status: query.status, limit, afterId });
      const { rows, nextCursor } = await listPage(newestFirst, query, find, limits.pageSizeInside);
      return { data: { exports: rows.map((row) => presentExport(row, actor.userId)), nextCursor } };
    },

    getExport: async (call) => shown(await demandRun(call), call),

    async listExportItems(call) {
      const run = await demandRun(call);
      const { actor, db, query } = call;
      const find = (limit: number, after: number | null) =>
        listItems(db, { exportId: run.id, outcome: query.outcome, limit, after });
      const { rows, nextCursor } = await listPage(byNumber, query, find, limits.pageSizeInside);
      return { data: { items: rows.map((row) => presentItem(row, run, actor.userId)), nextCursor } };
    },

    async watchExport(call) {
      const run = await demandRun(call);
      return { stream: watch(services, { ...call, exportId: run.id, userId: call.actor.userId }) };
    },

    async cancelExport(call) {
      const run = await demandRun(call);
      if (!isActive(run)) fail("export_ended");
      const cancelled = await updateRun(call.db, run.id, { cancelAsked: true });
      await addStep(call.db, run.id);
      await recordActivity(call, "export.cancelled", { subject: { exportId: run.id } });
      return shown(cancelled, call);
    },

    async resumeExport(call) {
      const { actor, db, estimation, now } = call;
      const run = await demandRun(call);
      // It would use the connection of another user.
      if (run.userId !== actor.userId) fail("forbidden");
      if (!isResumable(run)) fail("export_not_resumable");
      await refuseSecond(db, estimation.id, run.target);
      // Without its connection it ends at once, with the reason.
      if (await findConnection(db, actor.userId, run.connectionId)) {
        await lockConnection(db, actor.userId, run.connectionId);
        await reserveRun(services.quotas, db, run);
      }
      // Much may have changed in the tracker since, so it is asked again before anything is sent.
      const begun = { phase: "plan", prepared: null, status: "queued", problem: null, faults: 0 } as const;
      const resumed = await updateRun(db, run.id, { ...begun, endedAt: null, progressAt: now, updatedAt: now });
      await beginAnew(db, run.id);
      await addStep(db, run.id);
      await recordActivity(call, "export.resumed", { subject: { exportId: run.id } });
      return shown(resumed, call);
    },

    async pullExport(call) {
      const pulled = await follow(call, await demandRun(call), { kind: "pull", retryOf: null });
      await recordActivity(call, "tasks.read_back", { subject: { exportId: pulled.id } });
      return shown(pulled, call);
    },

    async closeObsolete(call) {
      const run = await demandRun(call);
      const closing = await follow(call, run, { kind: "close", retryOf: run.id });
      await recordActivity(call, "issues.closed", { subject: { exportId: closing.id } });
      return shown(closing, call);
    },
  };
}
