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
    email: Type.String({ description: "Trimmed and lowercased" }),
    name: Type.String(),
    avatarUrl: Nullable(Type.String()),
    emailVerifiedAt: Nullable(Timestamp),
    createdAt: Timestamp,
  }),
);
export type User = Static<typeof User.schema>;

/** A password being set. Nothing is cut off or trimmed; equivalent Unicode spellings are one password. */
const NewPassword = Type.String({
  minLength: limits.passwordLengthMin,
  maxLength: limits.passwordLengthMax,
  description:
    "Any characters; compared in Unicode normalization form C, in which it also has at least the minimum length",
});

/** A password being proved: one that is too short to be right is wrong, not malformed. */
const GivenPassword = Type.String({ maxLength: limits.passwordLengthMax });

const fields = {
  name: Title(limits.userNameLength),
  avatarUrl: Nullable(
    Type.String({ maxLength: limits.avatarUrlLength, pattern: "^https://\\S+$", description: "An https address" }),
  ),
};

const session = {
  token: Type.String({ description: "Session token, for `Authorization: Bearer`" }),
  expiresAt: Timestamp,
};

export const auth = endpoints({
  registerUser: {
    method: "POST",
    path: "/api/auth/register",
    summary: "Create an account and sign in",
    description: "The name is the address's local part unless one is given. Can be closed by configuration.",
    access: "anyone",
    body: Shape({ email: Email, password: NewPassword, name: Type.Optional(fields.name) }),
    reply: { status: 201, data: Shape({ user: User.ref, ...session }) },
    errors: ["registration_closed", "email_taken", "service_unavailable"],
    transaction: false,
  },
  logIn: {
    method: "POST",
    path: "/api/auth/login",
    summary: "Sign in with e-mail address and password",
    description:
      "Failed passwords are counted per account and per client address; beyond the limit of a minute every attempt is refused (429) until the minute is over.",
    access: "anyone",
    body: Shape({ email: Email, password: GivenPassword }),
    reply: { status: 200, data: Shape({ user: User.ref, ...session }) },
    errors: ["invalid_credentials", "service_unavailable"],
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
    body: Change(fields, []),
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
    errors: ["invalid_credentials", "service_unavailable"],
    transaction: false,
  },
});
