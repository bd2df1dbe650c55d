import Type, { type Static, type TProperties, type TSchema } from "typebox";
import { Nullable, OneOf, Shape, Timestamp } from "./shapes.ts";
import type { Fault } from "./values/faults.ts";
import { conflicts, mergeHeads } from "./values/merge-conflicts.ts";
import { roundStatuses } from "./values/round-statuses.ts";
import { estimationStatuses, moves } from "./values/statuses.ts";
import { Problem } from "./values/tree.ts";

/**
 * Every error that the service responds with, declared once. Clients match on `message`: it is the key, except where the
 * specification fixes a sentence. `code` is set where the specification names one.
 */
interface ErrorRow {
  readonly status: number;
  readonly when: string;
  readonly message?: string;
  readonly code?: string;
  /** What usually helps, as text for people; a response may give a more precise text. */
  readonly hint?: string;
  /** Schema of `details`. Facts that are not always present are optional. */
  readonly details?: TSchema;
  /** The error has at least one row in `errors`, with these columns in addition to those of every fault. */
  readonly columns?: TProperties;
  /** Example of what a response has beside the message. */
  readonly example?: {
    readonly details?: object;
    readonly errors?: readonly (Fault & Readonly<Record<string, unknown>>)[];
  };
}

/** Everything that an error declares must have an example. */
type Exemplified = ErrorRow &
  ({ readonly details?: never; readonly columns?: never } | { readonly example: NonNullable<ErrorRow["example"]> });

/** Quotas per user: settings, or limits of the same name. */
export const quotas = [
  "estimations",
  "treeBytes",
  "versionBytes",
  "textBytes",
  "templates",
  "templateBytes",
  "instanceTemplates",
  "apiKeys",
  "webhooks",
  "connections",
  "exports",
  "teams",
] as const;
export type Quota = (typeof quotas)[number];

/** Quotas per estimation, per connection, per team, or per owner without a setting. */
export const estimationLimits = [
  "teamMembers",
  "sharesPerEstimation",
  "linksPerEstimation",
  "linkPageBytes",
  "commentsPerLink",
  "versions",
  "milestones",
  "threads",
  "threadMessages",
  "threadMessagesPerAuthor",
  "commentsPerAuthor",
  "reviewsPerEstimation",
  "commentsPerReview",
  "roundsPerEstimation",
  "roundNotesBytes",
  "exportsPerConnection",
  "exportedTasks",
  "exportedTasksPerOwner",
  "obsoleteTasks",
] as const;
export type EstimationLimit = (typeof estimationLimits)[number];

const { nodeId, optionId, problem, remedy } = Problem.schema.properties;

export const errors = {
  validation_failed: {
    status: 400,
    example: { errors: [{ path: "/title", in: "body", code: "required", message: "is required" }] },
    when: "A part of the request does not fit its schema or a rule; `errors` has one row per fault",
    columns: {
      at: Type.Optional(Type.String({ description: "JSON pointer into the stored record, if the fault is there" })),
      line: Type.Optional(Type.Integer({ description: "Line of an imported file, counted from 1" })),
    },
  },
  invalid_json: { status: 400, when: "The body is not JSON in valid UTF-8" },
  bad_request: {
    status: 400,
    when: "The request is not valid HTTP, names no host, or has a URL that cannot be decoded",
  },
  invalid_exchange_code: {
    status: 400,
    code: "INVALID_EXCHANGE_CODE",
    when: "The exchange code is unknown, expired or already consumed, or the user's sessions were revoked since",
  },
  invalid_reset_token: {
    status: 400,
    when: "The token of a link to reset the password is unknown, used, replaced or expired",
  },
  invalid_verification_token: {
    status: 400,
    when: "The token of a link to confirm an e-mail address is unknown, used, replaced or expired, or the address is confirmed already",
  },
  reviewer_is_owner: { status: 400, when: "The owner of an estimation cannot be asked to review it" },
  webhook_url_must_be_https: { status: 400, when: "The address of a webhook is not HTTPS" },
  authorization_missing: {
    status: 401,
    message: "Missing or invalid authorization header",
    hint: "Send `Authorization: Bearer …` with a session token or an API key.",
    when: "No Authorization header, or not a Bearer one",
  },
  api_key_invalid: {
    status: 401,
    hint: "No key has this text. Check that all of it was copied, and that it was not rotated since.",
    when: "The API key is unknown, malformed, revoked or expired",
  },
  token_invalid: {
    status: 401,
    message: "Invalid or expired token",
    hint: "Sign in with `POST /api/auth/login`, and send the token that it returns.",
    when: "The session token is malformed, forged or expired",
  },
  token_revoked: {
    status: 401,
    code: "TOKEN_REVOKED",
    hint: "A logout, or a new password, has ended all sessions: sign in again.",
    when: "The session token was revoked by a logout, a change or a reset of the password",
  },
  invalid_credentials: { status: 401, when: "The e-mail address or the password is wrong" },
  account_disabled: {
    status: 403,
    hint: "Ask whoever runs this instance.",
    when: "An administrator has disabled the account, so nobody can sign in to it",
  },
  recent_sign_in_required: {
    status: 403,
    example: { details: { signedInAt: "2026-01-31T09:00:00.000Z" } },
    hint: "Sign in again; renewing a session does not count.",
    when: "What administrators do needs a sign-in within the last 15 minutes; `details.signedInAt` is that of this session",
    details: Shape({ signedInAt: Timestamp }),
  },
  api_key_insufficient_scope: {
    status: 403,
    example: { details: { requiredScope: "tasks:write" } },
    when: "The API key lacks the scope in `details.requiredScope`",
    details: Shape({
      requiredScope: Type.Unsafe<string | readonly string[]>({
        type: ["string", "array"],
        items: { type: "string" },
        description: "The scope, or a list of scopes if any one of them is enough",
      }),
    }),
  },
  session_token_required: {
    status: 403,
    hint: "API keys may not do this. Sign in with `POST /api/auth/login`, and send the token that it returns.",
    when: "An API key was used where a session token is required",
  },
  forbidden: {
    status: 403,
    example: {},
    when: "The caller may see this but not do it; `details.reason` may say why",
    details: Shape({ reason: Type.Optional(OneOf(["email_not_verified", "administrator"])) }),
  },
  reviewer_declined: {
    status: 403,
    example: { details: { until: "2026-12-24T09:00:00.000Z" } },
    hint: "Talk to them, or ask somebody else.",
    when: "The user has declined a review of this owner, who cannot ask that user again before `details.until`",
    details: Shape({ until: Timestamp }),
  },
  registration_closed: {
    status: 403,
    example: {},
    when: "This instance does not accept registrations, or not from the domain of this address; `details.reason` says which",
    details: Shape({ reason: Type.Optional(OneOf(["domain"])) }),
  },
  google_sign_in_disabled: { status: 404, when: "This instance is not configured for signing in with Google" },
  not_found: {
    status: 404,
    example: {},
    when: "The record does not exist, or the caller may not see it; if the path does not exist, `details.reason` says so",
    details: Shape({ reason: Type.Optional(OneOf(["unknown_path"])) }),
  },
  method_not_allowed: {
    status: 405,
    when: "The path does not support this method; `Allow` lists those that it supports",
  },
  request_timeout: { status: 408, when: "The request did not arrive in time, or its body arrives too slowly" },
  email_taken: { status: 409, when: "Another account has this e-mail address" },
  limit_reached: {
    status: 409,
    example: { details: { quota: "webhooks", limit: 20 } },
    when: "The quota `details.quota` is used up: at most `details.limit`. It belongs to the owner of the estimation (in a transfer the new owner), to the caller, to the estimation, to the connection, or to the team. In an estimation of somebody else, at most half of its owner's quota can be filled",
    details: Shape({ quota: OneOf([...quotas, ...estimationLimits]), limit: Type.Integer() }),
  },
  account_work_under_way: {
    status: 409,
    example: { details: { work: "handing_over" } },
    when: "The account or the receiver takes part in a hand-over or an erasure that is under way; `details.work` says in which",
    hint: "Wait until it is done.",
    details: Shape({ work: OneOf(["handing_over", "erasing"]) }),
  },
  estimation_locked: {
    status: 409,
    example: { details: { status: "submitted" } },
    when: "The request would change the content of an estimation that is not a draft; `details.status` is its state",
    hint: "Reopen the estimation first, which makes it a draft again.",
    details: Shape({ status: OneOf(estimationStatuses) }),
  },
  invalid_transition: {
    status: 409,
    example: { details: { status: "draft", allowed: ["submit"] } },
    when: "The state of the estimation, `details.status`, does not allow this transition; `details.allowed` lists those that it allows",
    details: Shape({ status: OneOf(estimationStatuses), allowed: Type.Array(OneOf(moves)) }),
  },
  tree_incomplete: {
    status: 409,
    example: {
      errors: [
        {
          path: "/nodes/0",
          in: "tree",
          code: "incomplete",
          message: "Select 1 option of “Payment”.",
          nodeId: "nod_01k6z0c9v3e8rbt5w2yq4nmhxd",
          optionId: null,
          problem: "too_few_selected",
          remedy: "Select 1 option of “Payment”.",
        },
      ],
    },
    when: "The decision tree has problems, or nothing in it counts, or a client could not answer it; `errors` has one row per problem",
    hint: "Fix each row of `errors` as its `remedy` says, then submit again.",
    columns: { nodeId, optionId, problem, remedy },
  },
  template_empty: {
    status: 409,
    when: "The estimation has no nodes, so there is nothing to make a template of",
    hint: "Add a node to its tree first.",
  },
  head_moved: {
    status: 409,
    example: { details: { headVersionId: "ver_01k6z0c9v3e8rbt5w2yq4nmhxd" } },
    when: "The latest version is not the expected one: it is `details.headVersionId` (in a merge, or when one is undone, of the thread `details.threadId`)",
    hint: "Somebody has made a version since: compare with it, then send its id as the expected one.",
    details: Shape({ headVersionId: Nullable(Type.String()), threadId: Type.Optional(Type.String()) }),
  },
  merge_conflict: {
    status: 409,
    example: {
      details: {
        heads: { from: "ver_01k6z0c9v3e8rbt5w2yq4nmhxd", into: "ver_01k6z0d2m7f9sct6x3zr5pnjye" },
        conflicts: [
          {
            id: "opt_01k6z0b8k2d7qas4v1xp3mkgwc.quantity.9f3c2a1b5d7e0c42",
            kind: "changed",
            target: "option",
            thingId: "opt_01k6z0b8k2d7qas4v1xp3mkgwc",
            title: "Screens",
            field: "quantity",
            base: 8,
            into: { value: 10, hoursDelta: 12 },
            from: { value: 6, hoursDelta: -12 },
            things: [],
            rule: null,
          },
        ],
      },
    },
    when: "Both threads changed the same thing, or their changes together break a rule: `details.conflicts` lists what has to be decided",
    hint: "Decide each conflict in `resolutions` by its id, and send the request again.",
    details: Shape({ conflicts, heads: mergeHeads }),
  },
  thread_not_open: {
    status: 409,
    example: { details: { status: "closed" } },
    when: "The thread is closed or merged; `details.status` says which",
    hint: "Open the thread first: PATCH it with the status `open`.",
    details: Shape({ status: OneOf(["closed", "merged", "open"]) }),
  },
  thread_in_use: {
    status: 409,
    example: { details: { reason: "current" } },
    when: "Main and the current thread can be neither closed nor deleted; `details.reason` says which it is",
    hint: "Switch to another thread first. Main cannot be closed or deleted.",
    details: Shape({ reason: OneOf(["main", "current"]) }),
  },
  review_moved: {
    status: 409,
    example: { details: { versionId: "ver_01k6z0c9v3e8rbt5w2yq4nmhxd" } },
    when: "The review was requested again since, and is now about another version: `details.versionId`",
    hint: "Read that version, then decide again.",
    details: Shape({ versionId: Type.String() }),
  },
  review_withdrawn: {
    status: 409,
    when: "The review was withdrawn: it can be neither decided nor commented",
    hint: "Ask the owner of the estimation to request a new review.",
  },
  round_not_open: {
    status: 409,
    example: { details: { status: "revealed" } },
    when: "The round was revealed or closed: its estimates do not change any more; `details.status` says which",
    hint: "Open another round.",
    details: Shape({ status: OneOf(roundStatuses) }),
  },
  round_not_revealed: {
    status: 409,
    example: { details: { status: "open" } },
    when: "The estimates of the round are not shown, or it was closed since; `details.status` says which",
    hint: "Reveal it first. Of a round that was closed, open a new one.",
    details: Shape({ status: OneOf(roundStatuses) }),
  },
  round_too_few: {
    status: 409,
    example: { details: { answered: 1, needed: 2 } },
    when: "Only `details.answered` participants have answered, and `details.needed` are needed to reveal the round",
    hint: "Wait for more, or close the round.",
    details: Shape({ answered: Type.Integer(), needed: Type.Integer() }),
  },
  round_answer_missing: {
    status: 409,
    example: { details: { remaining: 3 } },
    when: "You are asked too, and have not answered `details.remaining` options yet: who has seen the others' estimates cannot estimate apart from them",
    hint: "Estimate or skip the remaining options first.",
    details: Shape({ remaining: Type.Integer() }),
  },
  round_agreed: {
    status: 409,
    when: "There is nothing to estimate again: people agree about every option that is still there",
    hint: "Name the options in `optionIds`, or adopt the estimates.",
  },
  round_option_changed: {
    status: 409,
    example: { details: { optionId: "opt_01k6z0b8k2d7qas4v1xp3mkgwc", reason: "changed" } },
    when: "The option `details.optionId` is not any more what was estimated: it was changed since the round was opened, or is gone; `details.reason` says which",
    hint: "Undo the change, or open another round of it.",
    details: Shape({ optionId: Type.String(), reason: OneOf(["changed", "gone"]) }),
  },
  api_key_revoked: { status: 409, when: "A revoked key cannot be rotated or changed" },
  invitation_accepted: { status: 409, when: "The invitation was already accepted, so it cannot be sent again" },
  invitation_expired: {
    status: 409,
    when: "The invitation was last sent too long ago",
    hint: "Ask the person who invited you to send the invitation again.",
  },
  rate_missing: {
    status: 409,
    when: "The link shows a price, and the estimation has no rate",
    hint: "Set the rate of the estimation first, or show hours.",
  },
  rate_would_show: {
    status: 409,
    example: { details: { linkId: "lnk_01k6z0c9v3e8rbt5w2yq4nmhxd" } },
    when: "The link would show a price where `details.linkId` shows hours, or the other way round: together they tell the rate",
    hint: "Revoke the other link, or send `confirmRate` if the client may know the rate.",
    details: Shape({ linkId: Type.String() }),
  },
  link_revoked: {
    status: 409,
    when: "The link was revoked: it can be neither changed nor published",
    hint: "Make a new one.",
  },
  proposal_changed: {
    status: 409,
    example: { details: { edition: 2 } },
    when: "Something newer was published meanwhile: `details.edition`",
    hint: "Read it again, then decide.",
    details: Shape({ edition: Type.Integer() }),
  },
  proposal_accepted: {
    status: 409,
    when: "The proposal has been accepted: it cannot be accepted again, and what it shows does not change any more",
  },
  choices_fixed: { status: 409, when: "The link allows no other options than those that are shown" },
  acceptance_missing: { status: 409, when: "Nobody has accepted the proposal of the link yet" },
  link_expired: {
    status: 410,
    example: { details: { expiredAt: "2026-01-31T09:30:00.000Z" } },
    when: "The address was right, and the page has expired at `details.expiredAt`",
    hint: "Ask whoever sent you the address.",
    details: Shape({ expiredAt: Timestamp }),
  },
  already_member: { status: 409, when: "The address belongs to a member of the team" },
  last_admin: {
    status: 409,
    when: "The team would have no admin left",
    hint: "Make another member an admin first, or delete the team.",
  },
  delivery_under_way: { status: 409, when: "The delivery has not ended yet, so it cannot be sent again" },
  webhook_inactive: { status: 409, when: "The webhook is inactive; activate it first" },
  export_in_progress: {
    status: 409,
    example: { details: { exportId: "exp_01k6z0c9v3e8rbt5w2yq4nmhxd" } },
    when: "An export of this estimation to the same tracker is under way: `details.exportId`",
    hint: "Wait until it has ended, or cancel it.",
    details: Shape({ exportId: Type.String() }),
  },
  export_ended: { status: 409, when: "The export has ended, so it cannot be cancelled" },
  export_not_resumable: {
    status: 409,
    when: "The export is under way, or all its tasks are done, so there is nothing to resume",
    hint: "To try failed tasks again, start a new export with `retryOf`.",
  },
  tasks_missing: {
    status: 409,
    when: "The estimation has no open tasks, or every task of the export to be retried has an issue",
    hint: "Generate the tasks first.",
  },
  idempotency_key_reused: {
    status: 409,
    when: "The Idempotency-Key was already used for a different request",
    hint: "Use a new key for each new request, and the same key only to repeat an identical request.",
  },
  request_under_way: {
    status: 409,
    when: "The first request with this Idempotency-Key has not ended yet; `Retry-After` says when to try again",
  },
  outcome_unknown: {
    status: 409,
    when: "The first request with this Idempotency-Key was interrupted; what it does outside this service may or may not have been done",
    hint: "Check whether it was done. If not, send the request with a new key.",
  },
  response_not_stored: {
    status: 409,
    example: { details: { status: 200, etag: '"7"', kept: { optionId: "opt_01k6z0c9v3e8rbt5w2yq4nmhxd" } } },
    when: "The request with this Idempotency-Key was carried out once, and its response was too large to store. `details` has the status and the `ETag` of that response, and what was stored of its `data`: fields that are small, and the ids of records",
    hint: "Do not send it with a new key: read the record instead.",
    details: Shape({
      status: Type.Integer(),
      etag: Nullable(Type.String()),
      kept: Type.Record(Type.String(), Type.Unknown()),
    }),
  },
  revision_mismatch: {
    status: 412,
    example: { details: { revision: 7 } },
    when: "`If-Match` does not name the current revision, which is in `details.revision`",
    hint: "Somebody changed it since: read it again, apply your change and send its `ETag`.",
    details: Shape({ revision: Type.Integer() }),
  },
  payload_too_large: {
    status: 413,
    example: { details: { limitBytes: 1_048_576 } },
    when: "The body is larger than `details.limitBytes`, or its chunk extensions are too large",
    details: Shape({ limitBytes: Type.Optional(Type.Integer()) }),
  },
  unsupported_media_type: { status: 415, when: "The body is not `application/json`, not in UTF-8, or compressed" },
  rate_limited: {
    status: 429,
    example: { details: { policy: "default", until: "2026-01-31T09:30:15.000Z" } },
    details: Shape({
      policy: Type.Optional(
        Type.String({
          description:
            "Which limit, as the header `RateLimit-Policy` names it; left out where too much is under way at the same time",
        }),
      ),
      until: Type.Optional(Type.String({ format: "date-time", description: "When to try again" })),
    }),
    when: "Too many requests, too many large bodies or streams at the same time, or too many deliveries waiting to be sent; `details.policy` says which limit, `details.until` and `Retry-After` until when",
  },
  header_fields_too_large: { status: 431, when: "The headers are larger than the service reads" },
  transfer_coding_unknown: {
    status: 501,
    when: "`Transfer-Encoding` names a coding before `chunked`, such as `gzip, chunked`; where `chunked` is not the last, the request is no valid HTTP (400)",
    hint: "Send the body as it is, in chunks or with a `Content-Length`.",
  },
  internal_error: { status: 500, when: "A fault of the service; find it in the log by the request id" },
  service_unavailable: {
    status: 503,
    when: "The database cannot be reached or does not respond in time, the service is overloaded, or it is stopping. A write may have been carried out; repeating it with the same Idempotency-Key does not do it twice",
  },
} as const satisfies Record<string, Exemplified>;

export type ErrorKey = keyof typeof errors;

type RowOf<K extends ErrorKey> = (typeof errors)[K];

/** `details` of error `K`; undefined if it has none. */
export type DetailsOf<K extends ErrorKey> =
  RowOf<K> extends { readonly details: infer S extends TSchema } ? Static<S> : undefined;

/** The additional columns of `errors` in error `K`. */
export type ColumnsOf<K extends ErrorKey> =
  RowOf<K> extends { readonly columns: infer P extends TProperties }
    ? Static<ReturnType<typeof Type.Object<P>>>
    : unknown;

/** The `message` of error `K`. */
export type MessageOf<K extends ErrorKey> = RowOf<K> extends { readonly message: infer M extends string } ? M : K;

/** The `code` that the specification gives error `K`; undefined if it gives none. */
export type CodeOf<K extends ErrorKey> = RowOf<K> extends { readonly code: infer C extends string } ? C : undefined;

/** URL of the explanation of an error in the reference. */
export const errorAnchor = (key: ErrorKey): string => `error-${key}`;

export const errorKeys = Object.keys(errors) as ErrorKey[];

/** The row of an error with `message` filled in. */
export function errorRow(key: ErrorKey): ErrorRow & { readonly message: string } {
  const row: ErrorRow = errors[key];
  return { ...row, message: row.message ?? key };
}
