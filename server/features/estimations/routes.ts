import type { estimations } from "../../../contract/estimations.ts";
import { ROLL_UP_VERSION } from "../../../domain/tree/roll-up.ts";
import type { Handlers } from "../../http/handler.ts";
import { byInstant, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services.ts";
import { changeContent } from "./change-content.ts";
import { checkRate } from "./check-rate.ts";
import { createEstimationList } from "./list.ts";
import type { ReadableEstimation } from "./look-up-store.ts";
import { presentEstimation } from "./present.ts";
import { insertEstimation, updateEstimation } from "./store.ts";
import { addEstimation, removeEstimation } from "./usage-store.ts";

const DEFAULT_CORRELATION = 0.2;

/** By the field that they are sorted by. */
const latestFirst = {
  updatedAt: byInstant("estimations.updatedAt", (row: ReadableEstimation) => row.updatedAt),
  createdAt: byInstant("estimations.createdAt", (row: ReadableEstimation) => row.createdAt),
};

const shown = (row: ReadableEstimation) => ({ data: { estimation: presentEstimation(row) }, revision: row.revision });

/** Creating, listing, reading, changing and deleting estimations. */
export function estimationRoutes({ config, ids, pool }: Services): Handlers<typeof estimations, ReadableEstimation> {
  const list = createEstimationList(pool);
  return {
    async listEstimations({ actor, query }) {
      const { sort = "updatedAt", status, access, tag, q } = query;
      const page = await listPage(latestFirst[sort], query, (limit, after) =>
        list({ userId: actor.userId, limit, sort, status, access, tag, q, after }),
      );
      return { data: { estimations: page.rows.map(presentEstimation), nextCursor: page.nextCursor } };
    },

    async createEstimation({ actor, body, db, now }) {
      checkRate(body);
      await addEstimation(db, actor.userId, config.quotas.estimations);
      const row = await insertEstimation(db, {
        description: "",
        correlation: DEFAULT_CORRELATION,
        ...body,
        id: ids.next("estimation"),
        ownerId: actor.userId,
        rollUpVersion: ROLL_UP_VERSION,
        createdAt: now,
        updatedAt: now,
      });
      return shown(row);
    },

    async getEstimation({ estimation }) {
      return shown(estimation);
    },

    async updateEstimation(call) {
      return shown((await changeContent(call, { fields: call.body })).estimation);
    },

    async deleteEstimation({ estimation, db, now }) {
      await removeEstimation(db, estimation.ownerId);
      return shown(await updateEstimation(db, estimation, { deletedAt: now }, now));
    },
  };
}
