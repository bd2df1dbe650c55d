import { randomBytes } from "node:crypto";
import type { auth } from "../../../contract/endpoints/auth.ts";
import type { Making, Samples } from "./noun.ts";

export interface SessionRecords {
  /** Not the one that the user's token belongs to. */
  readonly session: string;
}

/** Stores one: a sign-in would accept invitations. */
export async function makeSession({ app: { pool, services }, user }: Making): Promise<SessionRecords> {
  const session = services.ids.next("session");
  await pool.query(
    `insert into sessions (id, user_id, token_version, signed_in_at, ip, user_agent, last_used_at, expires_at)
     select $1, id, token_version, $3::timestamptz, '203.0.113.5',
       'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', $3, $3::timestamptz + interval '1 hour'
     from users where id = $2`,
    [session, user.userId, services.clock.now()],
  );
  return { session };
}

export interface AuthRecords {
  readonly resetToken: string;
  readonly verificationToken: string;
}

export const makeMailedTokens = async (making: Pick<Making, "app" | "user">): Promise<AuthRecords> => ({
  resetToken: await makeMailedToken(making, "reset-password"),
  verificationToken: await makeMailedToken(making, "verify-email"),
});

/** Stores a token as the mail with its link does, in the place of an older one, valid for a minute. */
async function makeMailedToken(
  { app: { pool, clock }, user }: Pick<Making, "app" | "user">,
  purpose: string,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await pool.query(
    `insert into mailed_tokens (hash, user_id, purpose, expires_at) values (sha256($1), $2, $3, $4)
     on conflict (user_id, purpose) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
    [Buffer.from(token), user.userId, purpose, new Date(clock.now().getTime() + 60_000)],
  );
  return token;
}

export const authSamples: Samples<typeof auth> = {
  registerUser: ({ invitedEmail }) => ({
    body: { email: invitedEmail, password: "correct horse battery", name: "Noor Haddad" },
  }),
  logIn: ({ user }) => ({ body: { email: user.email, password: user.password } }),
  logOut: () => ({}),
  renewSession: () => ({}),
  listSessions: () => ({}),
  endSession: ({ session }) => ({ params: { id: session } }),
  getCurrentUser: () => ({}),
  updateCurrentUser: () => ({ body: { name: "Ada Moreau-Lind", avatarUrl: "https://example.com/ada.png" } }),
  changePassword: ({ user }) => ({ body: { currentPassword: user.password, newPassword: "another horse battery" } }),
  requestPasswordReset: ({ user }) => ({ body: { email: user.email } }),
  resetPassword: ({ resetToken }) => ({ body: { token: resetToken, password: "another horse battery" } }),
  verifyEmail: ({ verificationToken }) => ({ body: { token: verificationToken } }),
  checkVerification: ({ verificationToken }) => ({ body: { token: verificationToken } }),
  resendVerification: () => ({}),
  searchUsers: ({ user }) => ({ query: { q: user.email.slice(0, 4) } }),
};
