import type { auth } from "../../../contract/endpoints/auth.ts";
import { retryConflicts } from "../../db/failures.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { requireCaller } from "./caller.ts";
import { spendMailedToken } from "./mailed-tokens.ts";
import { createPasswordGate } from "./password-gate.ts";
import { passwordRoutes } from "./password-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import type { SignIns } from "./sign-ins.ts";
import { findUser, verifyEmail } from "./store.ts";
import { createThrottle } from "./throttle.ts";
import { type UserHooks, userRoutes } from "./user-routes.ts";

type Routes = Pick<Handlers<typeof auth>, "verifyEmail" | "resendVerification">;

/** Routes that verify an e-mail address. */
const verificationRoutes = (services: Services, { mails, signIns }: Parts): Routes => ({
  async verifyEmail({ body, db, now, ip, userAgent }) {
    const userId = await spendMailedToken(db, body.token, "verify-email", now);
    if (userId === undefined) fail("invalid_verification_token");
    const user = await verifyEmail(db, userId, now);
    await signIns.record(db, user, { event: "email.verified", ip, userAgent, now });
    return { data: {} };
  },

  async resendVerification({ actor, db, now, ip, userAgent }) {
    const user = requireCaller(await findUser(db, actor.userId));
    if (user.emailVerifiedAt) return { data: {} };
    await mails.count({ email: user.email, ip });
    await retryConflicts(() =>
      db.transaction(async (tx) => {
        const event = "email.verification_requested";
        await recordIdentityEvent(tx, services, { userId: user.id, event, ip, userAgent, now });
        await requestAccountMail(tx, user.id, "verify-email", now);
      }),
    );
    return { data: {} };
  },
});

/** What the handlers of accounts share. */
export interface Parts {
  readonly passwords: ReturnType<typeof createPasswordGate>;
  /** Counts requested mails. */
  readonly mails: ReturnType<typeof createThrottle>;
  /** Counts the mails that registration causes, separately from the others. */
  readonly registrationMails: ReturnType<typeof createThrottle>;
  readonly signIns: SignIns;
}

export const authRoutes = (services: Services, signIns: SignIns, hooks: UserHooks): Handlers<typeof auth> => {
  const parts: Parts = {
    passwords: createPasswordGate(services),
    mails: createThrottle(services, "mail-requests"),
    registrationMails: createThrottle(services, "registration-mails"),
    signIns,
  };
  return {
    ...sessionRoutes(services, parts),
    ...passwordRoutes(services, parts),
    ...verificationRoutes(services, parts),
    ...userRoutes(services, hooks),
  };
};
