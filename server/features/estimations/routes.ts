import type { estimations } from "../../../contract/endpoints/estimations.ts";
import { copyTimeline } from "../../../domain/timeline/copy.ts";
import { aboutBytes } from "../../../domain/tree/check/about-bytes.ts";
import { copyTree, orderOf } from "../../../domain/tree/import-tree.ts";
import type { NewId, Tree } from "../../../domain/tree/shape.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byInstant, listPage } from "../../http/list-page.ts";
import { inTurn } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import { findNames } from "../auth/index.ts";
import { recordActivity, recordEdit } from "./activity-store.ts";
import { changeContent } from "./change-content.ts";
import { checkRate } from "./check-rate.ts";
import { createEstimationList } from "./list.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { fieldsOfCopy, makeEstimation, type ShareNew } from "./make-estimation.ts";
import { presentEstimation } from "./present.ts";
import { updateEstimation } from "./store.ts";
import { loadTimeline } from "./timeline-store.ts";
import { DELETED, isRestorable, lastDeletedFirst, refuseFilters } from "./trash.ts";
import { addEstimation, removeEstimation } from "./usage-store.ts";

/** The orders of the list, by the field that is sorted by. */
const latestFirst = {
  updatedAt: byInstant("estimations.updatedAt", (row: ReadableEstimation) => row.updatedAt),
  createdAt: byInstant("estimations.createdAt", (row: ReadableEstimation) => row.createdAt),
};

const shown = (row: ReadableEstimation) => ({ data: { estimation: presentEstimation(row) }, revision: row.revision });

/** Further work when a locked estimation is deleted, or restored. */
type WhenDeleted = (tx: Queryable, estimationId: string, isDeleted: boolean) => Promise<void>;

/** Creating, listing, reading, changing and deleting estimations. */
export function estimationRoutes(
  services: Services,
  whenDeleted: WhenDeleted,
  shareNew: ShareNew,
): Handlers<typeof estimations, ReadableEstimation> {
  const list = createEstimationList(services.pool);
  /** Shows rows of a list, with the names of the owners other than the reader. */
  const shownList = async (rows: readonly ReadableEstimation[], readerId: string) => {
    const ids = new Set(rows.map(({ ownerId }) => ownerId).filter((id) => id !== readerId));
    const owners = ids.size === 0 ? [] : await findNames(services.pool, [...ids]);
    return { estimations: rows.map(presentEstimation), owners };
  };
  return {
    async listEstimations({ actor, query, now }) {
      const { sort = "updatedAt", status, access, tag, team, owner, q, deleted } = query;
      if (deleted) {
        refuseFilters(query);
        const page = await listPage(lastDeletedFirst, query, (limit, after) =>
          list({ ...DELETED, userId: actor.userId, limit, after }),
        );
        const shown = page.rows.filter((row) => isRestorable(row, services.config, now));
        const nextCursor = shown.length === page.rows.length ? page.nextCursor : null;
        return { data: { ...(await shownList(shown, actor.userId)), nextCursor } };
      }
      const page = await listPage(latestFirst[sort], query, (limit, after) =>
        list({ userId: actor.userId, limit, sort, status, access, tag, team, owner, q, after }),
      );
      return { data: { ...(await shownList(page.rows, actor.userId)), nextCursor: page.nextCursor } };
    },

    async createEstimation(call) {
      const { actor, body, db, now } = call;
      checkRate(body);
      const estimation = await makeEstimation(db, services, {
        ...{ ownerId: actor.userId, fields: body, shareNew, now },
      });
      await recordActivity({ ...call, estimation }, "estimation.created");
      return shown(estimation);
    },

    async getEstimation({ estimation }) {
      return shown(estimation);
    },

    async updateEstimation(call) {
      const { estimation } = await changeContent(call, { fields: call.body });
      await recordEdit(call, "content.edited", estimation);
      return shown(estimation);
    },

    async deleteEstimation(call) {
      const { estimation, db, now } = call;
      await removeEstimation(db, estimation.ownerId);
      await whenDeleted(db, estimation.id, true);
      await recordActivity(call, "estimation.deleted");
      return shown(await updateEstimation(db, estimation, { deletedAt: now }, now));
    },

    async restoreDeletedEstimation(call) {
      const { estimation, db, now } = call;
      if (estimation.deletedAt === null) return shown(estimation);
      if (!isRestorable(estimation, services.config, now)) fail("not_found");
      await addEstimation(db, services.quotas, estimation.ownerId);
      await whenDeleted(db, estimation.id, false);
      await recordActivity(call, "estimation.undeleted");
      return shown(await updateEstimation(db, estimation, { deletedAt: null }, now));
    },

    async duplicateEstimation(call) {
      const { actor, estimation, db, now } = call;
      const timeline = await loadTimeline(db, estimation.id);
      const treeBytes = aboutBytes(estimation.tree.nodes);
      const order = await inTurn(treeBytes, () => orderOf(estimation.tree.nodes));
      const copy = {
        ownerId: actor.userId,
        fields: fieldsOfCopy(estimation),
        isExample: estimation.isExample,
        treeBytes,
        plant: (newId: NewId) => copyTree(estimation.tree, newId, undefined, order),
        timelineFor: (tree: Tree) =>
          copyTimeline(timeline, estimation.tree, tree, () => services.ids.next("milestone")),
        shareNew,
        now,
      };
      const made = await makeEstimation(db, services, copy);
      await recordActivity({ ...call, estimation: made }, "estimation.duplicated");
      return shown(made);
    },
  };
}
