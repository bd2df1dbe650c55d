import { USES_SEARCHED } from "../contract/endpoints/templates.ts";
import type { EstimationLimit, Quota } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { RETAINED_ITEMS } from "../server/features/exports/old-runs-store.ts";
import { ADOPTED_KEPT } from "../server/features/rounds/adopted-store.ts";
import { STORED_BYTES, STORED_READERS } from "../server/features/suggestions/evidence-store.ts";
import { RESPONSES_PER_USER } from "../server/features/suggestions/model/response-store.ts";
import { REPLAY_BYTES, REPLAY_BYTES_PER_DAY } from "../server/http/idempotency.ts";

/** How the rows of a table end. */
export type End =
  /** Together with the rows of another table that they refer to. */
  | { readonly with: string }
  /** A periodic job of this name removes them in small batches, which it finds by this index. */
  | { readonly after: string; readonly job: string; readonly index: string }
  /** In another way, in words. */
  | { readonly by: string };

/** What is stored in a table, and until when. */
export interface Retention {
  /** What a row is. */
  readonly holds: string;
  /** What keeps their number small: limits, settings, or what they belong to. */
  readonly bound: string;
  /** The quotas of it: whatever adds a row reserves room in one of them. */
  readonly quotas?: readonly (Quota | EstimationLimit)[];
  readonly ends: End;
}

const count = (value: number): string => value.toLocaleString("en-US");
const estimation = { with: "estimations" } as const;
const deletedEstimations = {
  after: "`DELETED_ESTIMATION_RETENTION_DAYS` after the deletion",
  job: "remove-deleted-estimations",
} as const;
const texts = "the texts of all such tables: four times `MEBIBYTES_PER_USER` of the owner";
const oldDeliveries = { after: "`WEBHOOK_RETENTION_DAYS`", job: "remove-old-webhook-deliveries" } as const;

/**
 * What every table stores, what bounds it, and what removes it. A new table needs a row here: a test compares this with the
 * database, and the page `docs/reference/retention.md` is made from it.
 */
export const retention: Readonly<Record<string, Retention>> = {
  users: {
    holds: "an account",
    bound: "`REGISTRATION`, `REGISTRATION_DOMAINS`, and the limits of registering",
    ends: { by: "never: [erasing](../keys-and-people.md#erasing-a-person) one leaves it without name and address" },
  },
  identities: {
    holds: "an account's identity at an OpenID provider",
    bound: "one for each account and provider",
    ends: { by: "when its account is erased" },
  },
  sessions: {
    holds: "a browser or program that is signed in",
    bound: `\`sessions\` (${count(limits.sessions)}) of each user; with one more, the oldest ends`,
    ends: { after: "an hour without a renewal", job: "forget-tries", index: "sessions_by_expiry" },
  },
  preferences: {
    holds: "how the web application looks to a user",
    bound: "one for each account",
    ends: { by: "when its account is erased" },
  },
  mailed_tokens: {
    holds: "the newest mailed link of an account for a purpose",
    bound: "two for each account",
    ends: {
      after: `${limits.mailedLinkSeconds / 60} minutes`,
      job: "forget-tries",
      index: "mailed_tokens_by_expiry",
    },
  },
  teams: {
    holds: "a team",
    bound: `\`teams\` (${limits.teams}) of each member; a deleted one stays until nothing is shared with it any more`,
    quotas: ["teams"],
    ends: { after: "an admin deleted it, within some hours", job: "remove-deleted-teams", index: "teams_ended" },
  },
  team_members: {
    holds: "that a person belongs to a team",
    bound: `\`teamMembers\` (${limits.teamMembers}) of each team, invitations included`,
    quotas: ["teamMembers"],
    ends: { by: "when the person leaves, or the team or the account ends" },
  },
  team_invitations: {
    holds: "an invitation to a team",
    bound: `\`teamMembers\` (${limits.teamMembers}) of each team, members included`,
    quotas: ["teamMembers"],
    ends: { by: "when it is accepted, declined or withdrawn, or the team ends" },
  },
  try_counts: {
    holds: "a count of failed passwords or requested mails",
    bound: "the limits of each address and account, which are counted here",
    ends: { after: "the window of the count", job: "forget-tries", index: "try_counts_by_reset" },
  },
  request_counts: {
    holds: "a count of the requests of a user or an address, of all or of some endpoints",
    bound: "each needs a request; what is counted is kept from growing by the limits themselves",
    ends: { after: "the window of the count", job: "forget-tries", index: "request_counts_by_end" },
  },
  known_sign_ins: {
    holds: "an address from which an account was opened",
    bound: "each needs a sign-in",
    ends: { after: "90 days", job: "forget-tries", index: "known_sign_ins_by_age" },
  },
  exchange_codes: {
    holds: "a one-time code of a sign-in",
    bound: "each needs a sign-in at the provider",
    ends: {
      after: `${limits.exchangeCodeSeconds} seconds`,
      job: "remove-expired-sign-ins",
      index: "exchange_codes_by_expiry",
    },
  },
  finished_sign_ins: {
    holds: "a sign-in that a browser has come back from",
    bound: "each needs a sign-in that was begun here",
    ends: { after: "its time to finish", job: "remove-expired-sign-ins", index: "finished_sign_ins_by_expiry" },
  },
  api_keys: {
    holds: "an API key",
    bound: `\`apiKeys\` (${count(limits.apiKeys)}) of each user, and the last ${count(limits.revokedKeys)} that were revoked`,
    quotas: ["apiKeys"],
    ends: {
      after: `${limits.revokedKeyDays} days after it was revoked`,
      job: "remove-revoked-api-keys",
      index: "api_keys_by_revocation",
    },
  },
  audit_events: {
    holds: "an entry of the audit log",
    bound: "the limit of requests",
    ends: { after: "`AUDIT_LOG_RETENTION_DAYS`", job: "remove-old-audit-events", index: "audit_events_by_age" },
  },
  idempotency_keys: {
    holds: "the response to a POST with an `Idempotency-Key`",
    bound: `${REPLAY_BYTES / 1024} KiB each, ${REPLAY_BYTES_PER_DAY / 1024 ** 2} MiB of a user in a day`,
    ends: { after: `${limits.idempotencyHours} hours`, job: "forget-responses", index: "idempotency_keys_by_age" },
  },
  notifications: {
    holds: "what a user is notified of",
    bound: `the newest ${count(limits.notifications)} (\`notifications\`) of each user`,
    ends: {
      after: `${limits.notificationDays} days`,
      job: "remove-old-notifications",
      index: "notifications_by_age",
    },
  },
  refused_mails: {
    holds: "a kind of mail that an address does not take",
    bound: "one for each address and kind; each needs a link that was mailed there, or an account",
    ends: { by: "when its owner takes these mails again" },
  },
  sent_invitations: {
    holds: "the times of a user's invitations within the last hour",
    bound: "one for each account, `INVITATIONS_PER_HOUR` times in it",
    ends: { by: "when its account is erased; times before the last hour go with the next invitation" },
  },

  estimations: {
    holds: "an estimation",
    bound: `\`ESTIMATIONS_PER_USER\`, and as many deleted ones; each text is short, the longest has ${count(limits.descriptionLength)} characters`,
    quotas: ["estimations"],
    ends: { ...deletedEstimations, index: "estimations_by_deletion" },
  },
  estimation_usage: {
    holds: "how much an owner has, for the quotas",
    bound: "one for each account",
    ends: { by: "when its account is erased" },
  },
  text_usage: {
    holds: "how many bytes the texts of an estimation take, for the quota",
    bound: "one for each estimation",
    ends: estimation,
  },
  estimation_readers: {
    holds: "a person, or a team, that may read an estimation",
    bound: `\`sharesPerEstimation\` (${count(limits.sharesPerEstimation)}) and \`reviewsPerEstimation\` (${count(limits.reviewsPerEstimation)}) of each estimation`,
    ends: estimation,
  },
  estimation_listings: {
    holds: "an estimation in the list of a person or a team, with and without each tag",
    bound: `\`tags\` (${limits.tags}) and one more for each person and team`,
    ends: { with: "estimation_readers" },
  },
  estimation_texts: {
    holds: "what a search finds an estimation by",
    bound: "one for each estimation",
    ends: estimation,
  },
  decision_trees: {
    holds: "the tree of an estimation",
    bound: `\`treeBytes\` (${limits.treeBytes / 1024 ** 2} MiB) each, \`MEBIBYTES_PER_USER\` of a user`,
    quotas: ["treeBytes"],
    ends: estimation,
  },
  timelines: {
    holds: "the timeline of an estimation with its milestones",
    bound: "one for each estimation; a large one counts against `MEBIBYTES_PER_USER`",
    ends: estimation,
  },
  removed_tree_ids: {
    holds: "the id of a removed node or option that does not prove itself where it belongs",
    bound: "only trees from before ids prove that can have them",
    ends: estimation,
  },
  reviewed_contents: {
    holds: "hashes of what the reviews of an estimation are about",
    bound: "one for each estimation",
    ends: estimation,
  },
  tasks: {
    holds: "a task",
    bound: `the options of the tree, and \`obsoleteTasks\` (${count(limits.obsoleteTasks)}) of each estimation; ${texts}`,
    quotas: ["textBytes"],
    ends: estimation,
  },
  task_totals: {
    holds: "what the tasks of an estimation amount to",
    bound: "one for each estimation",
    ends: estimation,
  },
  versions: {
    holds: "a version",
    bound: `\`versions\` (${count(limits.versions)}) of each estimation; ${texts}`,
    quotas: ["versions"],
    ends: estimation,
  },
  version_snapshots: {
    holds: "the content of versions",
    bound: "four times `MEBIBYTES_PER_USER`",
    quotas: ["versionBytes"],
    ends: estimation,
  },
  threads: {
    holds: "a thread",
    bound: `\`threads\` (${limits.threads}) of each estimation; the first version makes the first one`,
    quotas: ["threads", "versions"],
    ends: estimation,
  },
  thread_messages: {
    holds: "a message of a thread",
    bound: `\`threadMessages\` (${count(limits.threadMessages)}) of each estimation; ${texts}`,
    quotas: ["threadMessagesPerAuthor"],
    ends: estimation,
  },
  review_declines: {
    holds: "that a user declined a review of an owner, the last time",
    bound: "one for each reviewer and owner, each needs a review that was asked for",
    ends: { by: `after ${limits.declinedReviewDays} days, with the next one of the same reviewer` },
  },
  reviews: {
    holds: "a request for a review",
    bound: `\`reviewsPerEstimation\` (${count(limits.reviewsPerEstimation)}); ${texts}`,
    quotas: ["reviewsPerEstimation"],
    ends: estimation,
  },
  viewed_options: {
    holds: "an option that a reviewer has marked as viewed",
    bound: `\`treeOptions\` (${count(limits.treeOptions)}) of each review`,
    ends: { with: "reviews" },
  },
  review_comments: {
    holds: "a comment",
    bound: `\`commentsPerReview\` (${count(limits.commentsPerReview)}); ${texts}`,
    quotas: ["commentsPerAuthor"],
    ends: { with: "reviews" },
  },
  review_mails: {
    holds: "a mail about a review",
    bound: `\`reviewMailsPerDay\` (${limits.reviewMailsPerDay}) to each reader; those of earlier days go with the next one`,
    ends: { with: "reviews" },
  },
  rounds: {
    holds: "a round in which several people estimate",
    bound: `\`roundsPerEstimation\` (${limits.roundsPerEstimation}) of each estimation; ${texts}`,
    quotas: ["roundsPerEstimation"],
    ends: estimation,
  },
  round_options: {
    holds: "an option that is estimated in a round",
    bound: `\`roundOptions\` (${limits.roundOptions}) of each round; ${texts}`,
    ends: { with: "rounds" },
  },
  round_participants: {
    holds: "somebody who is asked in a round, and until it ends what they said",
    bound: `\`roundParticipants\` (${limits.roundParticipants}) of each round, with \`roundNotesBytes\` (${limits.roundNotesBytes / 1024} KiB) of notes each`,
    ends: { with: "rounds" },
  },
  round_estimates: {
    holds: "an estimate that was revealed",
    bound: `one for each participant and option of a round, with \`roundNotesBytes\` (${limits.roundNotesBytes / 1024} KiB) of notes of each participant`,
    ends: { with: "rounds" },
  },
  adopted_hours: {
    holds: "which rounds an option was given hours by",
    bound: `${ADOPTED_KEPT} for each option that was ever in a round of the estimation`,
    ends: estimation,
  },
  shares: {
    holds: "a share, or an invitation to one",
    bound: `\`sharesPerEstimation\` (${count(limits.sharesPerEstimation)})`,
    quotas: ["sharesPerEstimation"],
    ends: estimation,
  },
  client_links: {
    holds: "a link to a page for a client, with what the page shows",
    bound: `\`linksPerEstimation\` (${limits.linksPerEstimation}) of each estimation, \`linkPageBytes\` (${limits.linkPageBytes / 1024} KiB) each; ${texts}`,
    quotas: ["linksPerEstimation"],
    ends: estimation,
  },
  client_answers: {
    holds: "an acceptance or a comment on a page for a client",
    bound: `one acceptance and \`commentsPerLink\` (${limits.commentsPerLink}) of each link; ${texts}`,
    quotas: ["commentsPerLink", "textBytes"],
    ends: estimation,
  },
  invitation_mails: {
    holds: "a mail with an invitation, by a hash of its address",
    bound: `\`invitationMailsToAddressPerDay\` (${limits.invitationMailsToAddressPerDay}) to each address`,
    ends: { after: "a day", job: "forget-invitation-mails", index: "invitation_mails_by_age" },
  },
  held_invitations: {
    holds: "an invitation that is mailed together with others",
    bound: "one for each share and each invitation to a team",
    ends: { by: "with its share, or its invitation to a team" },
  },
  activity_entries: {
    holds: "an entry of the activity",
    bound: `the newest ${count(limits.activityEntries)} (\`activityEntries\`) of each estimation`,
    ends: estimation,
  },
  live_streams: {
    holds: "a stream of news that is open",
    bound: `\`streamsPerUser\` (${limits.streamsPerUser}) of each user`,
    ends: { by: "when it ends; those of a process that died, after a minute, by any that has streams open" },
  },
  live_places: {
    holds: "an estimation that a stream follows, and where in it its user is",
    bound: `\`livePlaces\` (${limits.livePlaces}) of each stream`,
    ends: { with: "live_streams" },
  },
  template_uses: {
    holds: "that a template was added to an estimation",
    bound: `the newest ${count(USES_SEARCHED)} of each template, one for each estimation`,
    ends: estimation,
  },
  templates: {
    holds: "a template",
    bound: `\`templates\` (${limits.templates}) and \`templateBytes\` (${limits.templateBytes / 1024 ** 2} MiB) of each user`,
    quotas: ["templates"],
    ends: { by: "when its owner deletes it" },
  },

  connections: {
    holds: "a connection to a tracker",
    bound: `\`connections\` (${limits.connections}) of each user`,
    quotas: ["connections"],
    ends: { by: "when its user deletes it" },
  },
  connection_paces: {
    holds: "the pace of the writes by a connection",
    bound: "one for each connection",
    ends: { with: "connections" },
  },
  export_runs: {
    holds: "an export, a pull or a dry run",
    bound: `the newest ${limits.exportsPerEstimation} (\`exportsPerEstimation\`) of each estimation; older ones go with the next one`,
    quotas: ["exports"],
    ends: estimation,
  },
  export_items: {
    holds: "a task of one of them",
    bound: `${count(RETAINED_ITEMS)} of each estimation, and the newest run`,
    ends: { with: "export_runs" },
  },
  export_ledger: {
    holds: "what is known of the issue of a task in a tracker",
    bound: `\`exportedTasks\` (${count(limits.exportedTasks)}) of each estimation, \`exportedTasksPerOwner\` (${count(limits.exportedTasksPerOwner)}) of each owner, and what the exports under way then add`,
    ends: estimation,
  },

  suggestion_feedback: {
    holds: "a person's verdict about the suggestion for an estimation",
    bound: "the latest of each person",
    ends: estimation,
  },
  model_responses: {
    holds: "a question to the language model, with its response",
    bound: `the newest ${RESPONSES_PER_USER} of each user`,
    ends: estimation,
  },
  stored_evidence: {
    holds: "what was computed from the finished tasks that a user may read",
    bound: `of the last ${STORED_READERS} readers, ${STORED_BYTES / 1024 ** 2} MiB each`,
    ends: { by: "with any of the estimations that it is about, or when others take its place" },
  },
  stored_evidence_parts: { holds: "its bytes", bound: "as `stored_evidence`", ends: { with: "stored_evidence" } },

  webhooks: {
    holds: "a webhook",
    bound: `\`webhooks\` (${limits.webhooks}) of each user`,
    quotas: ["webhooks"],
    ends: { after: "soon after the deletion", job: "remove-deleted-webhooks", index: "webhooks_deleted" },
  },
  webhook_former_secrets: {
    holds: "a replaced signing secret",
    bound: `${limits.webhookFormerSecrets} (\`webhookFormerSecrets\`) of each webhook, for ${limits.webhookFormerSecretHours} hours`,
    ends: { with: "webhooks" },
  },
  webhook_health: {
    holds: "how deliveries to a webhook end",
    bound: "one for each webhook",
    ends: { with: "webhooks" },
  },
  webhook_recoveries: {
    holds: "an order to send failed deliveries again, until it is carried out",
    bound: "each covers deliveries that no other one does",
    ends: { with: "webhooks" },
  },
  webhook_events: {
    holds: "an event that a webhook subscribes to",
    bound: "the limit of requests",
    ends: { ...oldDeliveries, index: "webhook_events_pkey" },
  },
  webhook_deliveries: {
    holds: "an event for a webhook",
    bound: `\`deliveriesWaitingPerUser\` (${count(limits.deliveriesWaitingPerUser)}) that wait, \`WEBHOOK_DELIVERIES_PER_MINUTE\``,
    ends: { ...oldDeliveries, index: "webhook_deliveries_pkey" },
  },
  webhook_attempts: {
    holds: "an attempt of a delivery, with the response",
    bound: `\`WEBHOOK_MAX_ATTEMPTS\` of each delivery, ${limits.webhookResponseKeptBytes / 1024} KiB of body and headers each`,
    ends: { with: "webhook_deliveries" },
  },
  webhook_owners: {
    holds: "how many deliveries are under way for an account",
    bound: "one for each account with webhooks",
    ends: { by: "when its account is erased" },
  },
  webhook_spreads: {
    holds: "receivers of an event who are still to get their deliveries",
    bound: "one event of a sender is spread at a time; the others wait here, at the limit of requests",
    ends: { by: "when all have got them" },
  },

  job_leases: {
    holds: "a job that has not ended: a mail, a step of an export, a removal",
    bound: "the limits of what causes jobs",
    ends: { by: "when the job has ended; a job that fails, after 25 runs over some four days" },
  },
  instance_keys: {
    holds: "a key that the instance made for itself, encrypted",
    bound: "one for each purpose",
    ends: { by: "never" },
  },
  instance_state: {
    holds: "when the last backup was made, and whether sending is held",
    bound: "one",
    ends: { by: "never" },
  },
  secret_marks: { holds: "a mark of a secret of the instance", bound: "one for each secret", ends: { by: "never" } },
};
