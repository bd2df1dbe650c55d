/** What is stored about a person in one table. */
export interface PersonTable {
  /** SQL condition of the rows; `$1` is the person's id, `$2` the address. */
  readonly where: string;
  /** Columns that are not exported, beside those of bytes, which are hashes and encrypted: secrets, and what is derived. */
  readonly omitted?: readonly string[];
  /** SQL condition of rows that are not exported. */
  readonly withheld?: string;
  /** SQL by which rows are ordered; without it, as they are stored. */
  readonly order?: string;
  /** Columns that are exported only of rows whose `user_id` is the person: they say what somebody else does. */
  readonly ownOnly?: readonly string[];
  /**
   * What erasing does. `remove`: the rows go. `keep`: they stay, and point to an account without name and address. `step`: a
   * step of its own in `person-erasure.ts`.
   */
  readonly erasing: "remove" | "keep" | "step";
}

const ofUser = (erasing: PersonTable["erasing"]): PersonTable => ({ where: "user_id = $1", erasing });
const OWN_ESTIMATIONS = "estimation_id in (select id from estimations where owner_id = $1)";
/** The content of the person's own estimations, which goes with them. */
const content: PersonTable = { where: OWN_ESTIMATIONS, erasing: "step" };
const OWN_WEBHOOKS = "select id from webhooks where user_id = $1";

/** By an address it is also who accepted its share, whatever the present address is. */
export const ASKED_IN_ROUNDS = `user_id = $1 or email = $2 or (round_id, email) in (
  select r.id, s.email from rounds r join shares s on s.estimation_id = r.estimation_id where s.user_id = $1)`;

/** Every table with something about people. A test compares it with the columns of the database. */
export const personTables: Readonly<Record<string, PersonTable>> = {
  users: { where: "id = $1", omitted: ["password_hash", "token_version"], erasing: "step" },
  identities: ofUser("remove"),
  sessions: ofUser("remove"),
  mailed_tokens: ofUser("remove"),
  exchange_codes: ofUser("remove"),
  api_keys: ofUser("remove"),
  audit_events: { where: "user_id = $1 or actor_id = $1 or other_user_id = $1", erasing: "step" },
  // Responses that are kept for a day, to be sent again. What they say is in the records, or nobody else's to read.
  idempotency_keys: { ...ofUser("remove"), withheld: "true" },
  notifications: {
    where: "user_id = $1 or actor_id = $1",
    // It goes to who has not answered in a round that is open, which whoever makes the export may not learn.
    withheld: "kind = 'round.due'",
    ownOnly: ["read_at"],
    erasing: "remove",
  },
  // So that nobody else's invitation is mailed to who has refused them.
  refused_mails: { where: "address_hash = sha256(convert_to($2, 'UTF8'))", erasing: "keep" },
  preferences: ofUser("remove"),
  sent_invitations: ofUser("remove"),
  invitation_mails: { where: "sender_id = $1", erasing: "remove" },

  estimations: { where: "owner_id = $1", erasing: "step" },
  estimation_usage: { where: "owner_id = $1", erasing: "remove" },
  // By the column that has an index.
  estimation_readers: { where: "holder_id = $1 and user_id = $1", erasing: "step" },
  decision_trees: content,
  timelines: content,
  tasks: content,
  threads: content,
  version_snapshots: content,
  versions: { where: `author_id = $1 or ${OWN_ESTIMATIONS}`, erasing: "keep" },
  thread_messages: { where: "author_id = $1 or resolved_by_id = $1", erasing: "keep" },
  activity_entries: { where: "person_id = $1", erasing: "step" },
  client_links: { where: "creator_id = $1", erasing: "keep" },
  client_answers: { where: `email = $2 or ${OWN_ESTIMATIONS}`, erasing: "step" },
  shares: { where: `user_id = $1 or email = $2 or sharer_id = $1`, erasing: "step" },
  reviews: { where: "reviewer_id = $1 or requester_id = $1", erasing: "step" },
  viewed_options: { where: "review_id in (select id from reviews where reviewer_id = $1)", erasing: "remove" },
  review_comments: { where: "author_id = $1 or resolved_by_id = $1", erasing: "keep" },
  review_declines: { where: "reviewer_id = $1 or owner_id = $1", erasing: "remove" },
  review_mails: { where: "reader_id = $1 or sender_id = $1", erasing: "remove" },
  rounds: { where: "opener_id = $1", erasing: "keep" },
  // What was said in a round that is still open is nobody else's to read, also not that of who makes this export.
  round_participants: {
    where: ASKED_IN_ROUNDS,
    omitted: ["answers", "waits"],
    // Where rows are stored would tell who has begun.
    order: "round_id, position",
    erasing: "step",
  },
  round_estimates: ofUser("keep"),
  adopted_hours: ofUser("keep"),
  live_streams: ofUser("remove"),
  live_places: { where: "stream_id in (select id from live_streams where user_id = $1)", erasing: "remove" },
  templates: { where: "owner_id = $1", erasing: "step" },

  connections: ofUser("remove"),
  export_runs: ofUser("keep"),
  export_ledger: content,
  suggestion_feedback: ofUser("remove"),
  model_responses: ofUser("remove"),
  stored_evidence: { ...ofUser("remove"), omitted: ["facts"] },

  team_members: ofUser("step"),
  team_invitations: { where: "email = $2 or inviter_id = $1", erasing: "step" },

  webhooks: { ...ofUser("step"), omitted: [] },
  webhook_deliveries: { where: `webhook_id in (${OWN_WEBHOOKS})`, omitted: ["lease"], erasing: "step" },
  webhook_attempts: {
    where: `delivery_id in (select id from webhook_deliveries where webhook_id in (${OWN_WEBHOOKS}))`,
    erasing: "step",
  },
  webhook_events: {
    where: `id in (select event_id from webhook_deliveries where webhook_id in (${OWN_WEBHOOKS}))`,
    erasing: "step",
  },
  webhook_owners: ofUser("remove"),
  webhook_spreads: { where: "sender_id = $1 or user_ids @> array[$1]", omitted: ["user_ids"], erasing: "keep" },
};

/** Every other table, with the reason why it is not exported and what becomes of it. */
export const otherTables: Readonly<Record<string, string>> = {
  estimation_listings: "derived from estimations and readers, and removed with them",
  estimation_texts: "derived from estimations and readers, and removed with them",
  teams: "a name that its members share",
  text_usage: "a number of an estimation",
  removed_tree_ids: "ids in an estimation",
  reviewed_contents: "hashes of an estimation",
  task_totals: "numbers of an estimation",
  round_options: "options of a round, and what came of them without names",
  held_invitations: "removed with the share or the invitation to a team; has a hash of the address",
  template_uses: "that a template was added to an estimation, removed with either",
  connection_paces: "removed with the connection",
  export_items: "results of an export, removed with it",
  stored_evidence_parts: "removed with what it is of",
  webhook_former_secrets: "secrets, removed with the webhook",
  webhook_health: "numbers of a webhook, removed with it",
  webhook_recoveries: "orders of a webhook, removed with it",
  try_counts: "hashes under a key, gone within an hour",
  request_counts: "hashes under a key, gone within a day",
  known_sign_ins: "hashes under a key, gone after 90 days",
  finished_sign_ins: "hashes, gone within minutes",
  job_leases: "jobs under way, gone with their end; those about an account that was erased do nothing",
  instance_keys: "of the instance",
  instance_state: "of the instance",
  secret_marks: "of the instance",
};
