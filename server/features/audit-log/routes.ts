import type { AuditEvent, auditLog } from "../../../contract/endpoints/audit-log.ts";
import type { Queryable } from "../../db/database.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { AuditEventRow } from "./store.ts";
import { listEvents } from "./store.ts";

/** Returns the names of users, in no order. */
export type NamesOf = (db: Queryable, ids: readonly string[]) => Promise<readonly { id: string; name: string }[]>;

/** An event as the account sees it. Where whoever else did it was is nobody's business. */
const presentEvent = (row: AuditEventRow, actor: AuditEvent["actor"]): AuditEvent => ({
  id: row.id,
  event: row.event,
  createdAt: row.createdAt.toISOString(),
  actor,
  ip: row.actorId === null ? row.ip : null,
  userAgent: row.actorId === null ? row.userAgent : null,
  apiKeyId: row.apiKeyId,
});

const newestFirst = byId("audit-log");

export const auditLogRoutes = (namesOf: NamesOf): Handlers<typeof auditLog> => ({
  async listAuditEvents({ actor, db, query }) {
    const { rows, nextCursor } = await listPage(newestFirst, query, (limit, beforeId) =>
      listEvents(db, actor.userId, limit, beforeId),
    );
    const actorIds = [...new Set(rows.flatMap(({ actorId }) => actorId ?? []))];
    const names = actorIds.length === 0 ? [] : await namesOf(db, actorIds);
    const actorOf = ({ actorId }: AuditEventRow) => names.find(({ id }) => id === actorId) ?? null;
    return { data: { events: rows.map((row) => presentEvent(row, actorOf(row))), nextCursor } };
  },
});
