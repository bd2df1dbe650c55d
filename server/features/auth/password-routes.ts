import type { auth } from "../../../contract/endpoints/auth.ts";
import { retryConflicts } from "../../db/failures.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { requestAccountMail } from "./account-mails.ts";
import { requireCaller, versionOf } from "./caller.ts";
import { readEmail } from "./email.ts";
import { readMailedToken, spendMailedToken, voidMailedToken } from "./mailed-tokens.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import type { Parts } from "./routes.ts";
import { findUser, findUserByEmail, resetPassword, setPassword } from "./store.ts";
import { countsAsVerified } from "./verified.ts";

type Routes = Pick<Handlers<typeof auth>, "changePassword" | "requestPasswordReset" | "resetPassword">;

/** Routes that replace a password: for a user who knows it, and for one who owns the mailbox. */
export const passwordRoutes = (services: Services, { passwords, mails, signIns }: Parts): Routes => ({
  async changePassword({ actor, body, db, now, ip, userAgent }) {
    const caller = requireCaller(await findUser(db, actor.userId));
    refuseWeakPassword(body.newPassword, "/newPassword", caller);
    const origin = { userId: caller.id, ip, userAgent, now };
    const given = { email: caller.email, ip, user: caller, password: body.currentPassword };
    await passwords.prove(given, () =>
      recordIdentityEvent(db, services, { ...origin, event: "password.change_failed" }),
    );
    const passwordHash = await passwords.hash(body.newPassword);
    const session = await retryConflicts(() =>
      db.transaction(async (tx) => {
        // Locks rows in the order of `resetPassword`: avoids deadlocks.
        await voidMailedToken(tx, caller.id, "reset-password");
        const version = await setPassword(tx, caller.id, { tokenVersion: versionOf(actor), passwordHash });
        if (version === null) fail("token_revoked");
        await recordIdentityEvent(tx, services, { ...origin, event: "password.changed" });
        await requestAccountMail(tx, caller.id, "password-changed", now);
        // Whoever gives the password has signed in anew.
        const fresh = { ...caller, tokenVersion: version };
        return (await signIns.open(tx, fresh, { ip, userAgent, now })) ?? fail("token_revoked");
      }),
    );
    return { data: await signIns.issueToken(session) };
  },

  async requestPasswordReset({ body, db, now, ip, userAgent }) {
    const email = readEmail(body.email);
    await mails.count({ email, ip });
    // The same statements, and the same rows written, whether or not there is such an account.
    await retryConflicts(() =>
      db.transaction(async (tx) => {
        const userId = (await findUserByEmail(tx, email))?.id ?? null;
        await recordIdentityEvent(tx, services, { userId, event: "password.reset_requested", ip, userAgent, now });
        await requestAccountMail(tx, userId, "reset-password", now);
      }),
    );
    return { data: {} };
  },

  async resetPassword({ body, db, now, ip, userAgent }) {
    refuseWeakPassword(body.password, "/password");
    const user = await readMailedToken(db, body.token, "reset-password", now);
    if (!user) fail("invalid_reset_token");
    refuseWeakPassword(body.password, "/password", user);
    const passwordHash = await passwords.hash(body.password);
    await retryConflicts(() =>
      db.transaction(async (tx) => {
        // The token is used up only now, by exactly one of the requests that present it: any check so far may have
        // refused the request.
        if (!(await spendMailedToken(tx, body.token, "reset-password", now))) fail("invalid_reset_token");
        const isProof = !countsAsVerified(user, services.config);
        const owner = (await resetPassword(tx, user.id, { passwordHash, isProof, now })) ?? fail("invalid_reset_token");
        await signIns.record(tx, owner, { event: "password.reset", ip, userAgent, now });
        await passwords.welcome(tx, { email: user.email, ip });
        await mails.forgive(tx, { email: user.email, ip });
        await requestAccountMail(tx, user.id, "password-reset", now);
      }),
    );
    return { data: {} };
  },
});
