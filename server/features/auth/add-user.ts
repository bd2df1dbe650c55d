import type { Queryable } from "../../db/database.ts";
import { violatedIndex } from "../../db/failures.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { insertUser, type UserRow } from "./store.ts";

/** An account to create. */
export interface NewUser extends Origin {
  /** Normalized. */
  readonly email: string;
  readonly name: string;
  readonly avatarUrl?: string | null;
  /** PHC string; null: no password, as for an account that signs in elsewhere. */
  readonly passwordHash: string | null;
  /** Whether the address is already verified. */
  readonly verified: boolean;
  /** Whether to mail a link that verifies an unverified address; the user can request one later. */
  readonly mailed: boolean;
  readonly now: Date;
}

/**
 * Creates an account within the transaction `db`, with its audit-log entry and the mail to confirm the address. Returns
 * null if the address is taken; the transaction is then broken and must be rolled back.
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
