import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import { USER_AGENT_LENGTH } from "../../../contract/endpoints/audit-log.ts";
import type { Queryable } from "../../db/database.ts";
import { redact } from "../../platform/redact.ts";
import type { Services } from "../../services/index.ts";
import { insertEvent } from "./store.ts";

/** Where a request came from, as far as known. */
export interface Origin {
  /** Address of the client; null: none, as for the command line. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** What happened, and to whose account. */
export interface AuditEntry extends Origin {
  /** null: the account that was tried does not exist. */
  readonly userId: string | null;
  readonly event: IdentityEvent;
  readonly apiKeyId?: string | null;
  /** Who did it: an administrator, or an admin of a team; null: the account itself, or the operator. */
  readonly actorId?: string | null;
  /** Another account that it is about. */
  readonly otherUserId?: string | null;
  readonly now: Date;
}

/**
 * Writes an identity event to the audit log, in the transaction `db` of its cause. Accepts a whole `Call` for `ip`,
 * `userAgent` and `now`; user agents may be anything, so nothing is derived from them.
 */
export async function recordIdentityEvent(
  db: Queryable,
  { ids }: Pick<Services, "ids">,
  { userId, event, ip, userAgent, apiKeyId = null, actorId = null, otherUserId = null, now }: AuditEntry,
): Promise<void> {
  const row = { userId, event, ip, userAgent: storedUserAgent(userAgent), apiKeyId, actorId, otherUserId };
  await insertEvent(db, { id: ids.next("auditEvent"), ...row, createdAt: now });
}

/** Returns the part of a user agent that fits, without any credential that a client put there by mistake. */
export function storedUserAgent(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  // The part searched has its own limit, far enough beyond the part stored that a credential is seen whole.
  const searched = redact(userAgent.slice(0, 4 * USER_AGENT_LENGTH));
  return [...searched].slice(0, USER_AGENT_LENGTH).join("");
}
