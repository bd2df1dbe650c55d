import type { auditLog } from "../../../contract/endpoints/audit-log.ts";
import type { Samples } from "./noun.ts";

export const auditLogSamples: Samples<typeof auditLog> = {
  listAuditEvents: () => ({}),
};
