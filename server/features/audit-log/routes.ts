import type { auditLog } from "../../../contract/audit-log.ts";
import { limits } from "../../../contract/limits.ts";
import { decodeIdCursor, pageOf } from "../../http/cursor.ts";
import type { Handlers } from "../../http/handler.ts";
import { presentEvent } from "./present.ts";
import { listEvents } from "./store.ts";

const LIST = "audit-log";

export const auditLogRoutes = (): Handlers<typeof auditLog> => ({
  async listAuditEvents({ actor, db, query }) {
    const limit = query.limit ?? limits.pageSize;
    // Ids sort by time: the last one read is where the next page begins.
    const beforeId = query.cursor === undefined ? null : decodeIdCursor(LIST, query.cursor);
    const found = await listEvents(db, actor.userId, limit + 1, beforeId);
    const { rows, nextCursor } = pageOf(found, limit, LIST, ({ id }) => [id]);
    return { data: { events: rows.map(presentEvent), nextCursor } };
  },
});
