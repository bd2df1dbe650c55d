import { start, type TestApp } from "../../harness.ts";
import type { Provocation, Provoking } from "./provoking.ts";
import { newcomer } from "./users.ts";

export const accountErrors = ({ app, owner, path, asOwner, mailing }: Provoking) => {
  const register = (body: object, on: TestApp = app) => on.request("POST", "/api/auth/register", { body });

  const invalidResetToken = () =>
    app.request("POST", "/api/auth/reset-password", { body: { token: "none", password: "correct horse battery" } });

  const invalidVerificationToken = () => app.request("POST", "/api/auth/verify-email", { body: { token: "none" } });

  const invalidCredentials = () =>
    app.request("POST", "/api/auth/login", { body: { email: owner.email, password: "not the one" } });

  const forbidden = async () => {
    const instance = await mailing();
    const { token } = await instance.signUp();
    return instance.request("GET", "/api/users?q=a", { token });
  };

  const accountDisabled = async () => {
    const { email, password, userId } = await app.signUp();
    await app.pool.query("update users set disabled_at = now() where id = $1", [userId]);
    return app.request("POST", "/api/auth/login", { body: { email, password } });
  };

  const registrationClosed = async () => {
    const closed = await start({ config: { registration: "closed" } });
    return register({ email: "a@example.com", password: "correct horse battery" }, closed);
  };

  const googleSignInDisabled = () => app.request("GET", "/api/auth/google");

  const emailTaken = () => register({ email: ` ${owner.email.toUpperCase()} `, password: "correct horse battery" });

  const invalidExchangeCode = () => app.request("POST", "/api/auth/exchange", { body: { code: "none" } });

  return {
    invalid_exchange_code: invalidExchangeCode,
    "exchangeCode invalid_exchange_code": invalidExchangeCode,
    invalid_reset_token: invalidResetToken,
    invalid_verification_token: invalidVerificationToken,
    authorization_missing: () => app.request("GET", path),
    token_invalid: () => app.request("GET", path, { token: "none" }),
    token_revoked: async () => {
      const { token } = await app.signUp();
      await app.request("POST", "/api/auth/logout", { token });
      return app.request("GET", "/api/auth/me", { token });
    },
    invalid_credentials: invalidCredentials,
    forbidden,
    registration_closed: registrationClosed,
    google_sign_in_disabled: googleSignInDisabled,
    email_taken: emailTaken,
    "registerUser registration_closed": registrationClosed,
    "registerUser email_taken": emailTaken,
    account_disabled: accountDisabled,
    "logIn account_disabled": accountDisabled,
    "logIn invalid_credentials": invalidCredentials,
    "changePassword invalid_credentials": () =>
      asOwner("POST", "/api/auth/change-password", {
        body: { currentPassword: "not the one", newPassword: "correct horse battery" },
      }),
    "resetPassword invalid_reset_token": invalidResetToken,
    "verifyEmail invalid_verification_token": invalidVerificationToken,
    "checkVerification invalid_verification_token": () =>
      app.request("POST", "/api/auth/verify-email/check", { body: { token: "A".repeat(43) } }),
    "searchUsers forbidden": forbidden,
    "startGoogleSignIn google_sign_in_disabled": googleSignInDisabled,
    "finishGoogleSignIn google_sign_in_disabled": () => app.request("GET", "/api/auth/google/callback?code=x&state=y"),
    "getNotifications forbidden": async () =>
      (await newcomer(await mailing())).send("GET", "/api/auth/me/notifications"),
    "updateNotifications forbidden": async () =>
      (await newcomer(await mailing())).send("PATCH", "/api/auth/me/notifications", { shareInvited: false }),
  } satisfies Record<string, Provocation>;
};
