import Type, { type Static } from "typebox";
import { Shape } from "./shapes.ts";

/** Field of a payload. As specified, each is a string except `taskCount`. */
const text = (description: string) => Type.String({ description });
const url = (description: string) => Type.String({ format: "uri", description });
const estimationId = text("The estimation");
const estimationTitle = text("Title of the estimation");
const estimationUrl = url("Page of the estimation in the web application");
const taskCount = (description: string) => Type.Integer({ minimum: 0, description });

const id = (prefix: string) => `${prefix}_01k6z0c9v3e8rbt5w2yq4nmhxd`;
const page = `https://estimates.example.com/estimations/${id("est")}`;
const verdict = Shape({
  estimationId,
  reviewerId: text("The reviewer who decided"),
  reviewerName: text("Name of that reviewer"),
  estimationTitle,
  estimationUrl,
});
const verdictExample = {
  estimationId: id("est"),
  reviewerId: id("usr"),
  reviewerName: "Ada Moreau",
  estimationTitle: "Checkout",
  estimationUrl: page,
};

const round = {
  estimationId,
  roundId: text("The round, which says nothing here of what anybody estimated"),
  estimationTitle,
  roundUrl: url("Page of the round in the web application"),
};
const roundExample = {
  estimationId: id("est"),
  roundId: id("rnd"),
  estimationTitle: "Checkout",
  roundUrl: `${page}/rounds/${id("rnd")}`,
};

/**
 * The catalogue of events. `data` is what receivers get; it is checked against its schema when the event is written.
 * `webhook.test` is not subscribable: it goes to the webhook that is tested.
 */
export const events = {
  "estimation.submitted": {
    when: "An owner requests a review. Despite its name, submitting an estimation does not send it",
    subscribable: true,
    data: Shape({
      estimationId,
      reviewerId: text("The reviewer who is asked"),
      ownerName: text("Name of the owner"),
      estimationTitle,
      reviewUrl: url("Page of the review in the web application"),
    }),
    example: {
      estimationId: id("est"),
      reviewerId: id("usr"),
      ownerName: "Noor Haddad",
      estimationTitle: "Checkout",
      reviewUrl: `${page}/reviews/${id("rev")}`,
    },
  },
  "estimation.approved": { when: "A reviewer approves", subscribable: true, data: verdict, example: verdictExample },
  "estimation.changes_requested": {
    when: "A reviewer requests changes",
    subscribable: true,
    data: verdict,
    example: verdictExample,
  },
  "estimation.tasks_generated": {
    when: "Tasks were generated, again or for the first time; once per run, after they are stored",
    subscribable: true,
    data: Shape({ estimationId, taskCount: taskCount("Open tasks after the run") }),
    example: { estimationId: id("est"), taskCount: 42 },
  },
  "estimation.exported": {
    when: "An export to Jira or GitHub ended; once per run",
    subscribable: true,
    data: Shape({
      estimationId,
      taskCount: taskCount("Issues created in this run"),
      projectKey: text("Jira project key, or GitHub repository as owner/repo"),
      estimationTitle,
      estimationUrl,
    }),
    example: {
      estimationId: id("est"),
      taskCount: 42,
      projectKey: "SHOP",
      estimationTitle: "Checkout",
      estimationUrl: page,
    },
  },
  "share.invited": {
    when: "A share is created for an e-mail address",
    subscribable: true,
    data: Shape({
      shareId: text("The share"),
      estimationId,
      sharerName: text("Name of the user who shares"),
      recipientEmailHash: Type.String({
        pattern: "^[0-9a-f]{64}$",
        description: "SHA-256 in hexadecimal of the trimmed, lowercased address",
      }),
      estimationTitle,
      estimationUrl,
    }),
    example: {
      shareId: id("shr"),
      estimationId: id("est"),
      sharerName: "Noor Haddad",
      recipientEmailHash: "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b",
      estimationTitle: "Checkout",
      estimationUrl: page,
    },
  },
  "share.accepted": {
    when: "An invitation is accepted: by a sign-in with the verified address, or by its link",
    subscribable: true,
    data: Shape({
      shareId: text("The share"),
      estimationId,
      accepterEmail: text("Opaque: carries the id of the accepting user, not an address"),
    }),
    example: { shareId: id("shr"), estimationId: id("est"), accepterEmail: id("usr") },
    envelopeAliases: { accepterUserId: "accepterEmail" },
  },
  "proposal.accepted": {
    when: "Somebody who has the address of a page for a client accepts what it shows; once for each link",
    subscribable: true,
    data: Shape({
      linkId: text("The link to the page"),
      estimationId,
      versionId: text("The version that was accepted; which options, the answers of the link say"),
      estimationTitle,
      estimationUrl,
    }),
    example: {
      linkId: id("lnk"),
      estimationId: id("est"),
      versionId: id("ver"),
      estimationTitle: "Checkout",
      estimationUrl: page,
    },
  },
  "round.opened": {
    when: "People are asked to estimate together",
    subscribable: true,
    data: Shape({ ...round, openerName: text("Name of the user who asks") }),
    example: { ...roundExample, openerName: "Noor Haddad" },
  },
  "round.revealed": {
    when: "The estimates of a round are shown: by hand, once all have answered, or at its deadline",
    subscribable: true,
    data: Shape(round),
    example: roundExample,
  },
  "round.closed": {
    when: "A round is closed, whether it was revealed or not",
    subscribable: true,
    data: Shape(round),
    example: roundExample,
  },
  "webhook.test": {
    when: "A test is requested; it goes to the chosen webhook, even if that webhook subscribes to no event",
    subscribable: false,
    data: Shape({
      event: text("webhook.test"),
      userId: text("The user who requested the test"),
      timestamp: Type.String({ format: "date-time", description: "When the test was requested" }),
    }),
    example: { event: "webhook.test", userId: id("usr"), timestamp: "2026-01-31T09:30:00.000Z" },
  },
} as const;

export type EventName = keyof typeof events;

/**
 * Fields that `data` has in the envelope only, because a name in the bare body is misleading: each new name with the
 * field whose value it repeats.
 */
export function envelopeAliases(name: EventName): Readonly<Record<string, string>> {
  const event = events[name];
  return "envelopeAliases" in event ? event.envelopeAliases : {};
}

/** `data` of event `N`. */
export type EventData<N extends EventName> = Static<(typeof events)[N]["data"]>;

export const eventNames = Object.keys(events) as EventName[];

export type SubscribableEvent = {
  [N in EventName]: (typeof events)[N]["subscribable"] extends true ? N : never;
}[EventName];

export const subscribableEvents = eventNames.filter((name) => events[name].subscribable) as SubscribableEvent[];
