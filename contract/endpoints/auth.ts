import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { scopeNames } from "../scopes.ts";
import {
  Change,
  component,
  Email,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { sharePermissions } from "../values/share-permissions.ts";

/** An account. */
export const User = component(
  "User",
  Shape({
    id: Id("user"),
    email: Type.String({ description: "In the normalized form in which addresses are compared" }),
    name: Type.String({ description: "How others see the user" }),
    avatarUrl: Nullable(Type.String({ description: "An https URL of a picture" })),
    emailVerifiedAt: Nullable(Timestamp),
    defaultTeamId: Nullable(Id("team", "The team that your new estimations are shared with at once; null: none")),
    defaultPermission: OneOf(sharePermissions, { description: "What its members may do with them" }),
    createdAt: Timestamp,
    isAdministrator: Type.Boolean({ description: "Whether the user runs the instance" }),
    undeliveredAt: Nullable(
      Type.String({
        ...Timestamp,
        description:
          "When the mail server refused a mail to the address for good, such as for one that does not exist; null: it did not, or has taken one since",
      }),
    ),
  }),
);
export type User = Static<typeof User.schema>;

/** A browser or program that is signed in. */
export const Session = component(
  "Session",
  Shape({
    id: Id("session"),
    device: Nullable(Type.String({ description: "Browser and system, as far as the user agent says" })),
    userAgent: Nullable(Type.String({ description: "User agent of the sign-in" })),
    ip: Nullable(Type.String({ description: "IP address of the sign-in" })),
    signedInAt: Timestamp,
    lastUsedAt: Type.String({ format: "date-time", description: "Up to a minute late" }),
    endsAt: Type.String({
      format: "date-time",
      description: `When it ends, however often it is renewed: ${limits.sessionDays} days after the sign-in`,
    }),
    current: Type.Boolean({ description: "Whether it is the session of this request" }),
  }),
);
export type Session = Static<typeof Session.schema>;

/** What a verified user may see of another user. */
const FoundUser = component(
  "FoundUser",
  Shape({
    id: Id("user"),
    email: Type.String({ description: "In the normalized form in which addresses are compared" }),
    name: Type.String({ description: "How others see the user" }),
  }),
);

/** A new password. It is neither cut nor trimmed; equivalent Unicode spellings count as the same password. */
const NewPassword = Type.String({
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
  description:
    "Any characters. It is converted to Unicode normalization form C, in which it must have the minimum length. The 10,000 most common passwords and the account's own address and name are refused",
});

/** The largest number of code points that normalization form C combines into one character. */
const COMPOSED_OF_MAX = 4;

/**
 * A password to check: one of an impossible length is wrong, not malformed. A keyboard may send characters in parts that
 * were composed when the password was set.
 */
const GivenPassword = Type.String({
  maxLength: COMPOSED_OF_MAX * limits.passwordLengthMax,
  description: "The password of the account",
});

/** Any text: a malformed token is refused like an expired one. */
const MailedToken = Type.String({ description: "The value of `token` in the mailed link" });

const fields = {
  name: Title(limits.userNameLength),
  avatarUrl: Nullable(
    Type.String({
      maxLength: limits.urlLength,
      pattern: "^https://\\S+$",
      "x-form": "an https address such as https://example.com/ada.png",
      description: "An https address",
    }),
  ),
};

const sharing = {
  defaultTeamId: Nullable(Text(limits.refLength, { description: "Id of a team of yours; null: none" })),
  defaultPermission: OneOf(sharePermissions, { description: "What its members may do with your new estimations" }),
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
      "Without `name`, the part of the address before the `@` is used. A link to confirm the address is mailed, unless too many accounts were registered from the client's IP address recently; the link can then be requested later. Registration can be closed by configuration, or limited to addresses of some domains.",
    access: "anyone",
    body: Shape({ email: Email, password: NewPassword, name: Type.Optional(fields.name) }),
    response: { status: 201, created: "/api/auth/me", data: Shape({ user: User.ref, ...session }) },
    errors: ["registration_closed", "email_taken"],
    transaction: false,
    events: ["share.accepted"],
  },
  logIn: {
    method: "POST",
    path: "/api/auth/login",
    summary: "Sign in with e-mail address and password",
    description:
      "Failed passwords are counted per account and per client address. Beyond the limit per minute every sign-in is refused (429) until the minute is over, and for longer if failures continue. A client address that has signed in to the account before is counted separately.",
    access: "anyone",
    body: Shape({ email: Email, password: GivenPassword }),
    response: { status: 200, data: Shape({ user: User.ref, ...session }) },
    errors: ["invalid_credentials", "account_disabled"],
    transaction: false,
    events: ["share.accepted"],
  },
  logOut: {
    method: "POST",
    path: "/api/auth/logout",
    summary: "Revoke every session token of the user, on every device; API keys stay valid",
    access: "session",
    response: { status: 200, data: Shape({}) },
  },
  renewSession: {
    method: "POST",
    path: "/api/auth/renew",
    summary: "Get a new session token, valid for an hour, while the current one is still valid",
    description: `A session ends ${limits.sessionDays} days after its sign-in: the last token is valid up to then.`,
    access: "session",
    response: { status: 200, data: Shape(session) },
  },
  listSessions: {
    method: "GET",
    path: "/api/auth/sessions",
    summary: "List where you are signed in, newest first",
    access: "session",
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ sessions: Type.Array(Session.ref), nextCursor: NextCursor }) },
  },
  endSession: {
    method: "DELETE",
    path: "/api/auth/sessions/:id",
    summary: "End one session; its tokens are refused at once",
    access: "session",
    response: { status: 200, data: Shape({}) },
  },
  getCurrentUser: {
    method: "GET",
    path: "/api/auth/me",
    summary: "Read the user whom the credential belongs to",
    description: "With an API key, the response also has the key's id and scopes.",
    access: "credential",
    response: {
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
    summary: "Change your name, your picture, or what your new estimations are shared with",
    description: "`defaultTeamId` names a team that you are a member of. It becomes null when you leave the team.",
    access: "session",
    body: Change(
      { ...fields, ...sharing },
      { matching: ["id", "email", "emailVerifiedAt", "isAdministrator"], derived: ["createdAt", "undeliveredAt"] },
    ),
    response: { status: 200, data: Shape({ user: User.ref }) },
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    summary: "Change the password and revoke every earlier session token; API keys stay valid",
    description: "A wrong current password counts as a failure, as at sign-in.",
    access: "session",
    body: Shape({ currentPassword: GivenPassword, newPassword: NewPassword }),
    response: { status: 200, data: Shape(session) },
    errors: ["invalid_credentials"],
    transaction: false,
  },
  requestPasswordReset: {
    method: "POST",
    path: "/api/auth/forgot-password",
    summary: "Request a mail with a link to reset the password",
    description:
      "The response is the same, and takes the same time, whether or not the account exists. Requests are counted per account and per client address.",
    access: "anyone",
    body: Shape({ email: Email }),
    response: { status: 202, data: Shape({}) },
    transaction: false,
  },
  resetPassword: {
    method: "POST",
    path: "/api/auth/reset-password",
    summary:
      "Set the password with the token of a mailed link, and revoke every earlier session token; API keys stay valid",
    description:
      "The token works once, within 30 minutes, and only until a newer link is sent. A refused password does not use it up. The link proves access to the mailbox, so the address counts as verified from then on.",
    access: "anyone",
    body: Shape({ token: MailedToken, password: NewPassword }),
    response: { status: 200, data: Shape({}) },
    errors: ["invalid_reset_token"],
    transaction: false,
    events: ["share.accepted"],
  },
  verifyEmail: {
    method: "POST",
    path: "/api/auth/verify-email",
    summary: "Confirm the account's e-mail address with the token of a mailed link",
    description:
      "The token works once, within 30 minutes, and only until a newer link is sent. Whoever did not create the account, but owns the address, sends `newPassword`: it replaces the password, revokes every session token and API key, and removes the webhooks and connections to trackers made so far, which may be another person's. A refused password does not use the token up.",
    access: "anyone",
    body: Shape({ token: MailedToken, newPassword: Type.Optional(NewPassword) }),
    response: { status: 200, data: Shape({}) },
    errors: ["invalid_verification_token"],
    transaction: false,
    events: ["share.accepted"],
  },
  checkVerification: {
    method: "POST",
    path: "/api/auth/verify-email/check",
    summary: "Read which address the token of a mailed link confirms, and whether that has happened; nothing changes",
    access: "anyone",
    body: Shape({ token: MailedToken }),
    response: {
      status: 200,
      data: Shape({
        email: Type.String(),
        isConfirmed: Type.Boolean({
          description: "Whether the address is confirmed already, by this link or otherwise",
        }),
      }),
    },
    errors: ["invalid_verification_token"],
    transaction: false,
  },
  resendVerification: {
    method: "POST",
    path: "/api/auth/verify-email/resend",
    summary: "Request another mail with a link to confirm the e-mail address, unless it is already confirmed",
    access: "session",
    response: { status: 202, data: Shape({}) },
    transaction: false,
  },
  searchUsers: {
    method: "GET",
    path: "/api/users",
    summary: "Find users by name or e-mail address, for choosing reviewers",
    description: `Returns at most ${limits.usersFound} users, first those whose address or name begins with \`q\`. If \`q\` has three letters or digits in a row, also those that contain it anywhere. Depending on the configuration, this finds everybody, or only those with whom you share an estimation; a complete e-mail address always finds its user. At most ${limits.userSearchesPerMinute} searches a minute. Only users with a verified address can search and be found; while the instance is local (no mail server, reached on loopback only, no proxy) every user counts as verified.`,
    access: "session",
    perMinute: limits.userSearchesPerMinute,
    query: Shape({
      q: Type.String({
        minLength: 1,
        maxLength: limits.searchLength,
        pattern: "\\S",
        description: "What the name or the address contains; case is ignored",
      }),
      shared: Type.Optional(
        Type.Boolean({
          description:
            "Finds only those with whom you share an estimation, whatever the configuration, and the user of a complete address",
        }),
      ),
    }),
    response: { status: 200, data: Shape({ users: Type.Array(FoundUser.ref) }) },
    errors: ["forbidden"],
  },
});
