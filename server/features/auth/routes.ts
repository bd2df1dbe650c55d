import type { auth, User } from "../../../contract/auth.ts";
import { limits } from "../../../contract/limits.ts";
import type { Scope } from "../../../contract/scopes.ts";
import { violatedIndex } from "../../db/failures.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Actor, Handlers } from "../../http/handler.ts";
import { createSessionTokens } from "../../platform/tokens.ts";
import type { Services } from "../../services.ts";
import { localPartOf, normalizeEmail } from "./email.ts";
import { createPasswordGate, refuseShortPassword } from "./password-gate.ts";
import { findUser, findUserByEmail, insertUser, revokeTokens, setPassword, type UserRow, updateUser } from "./store.ts";

export const authRoutes = (services: Services): Handlers<typeof auth> => {
  const { config, ids } = services;
  const passwords = createPasswordGate(services);
  const tokens = createSessionTokens(services.sessionSecret, services.clock);

  const openSession = async (userId: string, tokenVersion: number) => {
    const { token, expiresAt } = await tokens.issue({ userId, tokenVersion });
    return { token, expiresAt: expiresAt.toISOString() };
  };

  return {
    async registerUser({ body, db, now }) {
      if (config.registration === "closed") fail("registration_closed");
      refuseShortPassword(body.password, "/password");
      const email = normalizeEmail(body.email);
      if (await findUserByEmail(db, email)) fail("email_taken");
      const passwordHash = await passwords.hash(body.password);
      const name = body.name ?? localPartOf(body.email, limits.userNameLength);
      const user = await insertUser(db, { id: ids.next("user"), email, name, passwordHash, createdAt: now }).catch(
        (error: unknown) => {
          if (violatedIndex(error) === "users_email") fail("email_taken");
          throw error;
        },
      );
      return { data: { user: presentUser(user), ...(await openSession(user.id, user.tokenVersion)) } };
    },

    async logIn({ body, db, ip }) {
      const email = normalizeEmail(body.email);
      const found = await findUserByEmail(db, email);
      const user = await passwords.prove({ email, ip, user: found, password: body.password });
      return { data: { user: presentUser(user), ...(await openSession(user.id, user.tokenVersion)) } };
    },

    async logOut({ actor, db }) {
      await revokeTokens(db, actor.userId);
      return { data: {} };
    },

    async renewSession({ actor }) {
      // At the version of the token that asked: a logout in between makes the fresh one stale as well.
      return { data: await openSession(actor.userId, versionOf(actor)) };
    },

    async getCurrentUser({ actor, db }) {
      const user = presentUser(present(await findUser(db, actor.userId)));
      if (actor.apiKeyId === null) return { data: { user } };
      return { data: { user, apiKey: { id: actor.apiKeyId, scopes: [...actor.scopes] as Scope[] } } };
    },

    async updateCurrentUser({ actor, body, db }) {
      const { name, avatarUrl } = body;
      if (avatarUrl && !isPicture(avatarUrl)) {
        failWith([{ path: "/avatarUrl", message: "must be an https address without credentials" }]);
      }
      const fields = { ...(name === undefined ? {} : { name }), ...(avatarUrl === undefined ? {} : { avatarUrl }) };
      return { data: { user: presentUser(present(await updateUser(db, actor.userId, fields))) } };
    },

    async changePassword({ actor, body, db, ip }) {
      refuseShortPassword(body.newPassword, "/newPassword");
      const caller = present(await findUser(db, actor.userId));
      const user = await passwords.prove({ email: caller.email, ip, user: caller, password: body.currentPassword });
      const passwordHash = await passwords.hash(body.newPassword);
      const tokenVersion = await setPassword(db, user.id, { tokenVersion: versionOf(actor), passwordHash });
      if (tokenVersion === null) fail("token_revoked");
      return { data: await openSession(user.id, tokenVersion) };
    },
  };
};

/** A user who was there when the credential was verified and is gone now. */
const present = (user: UserRow | undefined): UserRow => user ?? fail("token_invalid");

const versionOf = (actor: Actor): number => actor.tokenVersion ?? fail("session_token_required");

function isPicture(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === "https:" && url.username === "" && url.password === "";
}

const presentUser = ({ id, email, name, avatarUrl, emailVerifiedAt, createdAt }: UserRow): User => ({
  id,
  email,
  name,
  avatarUrl,
  emailVerifiedAt: emailVerifiedAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});
