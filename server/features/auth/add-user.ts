import type { Queryable } from "../../db/database.ts";
import { violatedIndex } from "../../db/failures.ts";
import type { Services } from "../../services.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { insertUser, type UserRow } from "./store.ts";

/** An account to be made. */
export interface NewUser extends Origin {
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly avatarUrl?: string | null;
  /** PHC string; null: no password, as for an account that signs in elsewhere. */
  readonly passwordHash: string | null;
  /** Whether the address is proved already. */
  readonly verified: boolean;
  /** Whether a link to prove the address is mailed where it is not; one can be asked for later. */
  readonly mailed: boolean;
  readonly now: Date;
}

/**
 * Makes an account with what goes with it, within the transaction `db`: the entry in the audit log, and the mail to confirm
 * the address. Returns null where the address is taken; the transaction is then broken and must be given up.
 */
export async function addUser(
  db: Queryable,
  services: Pick<Services, "ids">,
  { email, name, avatarUrl = null, passwordHash, verified, mailed, ip, userAgent, now }: NewUser,
): Promise<UserRow | null> {
  const id = services.ids.next("user");
  const row = {
    id,
    email,
    name,
    avatarUrl,
    passwordHash,
    passwordProved: verified,
    emailVerifiedAt: verified ? now : null,
    createdAt: now,
  };
  const user = await insertUser(db, row).catch((error: unknown) => {
    if (violatedIndex(error) === "users_email") return null;
    throw error;
  });
  if (user === null) return null;
  await recordIdentityEvent(db, services, { userId: id, event: "user.registered", ip, userAgent, now });
  if (!verified && mailed) await requestAccountMail(db, id, "verify-email", now);
  return user;
}
