import type { Database } from "../../db/database.ts";
import type { Clock } from "../../platform/clock.ts";
import { createIds } from "../../platform/ids.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { normalizeEmail } from "./email.ts";
import { countAdministrators, setAdministrator } from "./store.ts";

/** What was done. */
interface Appointed {
  readonly id: string;
  readonly email: string;
  readonly hasChanged: boolean;
  /** Administrators of the instance afterwards. */
  readonly remaining: number;
}

/**
 * Makes a user an administrator, or an ordinary user again, without a request, from the next request on, and mails it to
 * the user. Returns the reason for a refusal, worded for the person at the terminal.
 */
export function appointAdministrator(
  db: Database,
  { clock }: { readonly clock: Clock },
  { email: typed, remove }: { readonly email: string; readonly remove: boolean },
): Promise<Appointed | { readonly refused: string }> {
  const email = normalizeEmail(typed);
  return db.transaction(async (tx) => {
    const found = email === null ? undefined : await setAdministrator(tx, email, !remove);
    if (found === undefined) return { refused: `there is no account of ${typed}` };
    const { user, hasChanged } = found;
    const event = remove ? "administrator.revoked" : "administrator.granted";
    const now = clock.now();
    const entry = { userId: user.id, event, ip: null, userAgent: null, now } as const;
    if (hasChanged) {
      await recordIdentityEvent(tx, { ids: createIds(clock) }, entry);
      await requestAccountMail(tx, user.id, remove ? "administrator-revoked" : "administrator-granted", now);
    }
    return { id: user.id, email: user.email, hasChanged, remaining: await countAdministrators(tx) };
  });
}
