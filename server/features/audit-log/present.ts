import type { AuditEvent } from "../../../contract/audit-log.ts";
import type { AuditEventRow } from "./store.ts";

export const presentEvent = ({ id, event, createdAt, ip, userAgent, apiKeyId }: AuditEventRow): AuditEvent => ({
  id,
  event,
  createdAt: createdAt.toISOString(),
  ip,
  userAgent,
  apiKeyId,
});
