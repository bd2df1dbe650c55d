import type { auth } from "../../../contract/endpoints/auth.ts";
import type { Queryable } from "../../db/database.ts";
import { retryConflicts } from "../../db/failures.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { requireCaller } from "./caller.ts";
import { readMailedToken, verifyByToken } from "./mailed-tokens.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import type { Parts } from "./routes.ts";
import type { OnSignedIn } from "./sign-ins.ts";
import { findUser, setUndelivered } from "./store.ts";

type Routes = Pick<Handlers<typeof auth>, "verifyEmail" | "checkVerification" | "resendVerification">;

export interface VerificationHooks {
  /** Ends what was made in an account before the owner of its address took it over, in the same transaction. */
  readonly endEarlierAccess: OnSignedIn;
}

/** Routes that verify an e-mail address. */
export const verificationRoutes = (
  services: Services,
  { passwords, mails, signIns }: Parts,
  { endEarlierAccess }: VerificationHooks,
): Routes => {
  /** Returns the hash of a password that may replace the account's; refuses a weak one, and a token that is not valid. */
  const hashChosen = async (db: Queryable, body: { token: string; newPassword: string }, now: Date) => {
    refuseWeakPassword(body.newPassword, "/newPassword");
    const user = await readMailedToken(db, body.token, "verify-email", now);
    if (!user || user.emailVerifiedAt) fail("invalid_verification_token");
    refuseWeakPassword(body.newPassword, "/newPassword", user);
    return passwords.hash(body.newPassword);
  };
  return {
    async verifyEmail({ body: { token, newPassword }, db, now, ip, userAgent }) {
      const passwordHash = newPassword === undefined ? undefined : await hashChosen(db, { token, newPassword }, now);
      const origin = { ip, userAgent, now };
      await retryConflicts(() =>
        db.transaction(async (tx) => {
          const user = (await verifyByToken(tx, token, { now, passwordHash })) ?? fail("invalid_verification_token");
          if (passwordHash !== undefined) {
            await recordIdentityEvent(tx, services, { ...origin, userId: user.id, event: "password.reset" });
            await endEarlierAccess(tx, user, origin);
            await passwords.welcome(tx, { email: user.email, ip });
            await mails.forgive(tx, { email: user.email, ip });
          }
          await signIns.record(tx, user, { ...origin, event: "email.verified" });
        }),
      );
      return { data: {} };
    },

    async checkVerification({ body, db, now }) {
      const user = (await readMailedToken(db, body.token, "verify-email", now)) ?? fail("invalid_verification_token");
      return { data: { email: user.email, isConfirmed: user.emailVerifiedAt !== null } };
    },

    async resendVerification({ actor, db, now, ip, userAgent }) {
      const user = requireCaller(await findUser(db, actor.userId));
      if (user.emailVerifiedAt) return { data: {} };
      if (user.undeliveredAt === null) await mails.count({ email: user.email, ip });
      await retryConflicts(() =>
        db.transaction(async (tx) => {
          const event = "email.verification_requested";
          await recordIdentityEvent(tx, services, { userId: user.id, event, ip, userAgent, now });
          await setUndelivered(tx, user.email, null);
          await requestAccountMail(tx, user.id, "verify-email", now);
        }),
      );
      return { data: {} };
    },
  };
};
