import type { activity } from "../../../contract/activity.ts";
import { limits } from "../../../contract/limits.ts";
import type { Handlers } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import { presentEntry } from "./present.ts";
import { listActivity } from "./store.ts";

const byNumber: Order<{ readonly number: number }, number, readonly [number]> = {
  list: "activity",
  sample: [0],
  valuesOf: ({ number }) => [number],
  read: ([number]) => (Number.isInteger(number) && number > 0 && number < 2 ** 31 ? number : null),
};

/** Reading the activity of an estimation. */
export const activityRoutes = (): Handlers<typeof activity, ReadableEstimation> => ({
  async listActivity({ estimation, query, db }) {
    const find = (limit: number, before: number | null) => listActivity(db, estimation.id, limit, before);
    const page = await listPage(byNumber, query, find, limits.pageSizeInside);
    const entries = page.rows.map((row) => presentEntry(row, estimation.access));
    return { data: { activity: entries, nextCursor: page.nextCursor } };
  },
});
