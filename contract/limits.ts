/**
 * Every limit that a user of the API can meet, in one table. What only the program needs is a constant of the file that uses
 * it. Units stand last in the names; text lengths count Unicode code points.
 */
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
  /** Bytes of the bodies under way in one process, of one user or, without one, of an address; those beyond get 503 … */
  bodiesPerCallerBytes: 32 * 1024 * 1024,
  /** … and the same of all together. */
  bodiesBytes: 128 * 1024 * 1024,
  /** Nesting of a JSON body; the deepest legal tree needs about 50. */
  bodyDepth: 100,
  /** Faults reported in one response. */
  reportedFaults: 100,
  /** Problems of a tree, or conflicts of a merge, that are reported; the others show once these are fixed. */
  reportedProblems: 1_000,
  headerBytes: 16 * 1024,
  /** A stream of events ends after this time, as a session does. */
  eventStreamSeconds: 3_600,
  /** Streams that a user may read at the same time: one of each browser, and those of exports. */
  streamsPerUser: 8,
  /** Estimations that one stream follows. */
  livePlaces: 20,
  /** People in an estimation whom a stream names; more are only counted. */
  livePeople: 50,
  /** Changes that one event of a stream lists, the newest. */
  liveChanges: 20,
  /** A write that would wait longer for earlier ones to the same record, or under the same key, gets 503. */
  writeWaitSeconds: 5,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  pageSize: 20,
  pageSizeInside: 100,
  pageSizeMax: 100,

  emailLength: 254,
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  userNameLength: 200,
  urlLength: 2_048,
  apiKeyNameLength: 80,
  /** API keys of one user; revoked ones do not count, expired ones do. */
  apiKeys: 1_000,
  /** Revoked API keys of a user that are still listed, the last ones … */
  revokedKeys: 1_000,
  /** … and for how long. */
  revokedKeyDays: 90,
  /** A key's owner is mailed so long before it expires. */
  keyExpiryNoticeDays: 7,
  sessionSeconds: 3600,
  /** A session ends so long after its sign-in, however often it is renewed. */
  sessionDays: 30,
  /** Sessions of one user; with one more, the oldest ends. */
  sessions: 1_000,
  /** How old a sign-in may be for what administrators do. Renewals of the session do not count as one. */
  recentSignInSeconds: 900,
  /** Lifetime of an exchange code, including its last millisecond. */
  exchangeCodeSeconds: 60,
  /** Lifetime of a mailed link, including its last millisecond. */
  mailedLinkSeconds: 1_800,
  auditLogDays: 180,
  /** Notifications of one user that are kept, the newest … */
  notifications: 1_000,
  /** … of these, those that one person caused, the newest: nobody else can push out all others … */
  notificationsFromOne: 100,
  /** … and for how long. */
  notificationDays: 90,
  usersFound: 10,
  /** Searches for users by one user, in addition to the general limit. */
  userSearchesPerMinute: 30,

  /** A title of an estimation, a thread or a milestone, a name of a template or a team, a label of a version. */
  titleLength: 200,
  descriptionLength: 10_000,
  clientNameLength: 200,
  tags: 20,
  tagLength: 50,
  searchLength: 200,
  /** Tags in one filter of a list. */
  filterTags: 10,
  /** Views of the list, each with its filters, that one user has saved, … */
  savedFilters: 20,
  /** … the body that has all of them, … */
  preferencesBodyBytes: 128 * 1024,
  /** … and the name of one. */
  savedFilterNameLength: 60,
  /** Events in one filter of the audit log. */
  filterEvents: 20,
  sharesPerEstimation: 1_000,
  /** How long an invitation is valid after it was last sent, including its last millisecond. */
  invitationDays: 30,
  /** Invitation mails within any day for one share or one invitation to a team, and from one sender to one address. */
  invitationMailsPerDay: 3,
  /** Invitation mails to one address within any day. What is over joins one mail a day later. */
  invitationMailsToAddressPerDay: 10,
  /** Links to pages for clients of one estimation, including revoked ones … */
  linksPerEstimation: 200,
  /** … and what one of them shows, as JSON. */
  linkPageBytes: 512 * 1024,
  /** The largest step of the figures on such a page. */
  linkStepMax: 1_000_000,
  /** Other options that one address tries on one page for a client. */
  linkTrialsPerMinute: 60,
  /** What one address says on one such page: acceptances, and as many comments. */
  linkAnswersPerMinute: 60,
  /** Comments of clients on one page … */
  commentsPerLink: 100,
  /** … and characters of one of them, or of the note of an acceptance. */
  linkNoteLength: 2_000,
  /** Mails about what clients answer for one estimation within any day; beyond it, only acceptances are mailed. */
  linkMailsPerDay: 20,
  /** Teams that one person is a member of. */
  teams: 50,
  /** Members of one team, and invitations to it. */
  teamMembers: 500,
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
  /** Options that one request marks as viewed, or takes the mark of. */
  viewedPerRequest: 1_000,
  /** As far as the reviews of a list, and invitations that wait, are counted. */
  reviewsCounted: 1_000,
  commentLength: 10_000,
  /** Comments on one review, replies included. */
  commentsPerReview: 1_000,
  /** Those of one author among them. */
  commentsPerAuthor: 500,
  /**
   * Comments on a review, and messages in the threads, that each author may still write when others have used up the rest;
   * the owner may write all of one author.
   */
  keptPerAuthor: 20,
  /** Comments of one user, and messages in threads, in addition to the general limit: each may search a tree. */
  commentsPerMinute: 60,
  /** Mails about reviews that one person causes to another within any day; more are not sent. */
  reviewMailsPerSenderAndDay: 20,
  /** The same from everybody to one reader. Of either, half may be mails from strangers (`mail-store.ts`). */
  reviewMailsPerDay: 100,
  /** Rounds of estimating together of one estimation, including closed ones, … */
  roundsPerEstimation: 100,
  /** … the people who are asked in one, … */
  roundParticipants: 50,
  /** … and the options that they estimate. */
  roundOptions: 500,
  /** How far away a deadline may be. */
  roundDays: 366,
  /** Rounds that one user opens, in addition to the general limit: each may ask many people. */
  roundsPerMinute: 60,
  /** Note of one estimate, … */
  roundNoteLength: 1_000,
  /** … and all notes of one person in one round, in UTF-8. */
  roundNotesBytes: 32 * 1024,
  /** People, finished tasks of each of them, and of all together, from which on an owner sees how well estimates of rounds held. */
  calibratedPeople: 5,
  calibratedTasksEach: 3,
  calibratedTasks: 30,
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
  /** Characters of one result of a tool for language models; of a longer one, the rest comes with the next calls. */
  toolResultCharacters: 50_000,
  /** A spreadsheet that is imported … */
  sheetFileBytes: 10 * 1024 * 1024,
  /** … what is read of a workbook when it is unpacked … */
  sheetUnpackedBytes: 40 * 1024 * 1024,
  /** … its rows, without empty ones in a workbook … */
  sheetRows: 20_000,
  /** … and its columns: what is in others is not read. */
  sheetColumns: 200,
  /** Rows that the preview of an import lists. */
  previewedRows: 2_000,
  /** Ids of new nodes or options that one request gets. */
  newIds: 1_000,
  /** Options in `select` and `deselect` of one request together. */
  trialOptions: 100,
  /**
   * Generations of tasks by one user, in addition to the general limit: each is an event, and so up to one delivery for
   * each of the user's webhooks.
   */
  generationsPerMinute: 60,
  /** Obsolete tasks of one estimation: no generation makes more. None is removed by itself, because each holds what people entered. */
  obsoleteTasks: 20_000,
  /** Templates of one user … */
  templates: 500,
  /** … their total size … */
  templateBytes: 256 * 1024 * 1024,
  /** … and how many of them every user may see. */
  instanceTemplates: 20,
  /** Threads of one estimation. */
  threads: 100,
  /** Messages of all threads of one estimation. */
  threadMessages: 2_000,
  /** Those of one author among them. */
  threadMessagesPerAuthor: 500,
  messageLength: 4_000,
  mergeResolutions: 5_000,
  /** Versions in one comparison. */
  comparedVersions: 5,
  /** Options of a node that a comparison shows. */
  comparedOptions: 10,
  /** Versions of one estimation. */
  versions: 5_000,
  /** Of these, and of the bytes of all versions of an owner, reserved for submitting: other versions cannot make it impossible. */
  percentForSubmitting: 10,
  /** Edits of one person within so many minutes are one entry of the activity. */
  activityMinutes: 10,
  /** Activity entries that are retained for an estimation: the newest. */
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

  /** Simulated schedules of a forecast; fewer of very large estimations (`runsFor`). */
  forecastRuns: 10_000,
  /** Forecasts of one proposal for a milestone. */
  proposalForecasts: 50,

  /** Years of holidays that are read at once. */
  holidayYears: 10,

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
  /** Exports of one estimation, pulls and dry runs included, that are retained: the newest. */
  exportsPerEstimation: 50,
  /** Exports by one connection that are under way at the same time, of all estimations. They take turns to write. */
  exportsPerConnection: 10,
  /** Exports of one user under way at the same time. */
  exports: 100,
  /** Connections to trackers of one user. */
  connections: 50,
  connectionNameLength: 100,
  /** Checks of connections by one user, in addition to the general limit: each asks a tracker. */
  connectionChecksPerMinute: 30,
  connectionTokenLength: 1_000,
  /** Resolutions of Jira that mean that work was not done, of one connection; Jira's own names have 60 characters at most. */
  droppedResolutions: 50,
  resolutionNameLength: 100,

  /** Finished tasks whose estimates are compared with what they took, and the estimations that are searched for them: the newest. */
  accuracyTasks: 1_000,
  accuracyEstimations: 1_000,
  /** Fewer tasks than this with a range say nothing about ranges. */
  accuracyTasksMin: 10,
  /** Months and roles for which the comparison is made on their own. */
  accuracyMonths: 36,
  accuracyRoles: 30,

  /** Estimations that are added up, and how many of them can be named: their ids have to fit into an address. */
  portfolioEstimations: 500,
  portfolioIds: 200,
  portfolioPeople: 1_000,

  /** Questions to the language model by one user. */
  modelQuestionsPerMinute: 10,

  /**
   * Deliveries to the webhooks of one user that may wait for their turn; beyond this number, requests of the user that
   * would cause more are refused.
   */
  deliveriesWaitingPerUser: 10_000,
  /** Webhooks of one user. */
  webhooks: 100,
  webhookDescriptionLength: 500,
  /** How long a replaced signing secret still signs together with the new one. */
  webhookFormerSecretHours: 24,
  /** Replaced secrets that sign at the same time; older ones stop early. */
  webhookFormerSecrets: 3,
  /** A webhook is deactivated when this many deliveries in a row have failed, … */
  webhookFailuresInARow: 10,
  /** … the first of them at least this long ago. */
  webhookFailingDays: 3,
  /** Bytes of a response's body that the log keeps, and as many of its headers (names and values). */
  webhookResponseKeptBytes: 4 * 1024,
} as const;
