import type { AuditEvent, auditLog } from "../../../contract/audit-log.ts";
import { limits } from "../../../contract/limits.ts";
import { decodeCursor, pageOf, refuseCursor } from "../../http/cursor.ts";
import type { Handlers } from "../../http/handler.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import { type AuditEventRow, listEvents } from "./store.ts";

const LIST = "audit-log";

export const auditLogRoutes = (): Handlers<typeof auditLog> => ({
  async listAuditEvents({ actor, db, query }) {
    const limit = query.limit ?? limits.pageSize;
    const beforeId = query.cursor === undefined ? null : readCursor(query.cursor);
    const found = await listEvents(db, actor.userId, limit + 1, beforeId);
    const { rows, nextCursor } = pageOf(found, limit, LIST, ({ id }) => [id]);
    return { data: { events: rows.map(present), nextCursor } };
  },
});

/** Ids sort by time: the last one read is where the next page begins. */
function readCursor(cursor: string): string {
  const [id] = decodeCursor(LIST, cursor, [""] as [string]);
  return isWellFormedId(id) ? id : refuseCursor();
}

const present = ({ id, event, createdAt, ip, userAgent, apiKeyId }: AuditEventRow): AuditEvent => ({
  id,
  event,
  createdAt: createdAt.toISOString(),
  ip,
  userAgent,
  apiKeyId,
});
