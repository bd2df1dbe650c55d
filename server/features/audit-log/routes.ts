import type { auditLog } from "../../../contract/audit-log.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { presentEvent } from "./present.ts";
import { listEvents } from "./store.ts";

const newestFirst = byId("audit-log");

export const auditLogRoutes = (): Handlers<typeof auditLog> => ({
  async listAuditEvents({ actor, db, query }) {
    const { rows, nextCursor } = await listPage(newestFirst, query, (limit, beforeId) =>
      listEvents(db, actor.userId, limit, beforeId),
    );
    return { data: { events: rows.map(presentEvent), nextCursor } };
  },
});
