import type { AuditEvent, auditLog } from "../../../contract/endpoints/audit-log.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { AuditEventRow } from "./store.ts";
import { listEvents } from "./store.ts";

const presentEvent = ({ id, event, createdAt, ip, userAgent, apiKeyId }: AuditEventRow): AuditEvent => ({
  id,
  event,
  createdAt: createdAt.toISOString(),
  ip,
  userAgent,
  apiKeyId,
});

const newestFirst = byId("audit-log");

export const auditLogRoutes = (): Handlers<typeof auditLog> => ({
  async listAuditEvents({ actor, db, query }) {
    const { rows, nextCursor } = await listPage(newestFirst, query, (limit, beforeId) =>
      listEvents(db, actor.userId, limit, beforeId),
    );
    return { data: { events: rows.map(presentEvent), nextCursor } };
  },
});
