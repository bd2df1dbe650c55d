/** Every limit of the surface in one table. Units stand last in the names; text lengths count Unicode code points. */
export const limits = {
  bodyBytes: 1024 * 1024,
  treeBodyBytes: 16 * 1024 * 1024,
  /** A body under `/api/auth/`, where most requests need no account. */
  authBodyBytes: 16 * 1024,
  /** Values of a JSON body, counted by its commas and opening brackets. */
  bodyValues: 20_000,
  /** Values of a body that sends a part of a tree back. */
  partBodyValues: 100_000,
  /** Values of a whole tree: the largest legal one has 270,000, and its `problems` may be sent back with it. */
  treeBodyValues: 420_000,
  /**
   * Bytes that the requests of one user or, without one, of an address hold in one process at the same time: of their
   * bodies, and of large trees that they work on. Those beyond wait, unless it is a single one …
   */
  memoryPerCallerBytes: 8 * 1024 * 1024,
  /** … and the same of all together. */
  memoryBytes: 128 * 1024 * 1024,
  /** A request counts once against the limit per minute, once more for each this many bytes of body and answer … */
  requestUnitBytes: 128 * 1024,
  /** … once more for each this many milliseconds that it takes … */
  requestUnitMs: 100,
  /** … and once more for each this many milliseconds of long computations, so that a user gets a tenth of a processor. */
  requestComputedUnitMs: 5,
  /** Answers of this size and more are compressed where the client asks for it. */
  compressedBytes: 1024,
  /** Nesting of a JSON body; the deepest legal tree needs about 50. */
  bodyDepth: 100,
  /** Faults reported in one answer. */
  reportedFaults: 100,
  /** Problems of a tree that are reported; the others show once these are fixed. */
  reportedProblems: 1_000,
  headerBytes: 16 * 1024,
  /** A stream of lines ends after this time; its reader may open it again. */
  streamSeconds: 60,
  /** A stream of events ends after this time, as a session does. */
  eventStreamSeconds: 3_600,
  /** Interval at which a stream of events shows that it is alive, and its caller's credential is checked again. */
  heartbeatSeconds: 15,
  /** Streams that a user may read at the same time. */
  streamsPerUser: 4,
  /** A write that would wait longer for earlier ones to the same record, or under the same key, or for memory, gets 503. */
  writeWaitSeconds: 5,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  /** Bytes of a response that are kept for a replay; of a larger one, ids and small fields. */
  replayBytes: 64 * 1024,
  /** The same for all responses to a user in a day, counted by each process. */
  replayBytesPerUser: 64 * 1024 * 1024,
  pageSize: 20,
  pageSizeInside: 100,
  pageSizeMax: 100,
  cursorLength: 500,

  emailLength: 254,
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  userNameLength: 200,
  avatarUrlLength: 2_048,
  apiKeyNameLength: 80,
  /** Revoked API keys of a user that are still listed, the last ones. */
  revokedKeys: 1_000,
  sessionSeconds: 3600,
  exchangeCodeBytes: 32,
  /** Lifetime of an exchange code, including its last millisecond. */
  exchangeCodeSeconds: 60,
  /** Lifetime of a mailed link, including its last millisecond. */
  mailedLinkSeconds: 1_800,
  /** Characters of a title or a name in a mail; more are cut. */
  mailedTextLength: 80,
  userAgentLength: 500,
  auditLogDays: 180,
  usersFound: 10,
  /** Searches for users by one user, in addition to the general limit. */
  userSearchesPerMinute: 30,

  titleLength: 200,
  descriptionLength: 10_000,
  clientNameLength: 200,
  tags: 20,
  tagLength: 50,
  searchLength: 200,
  /** Tags in one filter of a list. */
  filterTags: 10,
  sharesPerEstimation: 1_000,
  /** How long an invitation is valid after it was last sent, including its last millisecond. */
  invitationDays: 30,
  /** Invitation mails for one share within any day. */
  invitationMailsPerDay: 3,
  /** Invitation mails to one address within any day: from one sender, and in all. What is over joins one mail a day later. */
  invitationMailsFromSenderPerDay: 3,
  invitationMailsToAddressPerDay: 10,
  /** Invitations accepted at one sign-in; the next accepts the others. */
  invitationsAtSignIn: 50,
  /** Reviews of one estimation, including withdrawn ones. */
  reviewsPerEstimation: 1_000,
  reviewNoteLength: 2_000,
  /** How long an owner cannot ask a user who has declined a review, including the last millisecond. */
  declinedReviewDays: 30,
  /**
   * Requests of one user for reviews, in addition to the general limit: each reveals whether an address has an account.
   */
  reviewRequestsPerMinute: 60,
  /** Verdicts of one kind by one user, in addition to the general limit: each is an event. */
  verdictsPerMinute: 30,
  commentLength: 10_000,
  /** Comments on one review, replies included. */
  commentsPerReview: 1_000,
  /** Those of one author among them. */
  commentsPerAuthor: 500,
  /**
   * Comments that each author may still write when others have used up the rest; the owner may write
   * `commentsPerAuthor`.
   */
  commentsKeptPerAuthor: 20,
  /** Comments of one user, and messages in threads, in addition to the general limit: each may search a tree. */
  commentsPerMinute: 60,
  /** Mails about reviews that one person causes to another within any day; more are not sent. */
  reviewMailsPerSenderAndDay: 20,
  /** The same from everybody to one reader. */
  reviewMailsPerDay: 100,
  /** The same two for mails from strangers: about an estimation whose owner the reader has not reviewed for lately. */
  strangersMailsPerSenderAndDay: 10,
  strangersMailsPerDay: 50,
  hourlyRateMax: 1_000_000,

  nodeTitleLength: 500,
  /** A node's title, a colon and a space, an option's title. */
  taskTitleLength: 1_002,
  unitLength: 50,
  roleLength: 100,
  refLength: 100,
  treeDepth: 12,
  treeNodes: 2_000,
  treeOptions: 10_000,
  nodeOptions: 200,
  /** Entries in `requires` or in `excludes` of one option. */
  optionLinks: 200,
  /** Entries in `requires` and `excludes` of all options of a tree. */
  treeLinks: 20_000,
  /** A stored tree with full ids: half of `treeBodyBytes`, so that a tree that was read can be sent back. */
  treeBytes: 8 * 1024 * 1024,
  /** Lines of an outline to import. */
  outlineLines: 1_000_000,
  /** Options in `select` and `deselect` of one request together. */
  trialOptions: 100,
  /**
   * Generations of tasks by one user, in addition to the general limit: each is an event, and so up to one delivery for
   * each of the user's webhooks.
   */
  generationsPerMinute: 60,
  /** Obsolete tasks of one estimation: no generation makes more. None is removed by itself, because each holds what people entered. */
  obsoleteTasks: 20_000,
  versionLabelLength: 200,
  /** Threads of one estimation. */
  threads: 100,
  threadTitleLength: 200,
  /** Messages of all threads of one estimation. */
  threadMessages: 2_000,
  /** Those of one author among them. */
  threadMessagesPerAuthor: 500,
  /**
   * Messages that each author may still write when others have used up the rest; the owner may write
   * `threadMessagesPerAuthor`.
   */
  threadMessagesKeptPerAuthor: 20,
  messageLength: 4_000,
  mergeResolutions: 5_000,
  /** Versions in one comparison. */
  comparedVersions: 5,
  /** Options of a node that a comparison shows. */
  comparedOptions: 10,
  /** Versions of one estimation. */
  versions: 5_000,
  /** How many of these are reserved for submitting, so that other versions cannot make it impossible. */
  versionsForSubmitting: 500,
  /** The same for the bytes of all versions of an owner. */
  versionPercentForSubmitting: 10,
  /** Conflicts of a merge that are reported; the others show once these are decided. */
  reportedConflicts: 1_000,
  templateNameLength: 200,
  /** Edits of one person within so many minutes are one entry of the activity. */
  activityMinutes: 10,
  /** Activity entries that are kept for an estimation: the newest. */
  activityEntries: 5_000,
  optionHoursMax: 100_000,
  quantityMax: 10_000,
  /**
   * Pessimistic hours of the most expensive selection that a tree allows. 10,000 options at the limits of hours and
   * quantity reach it exactly, so only quantities multiplied through nesting exceed it. Below it, a double holds
   * hundredths of an hour as exact integers.
   */
  treeHoursMax: 10_000_000_000_000,

  /** The longest schedule. */
  timelineYears: 50,
  holidays: 1_000,
  /** Links between tasks. */
  dependencies: 5_000,
  lagHoursMax: 100_000,
  timeZoneLength: 64,
  hoursPerDayMin: 0.25,
  focusFactorMin: 0.05,
  timelineRoles: 100,
  peoplePerRole: 100,
  /** Milestones of one estimation. */
  milestones: 50,
  /** Nodes, or tasks, that one milestone names. */
  milestoneNames: 200,

  /** Simulated schedules of a forecast, … */
  forecastRuns: 10_000,
  /** … fewer where all of them would take more steps than this: see `runsFor`. */
  forecastSteps: 500_000_000,
  /** How long the answer to a stored change waits for what is computed afterwards. */
  fillSeconds: 5,

  /** An owner of 39 characters, a slash, and a name of 100. */
  repositoryLength: 140,
  projectKeyLength: 100,
  issueTypeLength: 100,
  /** Projects or repositories of a tracker that are listed. */
  trackerProjectsListed: 100,
  /** Repositories and projects that the tasks of one estimation are exported to. */
  exportDestinations: 20,
  /**
   * Issues that are remembered for the tasks of one estimation, in all destinations together, including those of former
   * tasks: no export begins beyond this number.
   */
  exportedTasks: 200_000,
  /** The same for all estimations of one owner, those in the trash included. */
  exportedTasksPerOwner: 500_000,
  /** Exports of one estimation, pulls and dry runs included, that are kept: the newest … */
  exportsPerEstimation: 50,
  /** … as long as they have no more tasks than this together; the newest in any case. */
  exportItemsPerEstimation: 100_000,
  /** Exports by one connection that are under way at the same time, of all estimations. They take turns to write. */
  exportsPerConnection: 10,
  /**
   * Steps of one user's exports that a worker does at the same time: their trackers may be slow while other users wait.
   */
  exportStepsAtOnce: 8,
  /** The same of all users: half of what a worker does at the same time. Once half of these are taken, each user has one. */
  exportStepsOfAll: 20,
  connectionNameLength: 100,
  /** Checks of connections by one user, in addition to the general limit: each asks a tracker. */
  connectionChecksPerMinute: 30,
  /** Requests of one user, of all kinds, that wait for a tracker at the same time. */
  connectionChecksAtOnce: 4,
  connectionUrlLength: 2_048,
  connectionTokenLength: 1_000,

  /** Bytes of a tracker's answer; a longer one is requested again in smaller parts, where possible. */
  trackerAnswerBytes: 4 * 1024 * 1024,
  /** Values of such an answer, counted by its commas and opening brackets; one with more counts as longer. */
  trackerAnswerValues: 100_000,
  /** For all requests of a check or a list, for which somebody waits; … */
  trackerAskSeconds: 15,
  /** … of an export for one request to a tracker, … */
  trackerTimeoutSeconds: 30,
  /** … for one that creates many issues, which a tracker makes one after the other, … */
  trackerBulkTimeoutSeconds: 120,
  /** … and for all requests of one write: it reads before, writes, and asks why it was refused. */
  trackerWriteSeconds: 200,

  /** Finished tasks that a suggestion rests on, the newest. */
  suggestionTasks: 50_000,
  /** Memory that each process takes to keep finished tasks ready; the least recently used are dropped. */
  suggestionCacheBytes: 256 * 1024 * 1024,
  /** Readers whose finished tasks each process reads from the database at the same time, … */
  evidenceAtOnce: 2,
  /** … and readers that wait for that. */
  evidenceWaiting: 32,
  /**
   * From this many finished tasks of one reader on, what is computed from them is stored for processes that start
   * later, …
   */
  suggestionStoredTasks: 500,
  /** … of at most this many bytes, … */
  suggestionStoredBytes: 64 * 1024 * 1024,
  /** … and for this many readers, the most recent ones. */
  suggestionStoredReaders: 100,
  /** Questions to the language model by one user a minute, … */
  modelQuestionsPerMinute: 10,
  /** … of those at the same time, … */
  modelQuestionsPerUser: 2,
  /** … and at the same time by each process, for all users. */
  modelQuestionsAtOnce: 16,
  /** A question that was not answered is not asked again for this long. */
  modelPauseSeconds: 60,
  /** Answers of the language model that are kept for each user, the newest. */
  modelAnswersPerUser: 500,
  /** Bytes of a response of the language model. */
  modelAnswerBytes: 256 * 1024,
  /** Estimations whose suggestions are compared with actual hours, the newest. */
  suggestionsCompared: 1_000,

  /**
   * Deliveries to the webhooks of one user that may wait for their turn; beyond this number, requests of the user that
   * would cause more are refused.
   */
  deliveriesWaitingPerUser: 10_000,
  webhookUrlLength: 2_048,
  webhookDescriptionLength: 500,
  /** How long a replaced signing secret still signs together with the new one. */
  webhookFormerSecretHours: 24,
  /** Replaced secrets that sign at the same time; older ones stop early. */
  webhookFormerSecrets: 3,
  /** A webhook is deactivated when this many deliveries in a row have failed, … */
  webhookFailuresInARow: 10,
  /** … the first of them at least this long ago. */
  webhookFailingDays: 3,
  webhookResponseReadBytes: 64 * 1024,
  webhookResponseKeptBytes: 4 * 1024,
  /** Bytes of an answer's headers (names and values) that the log keeps. */
  webhookResponseHeaderKeptBytes: 4 * 1024,
} as const;
