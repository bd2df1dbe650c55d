import type { auth } from "../../../contract/endpoints/auth.ts";
import { limits } from "../../../contract/limits.ts";
import { retryConflicts } from "../../db/failures.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { recordIdentityEvent } from "../audit-log/index.ts";
import { addUser } from "./add-user.ts";
import { sessionOf, versionOf } from "./caller.ts";
import { localPartOf, readEmail } from "./email.ts";
import { mayRegister } from "./may-register.ts";
import { refuseWeakPassword } from "./password-policy.ts";
import { presentSession, presentUser } from "./present.ts";
import type { Parts } from "./routes.ts";
import { endSession, listSessions } from "./session-store.ts";
import { findUserByEmail, revokeTokens } from "./store.ts";

type Routes = Pick<
  Handlers<typeof auth>,
  "registerUser" | "logIn" | "logOut" | "renewSession" | "listSessions" | "endSession"
>;

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
    const { user, session } = await retryConflicts(() =>
      db.transaction(async (tx) => {
        const added = await addUser(tx, services, account);
        if (added === null) fail("email_taken");
        await signIns.record(tx, added, { event: "session.created", ip, userAgent, now });
        await passwords.welcome(tx, { email, ip });
        return { user: added, session: (await signIns.open(tx, added, { ip, userAgent, now })) ?? tx.rollback() };
      }),
    );
    return { data: { user: presentUser(user), ...(await signIns.issueToken(session)) } };
  },

  async logIn({ body, db, now, ip, userAgent }) {
    const email = readEmail(body.email);
    const found = await findUserByEmail(db, email);
    const event = { ip, userAgent, now };
    // For an unknown account too: it takes the same time, and tells the operator who tries them.
    const user = await passwords.prove({ email, ip, user: found, password: body.password }, () =>
      recordIdentityEvent(db, services, { ...event, userId: found?.id ?? null, event: "session.login_failed" }),
    );
    // Only whoever knows the password learns that the account is disabled.
    if (user.disabledAt) fail("account_disabled");
    const session = await retryConflicts(() =>
      db.transaction(async (tx) => {
        // First, because it may wait for records of others: what follows locks a counter of the client's address.
        await signIns.record(tx, user, { ...event, event: "session.created" });
        return (await signIns.open(tx, user, event)) ?? fail("account_disabled");
      }),
    );
    return { data: { user: presentUser(user), ...(await signIns.issueToken(session)) } };
  },

  async logOut({ actor, db, now, ip, userAgent }) {
    await revokeTokens(db, actor.userId);
    const { userId } = actor;
    await recordIdentityEvent(db, services, { userId, event: "session.logged_out", ip, userAgent, now });
    return { data: {} };
  },

  async renewSession({ actor, db }) {
    // With the version of the token in the request: a logout in between revokes the new token too.
    const { userId } = actor;
    return { data: await signIns.issueToken({ ...sessionOf(actor), userId, tokenVersion: versionOf(actor) }, db) };
  },

  async listSessions({ actor, db, query, now }) {
    const current = sessionOf(actor).id;
    const { rows, nextCursor } = await listPage(byId("sessions"), query, (limit, afterId) =>
      listSessions(db, actor.userId, { now, limit, afterId }),
    );
    return { data: { sessions: rows.map((row) => presentSession(row, current)), nextCursor } };
  },

  async endSession({ actor, params, db, now, ip, userAgent }) {
    const { userId } = actor;
    if (!(await endSession(db, userId, params.id, now))) fail("not_found");
    await recordIdentityEvent(db, services, { userId, event: "session.ended", ip, userAgent, now });
    return { data: {} };
  },
});
