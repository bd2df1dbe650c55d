import type { IdentityEvent } from "../../../contract/audit-log.ts";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services.ts";
import { insertEvent } from "./store.ts";

/** Where a request came from, as far as it is known. */
export interface Origin {
  /** Address of the client; null: none, as for the command line. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** What happened to whose account. */
export interface Occurrence extends Origin {
  /** null: the account that somebody tried does not exist. */
  readonly userId: string | null;
  readonly event: IdentityEvent;
  readonly apiKeyId?: string | null;
  readonly now: Date;
}

/**
 * Writes an identity event to the audit log, in the transaction `db` of what it tells of. Takes a whole `Call`'s `ip`,
 * `userAgent` and `now`; user agents are cut to a limit and may be anything, so nothing is derived from them.
 */
export async function recordIdentityEvent(
  db: Queryable,
  { ids }: Pick<Services, "ids">,
  { userId, event, ip, userAgent, apiKeyId = null, now }: Occurrence,
): Promise<void> {
  const cut = userAgent === null ? null : [...userAgent].slice(0, limits.userAgentLength).join("");
  await insertEvent(db, { id: ids.next("auditEvent"), userId, event, ip, userAgent: cut, apiKeyId, createdAt: now });
}
