import type { IdentityEvent } from "../../../contract/audit-log.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { redact } from "../../platform/redact.ts";
import type { Services } from "../../services.ts";
import { insertEvent } from "./store.ts";

/** Where a request came from, as far as it is known. */
export interface Origin {
  /** Address of the client; null: none, as for the command line. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** What happened to whose account. */
export interface AuditEntry extends Origin {
  /** null: the account that somebody tried does not exist. */
  readonly userId: string | null;
  readonly event: IdentityEvent;
  readonly apiKeyId?: string | null;
  readonly now: Date;
}

/**
 * Writes an identity event to the audit log, in the transaction `db` of what it tells of. Takes a whole `Call`'s `ip`,
 * `userAgent` and `now`; user agents may be anything, so nothing is derived from them.
 */
export async function recordIdentityEvent(
  db: Queryable,
  { ids }: Pick<Services, "ids">,
  { userId, event, ip, userAgent, apiKeyId = null, now }: AuditEntry,
): Promise<void> {
  const named = userAgent === null ? null : keptOf(userAgent);
  await insertEvent(db, { id: ids.next("auditEvent"), userId, event, ip, userAgent: named, apiKeyId, createdAt: now });
}

/** A user agent as far as it fits, without the credential that a client may have put there by mistake. */
function keptOf(userAgent: string): string {
  // What is searched has a limit of its own, far enough behind that of what is kept for a credential to be seen whole.
  const searched = redact(userAgent.slice(0, 4 * limits.userAgentLength));
  return [...searched].slice(0, limits.userAgentLength).join("");
}
