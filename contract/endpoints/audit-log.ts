import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, Id, NextCursor, Nullable, OneOf, OrNull, Person, paging, Shape, Timestamp } from "../shapes.ts";

/** Characters of a user agent that are stored. */
export const USER_AGENT_LENGTH = 500;

/** Every event of the audit log, declared once, with its meaning. */
export const identityEvents = {
  "user.registered": "The account was created",
  "session.created": "Somebody signed in with the password, or by registering",
  "session.login_failed": "Somebody tried to sign in with a wrong password",
  "session.logged_out": "Every session token was revoked",
  "session.ended": "One session was ended, and its tokens revoked",
  "sessions.ended": "An administrator ended all sessions",
  "account.disabled": "An administrator disabled the account: its sessions and keys ended",
  "account.enabled": "An administrator enabled the account",
  "account.erasure_ordered": "An administrator ordered that the account be erased, and it was disabled",
  "account.erased": "The account was erased",
  "estimations.hand_over_ordered": "An administrator ordered that all estimations go to another account",
  "estimations.handed_over": "All estimations went to another account",
  "estimations.received": "All estimations of another account came to this one",
  "estimations.hand_over_lapsed":
    "A hand-over ended before all estimations had gone, because it is not allowed any more: one of the accounts became an administrator's, or the other one was disabled or erased",
  "account.erasure_lapsed": "The account was not erased, because that is not allowed any more; it stays disabled",
  "administrator.granted": "The operator made the user an administrator",
  "administrator.revoked": "The operator made the administrator an ordinary user",
  "password.changed": "A signed-in user changed the password, and every earlier session token was revoked",
  "password.change_failed": "A signed-in user gave a wrong current password",
  "password.reset_requested": "A mail to reset the password was requested",
  "password.reset": "The password was set through a mailed link, and every earlier session token was revoked",
  "password.removed":
    "The password, set before the e-mail address was verified, was removed because a Google identity was linked",
  "email.verification_requested": "Another mail to confirm the e-mail address was requested",
  "email.verified": "The e-mail address was confirmed through a mailed link",
  "api_key.created": "An API key was created",
  "api_key.updated": "The name or the scopes of an API key were changed",
  "api_key.rotated": "The plaintext of an API key was replaced",
  "api_key.revoked": "An API key was revoked",
  "webhooks.removed":
    "Webhooks were removed that somebody else may have made by registering with the e-mail address before it was verified",
  "connection.created": "Credentials for a tracker were stored",
  "connection.updated": "A connection to a tracker was changed",
  "connection.token_replaced": "A connection to a tracker was given a new token",
  "connection.removed": "A connection to a tracker was deleted with its token",
  "google.linked": "A Google identity was linked to the account, and every earlier session token revoked",
  "google.signed_in": "Somebody signed in with Google",
  "google.sign_in_failed": "A sign-in with Google as this user was refused",
  "team.created": "You created a team",
  "team.renamed": "You renamed a team",
  "team.deleted": "You deleted a team",
  "team.invited": "You invited an address to a team, or sent the invitation again",
  "team.invitation_withdrawn": "You withdrew an invitation to a team",
  "team.invitation_declined": "You declined an invitation to a team",
  "team.joined": "You accepted an invitation to a team",
  "team.left": "You left a team",
  "team.member_removed": "You removed a member from a team",
  "team.member_role_changed": "You gave a member of a team another role",
  "team.removed": "An admin of a team removed you from it",
  "team.role_changed": "You were given another role in a team",
  "team.share_ended": "As an admin of a team, you ended that an estimation is shared with it",
  "team.template_ended": "As an admin of a team, you ended that a template is shown to it",
} as const;

export type IdentityEvent = keyof typeof identityEvents;

export const identityEventNames = Object.keys(identityEvents) as IdentityEvent[];

/**
 * Something that happened to the caller's account. It contains no credential, and nothing from which one could be
 * derived.
 */
export const AuditEvent = component(
  "AuditEvent",
  Shape({
    id: Id("auditEvent"),
    event: OneOf(identityEventNames, { description: "What happened" }),
    createdAt: Timestamp,
    actor: OrNull(
      Person(
        "Who did it: an administrator, or an admin of the team; null: the account itself, or the operator on the command line",
      ),
    ),
    ip: Nullable(
      Type.String({
        description: "IP address of the client; null: done by somebody else, or on the operator's command line",
      }),
    ),
    userAgent: Nullable(
      Type.String({ description: `User agent of the client, cut to ${USER_AGENT_LENGTH} characters` }),
    ),
    apiKeyId: Nullable({ ...Id("apiKey"), description: "The API key concerned" }),
  }),
);
export type AuditEvent = Static<typeof AuditEvent.schema>;

export const auditLog = endpoints({
  listAuditEvents: {
    method: "GET",
    path: "/api/audit-log",
    summary: "List what happened to your account, newest first",
    description: `Entries are retained for ${limits.auditLogDays} days unless the instance is configured otherwise.`,
    access: "session",
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ events: Type.Array(AuditEvent.ref), nextCursor: NextCursor }) },
  },
});
