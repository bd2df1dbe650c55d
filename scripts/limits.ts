import { limits } from "../contract/limits.ts";
import { generatedPage, table } from "./markdown.ts";

type Sentences = Readonly<Partial<Record<keyof typeof limits, string>>>;

/** Limits that are said elsewhere: of bodies in `docs/security.md`, and the default of a setting. */
const elsewhere: readonly string[] = ["bodiesPerCallerBytes", "bodiesBytes", "auditLogDays"];

/** What users meet of each other limit. */
const groups: Readonly<Record<string, Sentences>> = {
  Requests: {
    bodyBytes: "Bytes that a body may have, except those of trees and under `/api/auth/`; beyond, 413.",
    treeBodyBytes: "Bytes that a body with a whole tree may have.",
    authBodyBytes: "Bytes that a body under `/api/auth/` may have.",
    bodyValues: "Values that a JSON body may have, counted by commas and opening brackets.",
    partBodyValues: "Values that a body with a part of a tree may have.",
    treeBodyValues: "Values that a body with a whole tree may have.",
    bodyDepth: "Levels that a JSON body may be nested.",
    headerBytes: "Bytes that the head of a request may have.",
    reportedFaults: "Faults that one response reports.",
    reportedProblems:
      "Problems of a tree, or conflicts of a merge, that are reported; the others show once these are fixed.",
    writeWaitSeconds:
      "Seconds that a write waits for earlier ones to the same record, or under the same key; then 503.",
    idempotencyKeyLength: "Characters of an `Idempotency-Key`.",
    idempotencyHours: "Hours in which a request with the same `Idempotency-Key` gets the first response.",
    pageSize: "Records on a page of a list, if `limit` is not set.",
    pageSizeInside: "The same in lists within an estimation.",
    pageSizeMax: "The largest `limit` of a list.",
    searchLength: "Characters of a text that is searched for.",
    filterTags: "Tags in one filter of a list.",
    eventStreamSeconds: "Seconds after which a stream of events ends; it may be opened again.",
    streamsPerUser: "Streams that a user may read at the same time (429).",
  },
  "Accounts and keys": {
    emailLength: "Characters of an e-mail address.",
    passwordLengthMin: "Characters that a password has at least.",
    passwordLengthMax: "Characters that a password has at most.",
    userNameLength: "Characters of a user's name.",
    sessionSeconds: "Seconds that a session token is valid; it can be renewed until then.",
    exchangeCodeSeconds: "Seconds in which the code of a sign-in with Google has to be exchanged.",
    mailedLinkSeconds: "Seconds that a link in a mail about the account is valid.",
    apiKeys: "API keys of one user; revoked ones do not count, expired ones do.",
    apiKeyNameLength: "Characters of a key's name.",
    revokedKeys: "Revoked keys of a user that are listed: the last ones.",
    revokedKeyDays: "Days for which they are listed.",
    usersFound: "Users that one search finds.",
    userSearchesPerMinute: "Searches for users by one user in a minute.",
  },
  "Sharing and reviews": {
    sharesPerEstimation: "Shares of one estimation, invitations included.",
    invitationDays: "Days that an invitation is valid after it was last sent.",
    invitationMailsPerDay: "Mails with an invitation in a day for one share, and from one sender to one address.",
    invitationMailsToAddressPerDay: "Mails with invitations to one address in a day; others join one mail a day later.",
    reviewsPerEstimation: "Reviews of one estimation, withdrawn ones included.",
    reviewRequestsPerMinute: "Requests for reviews by one user in a minute.",
    declinedReviewDays: "Days for which an owner cannot ask a user again who has declined a review.",
    verdictsPerMinute: "Verdicts of one kind by one user in a minute.",
    reviewNoteLength: "Characters of the note of a review.",
    commentsPerReview: "Comments on one review, replies included.",
    commentsPerAuthor: "Comments of one author on one review.",
    keptPerAuthor: "Comments or messages that an author may still write when others have used up the rest.",
    commentsPerMinute: "Comments and messages of one user in a minute.",
    commentLength: "Characters of a comment.",
    reviewMailsPerSenderAndDay: "Mails about reviews that one person causes to another in a day; more are not sent.",
    reviewMailsPerDay: "Mails about reviews to one reader in a day, half of them from strangers.",
  },
  "Estimations and trees": {
    titleLength:
      "Characters of the title of an estimation, a thread or a milestone, of a template's name or a version's label.",
    descriptionLength: "Characters of a description.",
    clientNameLength: "Characters of the client's name.",
    hourlyRateMax: "The largest hourly rate.",
    tags: "Tags of one estimation.",
    tagLength: "Characters of a tag.",
    treeBytes: "Bytes of a tree as JSON, with all ids.",
    treeDepth: "Levels of a tree.",
    treeNodes: "Nodes of a tree.",
    treeOptions: "Options of a tree.",
    nodeOptions: "Options of one node.",
    optionLinks: "Entries in `requires`, and in `excludes`, of one option.",
    treeLinks: "Entries in `requires` and `excludes` of all options of a tree.",
    newIds: "Ids of new nodes or options in one response.",
    trialOptions: "Options in `select` and `deselect` of one trial together.",
    optionHoursMax: "The most hours of an option.",
    quantityMax: "The largest quantity.",
    treeHoursMax: "Pessimistic hours of the most expensive selection that a tree allows.",
    nodeTitleLength: "Characters of the title of a node or an option.",
    unitLength: "Characters of a unit.",
    roleLength: "Characters of a role.",
    refLength: "Characters of a `ref`.",
    activityMinutes: "Minutes in which edits of one person are one entry of the activity.",
    activityEntries: "Entries of the activity that are retained: the newest.",
    templates: "Templates of one user.",
    templateBytes: "Bytes of one user's templates together.",
    instanceTemplates: "Templates of one user that every user may see.",
  },
  "Versions, threads and tasks": {
    versions: "Versions of one estimation.",
    percentForSubmitting: "Percent of them, and of their bytes, that are reserved for submitting.",
    comparedVersions: "Versions in one comparison.",
    comparedOptions: "Options of a node that a comparison shows.",
    mergeResolutions: "Decisions about conflicts in one request.",
    threads: "Threads of one estimation.",
    threadMessages: "Messages in all threads of one estimation.",
    threadMessagesPerAuthor: "Messages of one author among them.",
    messageLength: "Characters of a message.",
    generationsPerMinute: "Generations of tasks by one user in a minute.",
    obsoleteTasks: "Obsolete tasks of one estimation; beyond, tasks are not generated until some are deleted.",
    taskTitleLength: "Characters of a task's title.",
  },
  Timeline: {
    timelineYears: "Years that a schedule may take.",
    holidays: "Days off of one estimation.",
    dependencies: "Links between tasks.",
    lagHoursMax: "The largest lag of a link, in hours.",
    timeZoneLength: "Characters of the name of a time zone.",
    hoursPerDayMin: "The fewest working hours of a day.",
    focusFactorMin: "The smallest focus factor.",
    timelineRoles: "Roles of a timeline.",
    peoplePerRole: "People of one role.",
    milestones: "Milestones of one estimation.",
    milestoneNames: "Nodes, or tasks, that one milestone names.",
    forecastRuns: "Simulated schedules of a forecast; fewer of very large estimations.",
  },
  "Exports and suggestions": {
    connections: "Connections to trackers of one user.",
    connectionNameLength: "Characters of a connection's name.",
    connectionTokenLength: "Characters of a token for a tracker.",
    connectionChecksPerMinute: "Checks of connections by one user in a minute.",
    repositoryLength: "Characters of a repository's owner and name.",
    projectKeyLength: "Characters of a project's key.",
    issueTypeLength: "Characters of a type of issues.",
    trackerProjectsListed: "Projects or repositories of a tracker that are listed.",
    exports: "Exports of one user under way at the same time.",
    exportsPerConnection: "Exports by one connection under way at the same time; they take turns to write.",
    exportsPerEstimation: "Exports of one estimation that are retained, pulls and dry runs included: the newest.",
    exportDestinations: "Repositories and projects that the tasks of one estimation are exported to.",
    exportedTasks: "Issues that are remembered for one estimation; no export begins beyond.",
    exportedTasksPerOwner: "The same for all estimations of one owner, deleted ones included.",
    modelQuestionsPerMinute: "Questions to the language model by one user in a minute.",
  },
  Webhooks: {
    webhooks: "Webhooks of one user.",
    urlLength: "Characters of an address.",
    webhookDescriptionLength: "Characters of a webhook's description.",
    webhookFormerSecretHours: "Hours for which a replaced secret still signs together with the new one.",
    webhookFormerSecrets: "Replaced secrets that sign at the same time; older ones stop early.",
    webhookFailuresInARow: "Failed deliveries in a row after which a webhook is deactivated …",
    webhookFailingDays: "… if the first of them was at least so many days ago.",
    webhookResponseKeptBytes: "Bytes of a receiver's response, and of its headers, that the log shows.",
    deliveriesWaitingPerUser:
      "Deliveries that may wait for the webhooks of one user; beyond, requests of the user that would cause more are refused (429).",
  },
};

/** Returns the page of the limits that users meet. Throws where a limit has no sentence. */
export function limitPage(): string {
  const said = [...elsewhere, ...Object.values(groups).flatMap((sentences) => Object.keys(sentences))];
  const unsaid = Object.keys(limits).filter((name) => !said.includes(name));
  if (unsaid.length > 0) throw new Error(`Without a sentence: ${unsaid.join(", ")}`);
  return generatedPage(
    "Limits",
    "`contract/limits.ts` and `scripts/limits.ts`",
    "What users meet. Characters are Unicode code points. Limits that an operator can change are among the [settings](../settings.md).",
    ...Object.entries(groups).flatMap(([title, sentences]) => [
      `## ${title}`,
      table(
        ["Limit", "Value", "What it limits"],
        (Object.entries(sentences) as [keyof typeof limits, string][]).map(([name, sentence]) => [
          `\`${name}\``,
          limits[name].toLocaleString("en-US"),
          sentence,
        ]),
      ),
    ]),
  );
}
