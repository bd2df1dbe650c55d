import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { quotas } from "../errors.ts";
import { limits } from "../limits.ts";
import { scopeNames } from "../scopes.ts";
import {
  AnyOf,
  component,
  Email,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  OrNull,
  Person,
  paging,
  Shape,
  Timestamp,
} from "../shapes.ts";
import { identityEventNames, USER_AGENT_LENGTH } from "./audit-log.ts";
import { Session } from "./auth.ts";

const fields = {
  id: Id("user"),
  email: Type.String(),
  name: Type.String(),
  emailVerifiedAt: Nullable(Timestamp),
  createdAt: Timestamp,
  lastSignInAt: Nullable(Timestamp),
  disabledAt: Nullable(Timestamp),
  isAdministrator: Type.Boolean(),
};

/** An account as administrators see it: nothing of what its user has written. */
export const Account = component("Account", Shape(fields));
export type Account = Static<typeof Account.schema>;

/** What the service does to an account in the background. */
export const accountWork = ["handing_over", "erasing"] as const;
export type AccountWork = (typeof accountWork)[number];

/** What accounts are listed by. */
export const accountStates = ["enabled", "disabled", "administrator"] as const;
export type AccountState = (typeof accountStates)[number];

/** The same with what the account has. */
export const AccountDetails = component(
  "AccountDetails",
  Shape({
    ...fields,
    hasPassword: Type.Boolean({ description: "Whether it has a password, and not only signs in with Google" }),
    work: Nullable(OneOf(accountWork, { description: "What is being done to it in the background" })),
    quotas: Type.Array(Shape({ quota: OneOf(quotas), used: Type.Integer(), limit: Type.Integer() }), {
      description: "How much of each quota is used; bytes of trees and texts in steps of 64 KiB",
    }),
    sessions: Type.Array(Session.ref, { description: `The newest ${limits.pageSizeMax}` }),
    apiKeys: Type.Array(
      Shape({
        id: Id("apiKey"),
        prefix: Type.String({ description: "The first 12 characters of the plaintext" }),
        scopes: Type.Array(OneOf(scopeNames)),
        createdAt: Timestamp,
        lastUsedAt: Nullable(Timestamp),
        expiresAt: Nullable(Timestamp),
      }),
      { description: `Those that are not revoked, the newest ${limits.pageSizeMax}` },
    ),
    webhooks: Type.Array(
      Shape({
        id: Id("webhook"),
        host: Type.String({ description: "Host and port of its URL; the rest may be a secret" }),
        active: Type.Boolean(),
        createdAt: Timestamp,
      }),
    ),
  }),
);
export type AccountDetails = Static<typeof AccountDetails.schema>;

const Concerned = (description: string) =>
  Shape({ id: Id("user"), name: Type.String(), email: Type.String() }, { description });

/** An entry of the audit log, as administrators see it. */
export const InstanceEvent = component(
  "InstanceEvent",
  Shape({
    id: Id("auditEvent"),
    event: OneOf(identityEventNames, { description: "What happened" }),
    createdAt: Timestamp,
    user: OrNull(Concerned("Whose account; null: an attempt to sign in to one that does not exist")),
    actor: OrNull(
      Person("Who else did it: an administrator, or an admin of the team; null: the account itself, or the operator"),
    ),
    otherUser: OrNull(
      Concerned("Another account that it is about, such as who got the estimations, or who was removed from the team"),
    ),
    ip: Nullable(Type.String({ description: "IP address of the client" })),
    userAgent: Nullable(
      Type.String({ description: `User agent of the client, cut to ${USER_AGENT_LENGTH} characters` }),
    ),
    apiKeyId: Nullable({ ...Id("apiKey"), description: "The API key concerned" }),
  }),
);
export type InstanceEvent = Static<typeof InstanceEvent.schema>;

/** Which part of the service a process runs. */
const processRoles = ["all", "api", "worker"] as const;

/** How the instance is. */
export const InstanceStatus = component(
  "InstanceStatus",
  Shape({
    version: Type.String(),
    startedAt: Type.String({ format: "date-time", description: "When the process started that responds" }),
    uptimeSeconds: Type.Integer(),
    migrations: Type.Integer({ description: "Migrations that the database has" }),
    database: Shape({
      bytes: Type.Integer(),
      tables: Type.Array(Shape({ name: Type.String(), bytes: Type.Integer() }), {
        description: "With their indexes, by name; `graphile_worker` is the queue of jobs",
      }),
    }),
    queues: Type.Array(
      Shape({
        kind: Type.String(),
        due: Type.Integer({ description: "What is due and does not run yet, 10,000 at most" }),
        ageSeconds: Type.Integer({ description: "For how long the oldest is due" }),
      }),
      { description: "Jobs by their kind, and deliveries; without those that have nothing due" },
    ),
    failedDeliveries: Type.Integer({ description: "Deliveries that failed for good within the last 24 hours" }),
    lastMail: OrNull(
      Shape({
        at: Timestamp,
        fault: Nullable(Type.String({ description: "Why it was not sent; null: the mail server has taken it" })),
      }),
    ),
    backup: Shape({
      lastAt: Nullable(Timestamp),
      everyHours: Nullable(Type.Integer({ description: "null: the service makes none by itself" })),
    }),
    limits: Type.Array(Shape({ name: Type.String(), value: Type.Number() }), { description: "Those in effect" }),
    processes: Type.Array(
      Shape({
        id: Type.String({ description: "Made anew at each start" }),
        runs: OneOf(processRoles),
        connections: Type.Integer({ description: "Its connections to the database" }),
      }),
      { description: "Those with a connection to the database; a pooler in between hides them" },
    ),
  }),
);
export type InstanceStatus = Static<typeof InstanceStatus.schema>;

const one = Shape({ account: Account.ref });

const instant = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

const toUserId = Type.String({ description: "Id of who gets them: neither the same account, nor an administrator" });

export const admin = endpoints({
  listAccounts: {
    method: "GET",
    path: "/api/admin/users",
    summary: "List and search all accounts, newest first",
    access: "administrator",
    query: Shape({
      ...paging(limits.pageSize),
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.searchLength,
          pattern: "\\S",
          description: "What the name or the address contains; case is ignored",
        }),
      ),
      state: AnyOf(OneOf(accountStates), accountStates.length, "Only accounts in any of these states"),
    }),
    response: { status: 200, data: Shape({ accounts: Type.Array(Account.ref), nextCursor: NextCursor }) },
  },
  getAccount: {
    method: "GET",
    path: "/api/admin/users/:id",
    summary: "Read an account with its quotas in use, sessions, keys and webhooks",
    access: "administrator",
    response: { status: 200, data: Shape({ account: AccountDetails.ref }) },
  },
  disableAccount: {
    method: "POST",
    path: "/api/admin/users/:id/disable",
    summary: "Disable an account: its sessions and keys end, nothing is sent for it, its content stays",
    description:
      "Nobody can sign in to it, in any way, until it is enabled; its keys stay revoked. The account of an administrator is refused.",
    access: "administrator",
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
  enableAccount: {
    method: "POST",
    path: "/api/admin/users/:id/enable",
    summary: "Enable a disabled account",
    access: "administrator",
    response: { status: 200, data: one },
    errors: ["account_work_under_way"],
  },
  endAccountSessions: {
    method: "POST",
    path: "/api/admin/users/:id/end-sessions",
    summary: "End all sessions of an account; its keys stay valid",
    access: "administrator",
    response: { status: 200, data: Shape({}) },
  },
  sendResetLink: {
    method: "POST",
    path: "/api/admin/users/:id/send-reset-link",
    summary: "Mail the owner of an account a link to reset the password",
    description: "Nothing is mailed to a disabled account.",
    access: "administrator",
    response: { status: 202, data: Shape({}) },
  },
  handOverEstimations: {
    method: "POST",
    path: "/api/admin/users/:id/hand-over",
    summary: "Give all estimations of an account to another one, in the background",
    description:
      "It begins when the mails about this have been sent to both, whatever the quotas of the new owner. Deleted estimations and templates stay. The receiver must have a verified address, and be neither disabled nor an administrator. The account of an administrator is refused.",
    access: "administrator",
    body: Shape({ toUserId }),
    response: { status: 202, data: Shape({}) },
    errors: ["forbidden", "account_work_under_way"],
  },
  eraseAccount: {
    method: "POST",
    path: "/api/admin/users/:id/erase",
    summary: "Erase an account in the background, for good",
    description:
      "It is disabled at once, and erased when the mails about this have been sent to its owner and to the receiver. Without `toUserId` its estimations and templates are deleted, with it they are handed over. The account of an administrator is refused.",
    access: "administrator",
    body: Shape({
      email: { ...Email, description: "The address of the account, so that no other one is erased by mistake" },
      toUserId: Type.Optional(toUserId),
    }),
    response: { status: 202, data: Shape({}) },
    errors: ["forbidden", "account_work_under_way"],
  },
  listInstanceEvents: {
    method: "GET",
    path: "/api/admin/audit-log",
    summary: "List the audit log of all accounts, newest first",
    access: "administrator",
    query: Shape({
      ...paging(limits.pageSize),
      userId: Type.Optional(Type.String({ description: "Only what happened to this account" })),
      actorId: Type.Optional(
        Type.String({ description: "Only what this administrator, or admin of a team, did to others' accounts" }),
      ),
      event: AnyOf(OneOf(identityEventNames), limits.filterEvents, "Only these events"),
      from: instant("Only what happened at this time or later"),
      to: instant("Only what happened before this time"),
    }),
    response: { status: 200, data: Shape({ events: Type.Array(InstanceEvent.ref), nextCursor: NextCursor }) },
  },
  getInstanceStatus: {
    method: "GET",
    path: "/api/admin/status",
    summary: "Read how the instance is: database, queues, mail, backup, limits, processes",
    access: "administrator",
    response: { status: 200, data: Shape({ status: InstanceStatus.ref }) },
  },
});
