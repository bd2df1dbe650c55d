import Type, { type Static } from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { scopeNames } from "./scopes.ts";
import { Change, component, Email, Id, Nullable, OneOf, Shape, Timestamp, Title } from "./shapes.ts";

/** Who calls and owns things. */
export const User = component(
  "User",
  Shape({
    id: Id("user"),
    email: Type.String({ description: "In the form in which addresses are compared" }),
    name: Type.String(),
    avatarUrl: Nullable(Type.String()),
    emailVerifiedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
);
export type User = Static<typeof User.schema>;

/** Another user, as far as everybody who is verified may know. */
const FoundUser = component("FoundUser", Shape({ id: Id("user"), email: Type.String(), name: Type.String() }));

/** A password being set. Nothing is cut off or trimmed; equivalent Unicode spellings are one password. */
const NewPassword = Type.String({
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
  description:
    "Any characters; compared in Unicode normalization form C, in which it also has at least the minimum length. The 10,000 commonest passwords are refused, and the account's own address and name",
});

/** Code points that one character can come in: normalization form C puts at most so many together. */
const COMPOSED_OF_MAX = 4;

/**
 * A password being proved: one that is too short or too long to be right is wrong, not malformed. Keyboards may send it in
 * parts that were composed when it was set.
 */
const GivenPassword = Type.String({ maxLength: COMPOSED_OF_MAX * limits.passwordLengthMax });

/** Any text: one that cannot be a token is refused like one that is no longer good. */
const MailedToken = Type.String({ description: "What stands behind `token=` in the mailed link" });

const fields = {
  name: Title(limits.userNameLength),
  avatarUrl: Nullable(
    Type.String({
      maxLength: limits.avatarUrlLength,
      pattern: "^https://\\S+$",
      "x-form": "an https address such as https://example.com/ada.png",
      description: "An https address",
    }),
  ),
};

export const session = {
  token: Type.String({ description: "Session token, for `Authorization: Bearer`" }),
  expiresAt: Timestamp,
};

export const auth = endpoints({
  registerUser: {
    method: "POST",
    path: "/api/auth/register",
    summary: "Create an account and sign in",
    description:
      "The name is the address's local part unless one is given. A link to confirm the address is mailed, unless too many registered from the client's address of late: then it can be asked for later. Can be closed by configuration.",
    access: "anyone",
    body: Shape({ email: Email, password: NewPassword, name: Type.Optional(fields.name) }),
    reply: { status: 201, data: Shape({ user: User.ref, ...session }) },
    errors: ["registration_closed", "email_taken"],
    transaction: false,
  },
  logIn: {
    method: "POST",
    path: "/api/auth/login",
    summary: "Sign in with e-mail address and password",
    description:
      "Failed passwords are counted per account and per client address; beyond the limit of a minute every attempt is refused (429) until the minute is over, and for longer where they go on. An address from which the account was opened before has a count of its own.",
    access: "anyone",
    body: Shape({ email: Email, password: GivenPassword }),
    reply: { status: 200, data: Shape({ user: User.ref, ...session }) },
    errors: ["invalid_credentials"],
    transaction: false,
  },
  logOut: {
    method: "POST",
    path: "/api/auth/logout",
    summary: "Revoke every session token of the user, on every device; API keys stay",
    access: "session",
    reply: { status: 200, data: Shape({}) },
  },
  renewSession: {
    method: "POST",
    path: "/api/auth/renew",
    summary: "Get a fresh hour for a session token that is still valid",
    access: "session",
    reply: { status: 200, data: Shape(session) },
  },
  getCurrentUser: {
    method: "GET",
    path: "/api/auth/me",
    summary: "Read who the credential stands for",
    description: "With an API key also its id and scopes.",
    access: "credential",
    reply: {
      status: 200,
      data: Shape({
        user: User.ref,
        apiKey: Type.Optional(Shape({ id: Id("apiKey"), scopes: Type.Array(OneOf(scopeNames)) })),
      }),
    },
  },
  updateCurrentUser: {
    method: "PATCH",
    path: "/api/auth/me",
    summary: "Change one's name or picture",
    access: "session",
    body: Change(fields),
    reply: { status: 200, data: Shape({ user: User.ref }) },
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    summary: "Change the password and revoke every earlier session token; API keys stay",
    description: "A wrong current password counts as a failed one, like at sign-in.",
    access: "session",
    body: Shape({ currentPassword: GivenPassword, newPassword: NewPassword }),
    reply: { status: 200, data: Shape(session) },
    errors: ["invalid_credentials"],
    transaction: false,
  },
  requestPasswordReset: {
    method: "POST",
    path: "/api/auth/forgot-password",
    summary: "Have a link to reset the password mailed",
    description:
      "The answer is the same, and takes the same time, whether or not there is such an account. Requests are counted per account and per client address.",
    access: "anyone",
    body: Shape({ email: Email }),
    reply: { status: 202, data: Shape({}) },
    transaction: false,
  },
  resetPassword: {
    method: "POST",
    path: "/api/auth/reset-password",
    summary: "Set the password with the token of a mailed link, and revoke every earlier session token; API keys stay",
    description:
      "The token works once, within 30 minutes, and only as long as no newer link is sent. A password that is refused leaves it as it was. Whoever has the link has the mailbox, so the address counts as verified from then on.",
    access: "anyone",
    body: Shape({ token: MailedToken, password: NewPassword }),
    reply: { status: 200, data: Shape({}) },
    errors: ["invalid_reset_token"],
    transaction: false,
  },
  verifyEmail: {
    method: "POST",
    path: "/api/auth/verify-email",
    summary: "Confirm the account's e-mail address with the token of a mailed link",
    description: "The token works once, within 30 minutes, and only as long as no newer link is sent.",
    access: "anyone",
    body: Shape({ token: MailedToken }),
    reply: { status: 200, data: Shape({}) },
    errors: ["invalid_verification_token"],
  },
  resendVerification: {
    method: "POST",
    path: "/api/auth/verify-email/resend",
    summary: "Have another link to confirm the e-mail address mailed, unless it is confirmed already",
    access: "session",
    reply: { status: 202, data: Shape({}) },
    transaction: false,
  },
  searchUsers: {
    method: "GET",
    path: "/api/users",
    summary: "Find users by name or e-mail address, for choosing reviewers",
    description: `At most ${limits.usersFound}, those whose address or name begins with \`q\` first; where it has three letters or digits in a row also those with it anywhere. Only users with a verified address find others and are found; while the instance is local (no mail server, reached on loopback only, no proxy) everybody counts as verified.`,
    access: "session",
    query: Shape({ q: Type.String({ minLength: 1, maxLength: limits.searchLength, pattern: "\\S" }) }),
    reply: { status: 200, data: Shape({ users: Type.Array(FoundUser.ref) }) },
    errors: ["forbidden"],
  },
});
