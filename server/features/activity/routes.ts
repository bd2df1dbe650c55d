import type { ActivityEntry, activity } from "../../../contract/endpoints/activity.ts";
import { limits } from "../../../contract/limits.ts";
import type { AccessLevel } from "../../../contract/rights.ts";
import { roundHundredth } from "../../../domain/tree/hours/round.ts";
import type { Handlers } from "../../http/handler.ts";
import { listPage, type Order } from "../../http/list-page.ts";
import type { ReadableEstimation } from "../estimations/index.ts";
import type { NamedEntry } from "./store.ts";
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

/** Returns an entry as the API shows it. Only the owner sees whom it was shared with, and how. */
function presentEntry(row: NamedEntry, access: AccessLevel): ActivityEntry {
  const { email: _, teamId: __, permission: ___, ...rest } = row.subject;
  return {
    number: row.number,
    kind: row.kind,
    person: { id: row.personId, name: row.personName },
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt.toISOString(),
    edits: row.edits,
    // A sum that rounds to −0 is 0.
    hoursDelta: row.hoursDelta === null ? null : roundHundredth(row.hoursDelta) || 0,
    before: row.beforeId,
    after: row.afterId,
    subject: access === "owner" ? row.subject : rest,
  };
}
