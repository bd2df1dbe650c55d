import { randomBytes } from "node:crypto";
import type { auth } from "../../../contract/endpoints/auth.ts";
import type { Making, Samples } from "./noun.ts";

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
  getCurrentUser: () => ({}),
  updateCurrentUser: () => ({ body: { name: "Ada Moreau-Lind", avatarUrl: "https://example.com/ada.png" } }),
  changePassword: ({ user }) => ({ body: { currentPassword: user.password, newPassword: "another horse battery" } }),
  requestPasswordReset: ({ user }) => ({ body: { email: user.email } }),
  resetPassword: ({ resetToken }) => ({ body: { token: resetToken, password: "another horse battery" } }),
  verifyEmail: ({ verificationToken }) => ({ body: { token: verificationToken } }),
  resendVerification: () => ({}),
  searchUsers: ({ user }) => ({ query: { q: user.email.slice(0, 4) } }),
};
