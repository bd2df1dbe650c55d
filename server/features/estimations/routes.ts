import { isDeepStrictEqual } from "node:util";
import type { Static } from "typebox";
import type { EstimationFields, estimations } from "../../../contract/estimations.ts";
import { ROLL_UP_VERSION } from "../../../domain/tree/roll-up.ts";
import type { Handlers } from "../../http/handler.ts";
import { byInstant, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services.ts";
import { createEstimationList } from "./list.ts";
import type { ReadableEstimation } from "./look-up.ts";
import { presentEstimation } from "./present.ts";
import { type EstimationRow, insertEstimation, updateEstimation } from "./store.ts";
import { hoursColumns, loadTree } from "./tree-store.ts";

const DEFAULT_CORRELATION = 0.2;

/** By the field that they are sorted by. */
const latestFirst = {
  updatedAt: byInstant("estimations.updatedAt", (row: EstimationRow) => row.updatedAt),
  createdAt: byInstant("estimations.createdAt", (row: EstimationRow) => row.createdAt),
};

const shown = (row: ReadableEstimation) => ({ data: { estimation: presentEstimation(row) }, revision: row.revision });

/** Creating, listing, reading, changing and deleting estimations. */
export function estimationRoutes({ ids, pool }: Services): Handlers<typeof estimations, ReadableEstimation> {
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

    async updateEstimation({ estimation, body, db, now }) {
      const changes = changedFields(estimation, body);
      if (Object.keys(changes).length === 0) return shown(estimation);
      const { correlation } = changes;
      const hours = correlation === undefined ? {} : hoursColumns(await loadTree(db, estimation.id), { correlation });
      return shown(await updateEstimation(db, estimation, { ...changes, ...hours }, now));
    },

    async deleteEstimation({ estimation, db, now }) {
      return shown(await updateEstimation(db, estimation, { deletedAt: now }, now));
    },
  };
}

/**
 * The fields to be set that are not so already, without the read-only ones that a record sent back carries: a change
 * that changes nothing keeps the revision.
 */
function changedFields(
  row: ReadableEstimation,
  body: Static<(typeof estimations.updateEstimation)["body"]>,
): Partial<EstimationFields> {
  const { title, description, clientName, tags, hourlyRate, currency, correlation, rounding } = body;
  const fields = { title, description, clientName, tags, hourlyRate, currency, correlation, rounding };
  const isChanged = ([name, value]: [string, unknown]) =>
    value !== undefined && !isDeepStrictEqual(row[name as keyof typeof fields], value);
  return Object.fromEntries(Object.entries(fields).filter(isChanged));
}
