import type { auth } from "../../../contract/endpoints/auth.ts";
import { limits } from "../../../contract/limits.ts";
import { retryConflicts } from "../../db/failures.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { addUser } from "./add-user.ts";
import { versionOf } from "./caller.ts";
import { localPartOf, readEmail } from "./email.ts";
import { mayRegister } from "./may-register.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import { presentUser } from "./present.ts";
import type { Parts } from "./routes.ts";
import { findUserByEmail, revokeTokens } from "./store.ts";

type Routes = Pick<Handlers<typeof auth>, "registerUser" | "logIn" | "logOut" | "renewSession">;

/** Routes that start and end sessions. */
export const sessionRoutes = (services: Services, { passwords, registrationMails, signIns }: Parts): Routes => ({
  async registerUser({ body, db, now, ip, userAgent }) {
    if (services.config.registration === "closed") fail("registration_closed");
    const email = readEmail(body.email);
    if (!mayRegister(email, services.config)) fail("registration_closed", { details: { reason: "domain" } });
    const name = body.name ?? localPartOf(body.email, limits.userNameLength);
    refuseWeakPassword(body.password, "/password", { email, name });
    if (await findUserByEmail(db, email)) fail("email_taken");
    const passwordHash = await passwords.hash(body.password, "yielding");
    // Registering has only the general limit; the mail that it causes has its own.
    const mailed = await registrationMails.allows(ip);
    const account = { email, name, passwordHash, verified: false, mailed, ip, userAgent, now };
    const user = await retryConflicts(() =>
      db.transaction(async (tx) => {
        const added = await addUser(tx, services, account);
        if (added === null) fail("email_taken");
        await signIns.record(tx, added, { event: "session.created", ip, userAgent, now });
        await passwords.welcome(tx, { email, ip });
        return added;
      }),
    );
    return { data: { user: presentUser(user), ...(await signIns.openSession(user.id, user.tokenVersion)) } };
  },

  async logIn({ body, db, now, ip, userAgent }) {
    const email = readEmail(body.email);
    const found = await findUserByEmail(db, email);
    const event = { ip, userAgent, now };
    // For an unknown account too: it takes the same time, and tells the operator who tries them.
    const proof = await passwords.prove({ email, ip, user: found, password: body.password }, () =>
      recordIdentityEvent(db, services, { ...event, userId: found?.id ?? null, event: "session.login_failed" }),
    );
    const { user } = proof;
    await retryConflicts(() =>
      db.transaction(async (tx) => {
        // First, because it may wait for records of others: what follows locks a counter of the client's address.
        await signIns.record(tx, user, { ...event, event: "session.created" });
        await proof.accept(tx);
      }),
    );
    return { data: { user: presentUser(user), ...(await signIns.openSession(user.id, user.tokenVersion)) } };
  },

  async logOut({ actor, db, now, ip, userAgent }) {
    await revokeTokens(db, actor.userId);
    const { userId } = actor;
    await recordIdentityEvent(db, services, { userId, event: "session.logged_out", ip, userAgent, now });
    return { data: {} };
  },

  async renewSession({ actor }) {
    // With the version of the token in the request: a logout in between revokes the new token too.
    return { data: await signIns.openSession(actor.userId, versionOf(actor)) };
  },
});
