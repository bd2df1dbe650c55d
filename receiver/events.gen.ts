// Generated from contract/events.ts: npm run generate

/** An owner requests a review. Despite its name, submitting an estimation does not send it. */
export interface EstimationSubmittedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The reviewer who is asked. */
  readonly reviewerId: string;
  /** Name of the owner. */
  readonly ownerName: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the review in the web application. */
  readonly reviewUrl: string;
}

/** A reviewer approves. */
export interface EstimationApprovedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The reviewer who decided. */
  readonly reviewerId: string;
  /** Name of that reviewer. */
  readonly reviewerName: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the estimation in the web application. */
  readonly estimationUrl: string;
}

/** A reviewer requests changes. */
export interface EstimationChangesRequestedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The reviewer who decided. */
  readonly reviewerId: string;
  /** Name of that reviewer. */
  readonly reviewerName: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the estimation in the web application. */
  readonly estimationUrl: string;
}

/** Tasks were generated, again or for the first time; once per run, after they are stored. */
export interface EstimationTasksGeneratedData {
  /** The estimation. */
  readonly estimationId: string;
  /** Open tasks after the run. */
  readonly taskCount: number;
}

/** An export to Jira or GitHub ended; once per run. */
export interface EstimationExportedData {
  /** The estimation. */
  readonly estimationId: string;
  /** Issues created in this run. */
  readonly taskCount: number;
  /** Jira project key, or GitHub repository as owner/repo. */
  readonly projectKey: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the estimation in the web application. */
  readonly estimationUrl: string;
}

/** A share is created for an e-mail address. */
export interface ShareInvitedData {
  /** The share. */
  readonly shareId: string;
  /** The estimation. */
  readonly estimationId: string;
  /** Name of the user who shares. */
  readonly sharerName: string;
  /** SHA-256 in hexadecimal of the trimmed, lowercased address. */
  readonly recipientEmailHash: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the estimation in the web application. */
  readonly estimationUrl: string;
}

/** An invitation is accepted: by a sign-in with the verified address, or by its link. */
export interface ShareAcceptedData {
  /** The share. */
  readonly shareId: string;
  /** The estimation. */
  readonly estimationId: string;
  /** Opaque: carries the id of the accepting user, not an address. */
  readonly accepterEmail: string;
  /** What `accepterEmail` carries; in the envelope only. */
  readonly accepterUserId?: string;
}

/** Somebody who has the address of a page for a client accepts what it shows; once for each link. */
export interface ProposalAcceptedData {
  /** The link to the page. */
  readonly linkId: string;
  /** The estimation. */
  readonly estimationId: string;
  /** The version that was accepted; which options, the answers of the link say. */
  readonly versionId: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the estimation in the web application. */
  readonly estimationUrl: string;
}

/** People are asked to estimate together. */
export interface RoundOpenedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The round, which says nothing here of what anybody estimated. */
  readonly roundId: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the round in the web application. */
  readonly roundUrl: string;
  /** Name of the user who asks. */
  readonly openerName: string;
}

/** The estimates of a round are shown: by hand, once all have answered, or at its deadline. */
export interface RoundRevealedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The round, which says nothing here of what anybody estimated. */
  readonly roundId: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the round in the web application. */
  readonly roundUrl: string;
}

/** A round is closed, whether it was revealed or not. */
export interface RoundClosedData {
  /** The estimation. */
  readonly estimationId: string;
  /** The round, which says nothing here of what anybody estimated. */
  readonly roundId: string;
  /** Title of the estimation. */
  readonly estimationTitle: string;
  /** Page of the round in the web application. */
  readonly roundUrl: string;
}

/** A test is requested; it goes to the chosen webhook, even if that webhook subscribes to no event. */
export interface WebhookTestData {
  /** webhook.test. */
  readonly event: string;
  /** The user who requested the test. */
  readonly userId: string;
  /** When the test was requested. */
  readonly timestamp: string;
}

/** What `data` holds, by the name of the event. */
export interface WebhookEventData {
  readonly "estimation.submitted": EstimationSubmittedData;
  readonly "estimation.approved": EstimationApprovedData;
  readonly "estimation.changes_requested": EstimationChangesRequestedData;
  readonly "estimation.tasks_generated": EstimationTasksGeneratedData;
  readonly "estimation.exported": EstimationExportedData;
  readonly "share.invited": ShareInvitedData;
  readonly "share.accepted": ShareAcceptedData;
  readonly "proposal.accepted": ProposalAcceptedData;
  readonly "round.opened": RoundOpenedData;
  readonly "round.revealed": RoundRevealedData;
  readonly "round.closed": RoundClosedData;
  readonly "webhook.test": WebhookTestData;
}

/** The fields that `data` of an event always has, with what `typeof` says of them. */
export const eventFields = {
  "estimation.submitted": {
    estimationId: "string",
    reviewerId: "string",
    ownerName: "string",
    estimationTitle: "string",
    reviewUrl: "string",
  },
  "estimation.approved": {
    estimationId: "string",
    reviewerId: "string",
    reviewerName: "string",
    estimationTitle: "string",
    estimationUrl: "string",
  },
  "estimation.changes_requested": {
    estimationId: "string",
    reviewerId: "string",
    reviewerName: "string",
    estimationTitle: "string",
    estimationUrl: "string",
  },
  "estimation.tasks_generated": {
    estimationId: "string",
    taskCount: "number",
  },
  "estimation.exported": {
    estimationId: "string",
    taskCount: "number",
    projectKey: "string",
    estimationTitle: "string",
    estimationUrl: "string",
  },
  "share.invited": {
    shareId: "string",
    estimationId: "string",
    sharerName: "string",
    recipientEmailHash: "string",
    estimationTitle: "string",
    estimationUrl: "string",
  },
  "share.accepted": {
    shareId: "string",
    estimationId: "string",
    accepterEmail: "string",
  },
  "proposal.accepted": {
    linkId: "string",
    estimationId: "string",
    versionId: "string",
    estimationTitle: "string",
    estimationUrl: "string",
  },
  "round.opened": {
    estimationId: "string",
    roundId: "string",
    estimationTitle: "string",
    roundUrl: "string",
    openerName: "string",
  },
  "round.revealed": {
    estimationId: "string",
    roundId: "string",
    estimationTitle: "string",
    roundUrl: "string",
  },
  "round.closed": {
    estimationId: "string",
    roundId: "string",
    estimationTitle: "string",
    roundUrl: "string",
  },
  "webhook.test": {
    event: "string",
    userId: "string",
    timestamp: "string",
  },
} as const;
