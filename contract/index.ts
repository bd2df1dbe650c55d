import type { Endpoint } from "./endpoint.ts";
import { accuracy } from "./endpoints/accuracy.ts";
import { activity } from "./endpoints/activity.ts";
import { admin } from "./endpoints/admin.ts";
import { apiKeys } from "./endpoints/api-keys.ts";
import { auditLog } from "./endpoints/audit-log.ts";
import { auth } from "./endpoints/auth.ts";
import { clientLinks } from "./endpoints/client-links.ts";
import { connections } from "./endpoints/connections.ts";
import { decisionTrees } from "./endpoints/decision-trees.ts";
import { estimations } from "./endpoints/estimations.ts";
import { examples } from "./endpoints/examples.ts";
import { exports } from "./endpoints/exports.ts";
import { googleSignIn } from "./endpoints/google-sign-in.ts";
import { holidays } from "./endpoints/holidays.ts";
import { importExport } from "./endpoints/import-export.ts";
import { live } from "./endpoints/live.ts";
import { milestones } from "./endpoints/milestones.ts";
import { notifications } from "./endpoints/notifications.ts";
import { portfolio } from "./endpoints/portfolio.ts";
import { preferences } from "./endpoints/preferences.ts";
import { reviews } from "./endpoints/reviews.ts";
import { rounds } from "./endpoints/rounds.ts";
import { shares } from "./endpoints/shares.ts";
import { states } from "./endpoints/states.ts";
import { suggestions } from "./endpoints/suggestions.ts";
import { tasks } from "./endpoints/tasks.ts";
import { teams } from "./endpoints/teams.ts";
import { templates } from "./endpoints/templates.ts";
import { threads } from "./endpoints/threads.ts";
import { timelines } from "./endpoints/timelines.ts";
import { versions } from "./endpoints/versions.ts";
import { webhooks } from "./endpoints/webhooks.ts";
import { joinGroups } from "./groups.ts";
import { components } from "./shapes.ts";

const { groups, endpoints } = joinGroups([
  {
    title: "Accounts and sessions",
    section: "Access",
    description: "Register, sign in and out, and manage the account: a session token is the proof of a signed-in user.",
    endpoints: auth,
  },
  {
    title: "Sign-in with Google",
    section: "Access",
    description: "Sign in through Google, or another OpenID provider that the instance is configured for.",
    endpoints: googleSignIn,
  },
  {
    title: "API keys",
    section: "Access",
    description: "Credentials for programs, limited to scopes, that can be rotated and revoked.",
    endpoints: apiKeys,
  },
  {
    title: "Audit log",
    section: "Access",
    description: "What happened to the account: sign-ins, changes of credentials, failed sign-ins.",
    endpoints: auditLog,
  },
  {
    title: "Administration",
    section: "Access",
    description: "For whoever runs the instance: accounts, the audit log of everybody, and how the instance is.",
    endpoints: admin,
  },
  {
    title: "Notifications",
    section: "Access",
    description: "What concerns you, with marks of what you have read, and which kinds of mail you receive.",
    endpoints: notifications,
  },
  {
    title: "Preferences",
    section: "Access",
    description: "How the web application looks to you, in every browser: saved filters, hidden columns.",
    endpoints: preferences,
  },
  {
    title: "Teams",
    section: "Access",
    description: "Groups of people with which estimations are shared as a whole: members, roles, invitations.",
    endpoints: teams,
  },
  {
    title: "Estimations",
    section: "Estimating",
    description: "The records that everything else belongs to: title, client, rate, state and summed hours.",
    endpoints: estimations,
  },
  {
    title: "Portfolio",
    section: "Estimating",
    description: "Several estimations together: how long all of them take, and what that depends on.",
    endpoints: portfolio,
  },
  {
    title: "Examples",
    section: "Estimating",
    description: "Estimations to try the service with.",
    endpoints: examples,
  },
  {
    title: "Decision trees",
    section: "Estimating",
    description: "The questions and options of an estimation, what is selected, and the hours that follow from it.",
    endpoints: decisionTrees,
  },
  {
    title: "States",
    section: "Estimating",
    description: "How an estimation goes from draft to exported, and back.",
    endpoints: states,
  },
  {
    title: "Versions",
    section: "Estimating",
    description: "Stored states of an estimation with its tree, which can be read again, compared and restored.",
    endpoints: versions,
  },
  {
    title: "Threads",
    section: "Estimating",
    description: "Alternatives of one estimation: named lines of versions, merged, compared and talked about.",
    endpoints: threads,
  },
  {
    title: "Activity",
    section: "Estimating",
    description: "Who did what with an estimation, and when.",
    endpoints: activity,
  },
  {
    title: "Live",
    section: "Estimating",
    description: "One stream of what others do with the estimations that somebody has open, and of who they are.",
    endpoints: live,
  },
  {
    title: "Import and export",
    section: "Estimating",
    description: "Estimations as files: in full as JSON, as tables, as outlines, as documents to read.",
    endpoints: importExport,
  },
  {
    title: "Tasks",
    section: "Estimating",
    description: "The pieces of work that are generated from the options that count.",
    endpoints: tasks,
  },
  {
    title: "Accuracy",
    section: "Estimating",
    description: "How estimates of finished tasks compare with the hours that they took.",
    endpoints: accuracy,
  },
  {
    title: "Suggestions",
    section: "Estimating",
    description: "Hours suggested from finished work, the basis of each suggestion, and how accurate suggestions were.",
    endpoints: suggestions,
  },
  {
    title: "Templates",
    section: "Estimating",
    description: "Reusable structures of decision trees.",
    endpoints: templates,
  },
  {
    title: "Timeline",
    section: "Estimating",
    description: "When each task is worked on: working days, people, and which tasks wait for which.",
    endpoints: timelines,
  },
  {
    title: "Milestones",
    section: "Estimating",
    description: "Dates by which some of the work has to be done, with the probability that it will be.",
    endpoints: milestones,
  },
  {
    title: "Holidays",
    section: "Estimating",
    description: "Public holidays of countries and their regions, for timelines.",
    endpoints: holidays,
  },
  {
    title: "Shares",
    section: "Estimating",
    description: "Who else may read, review or change an estimation, and how it gets another owner.",
    endpoints: shares,
  },
  {
    title: "Links for clients",
    section: "Estimating",
    description: "Pages that show an estimate to people without an account: what they show, and for how long.",
    endpoints: clientLinks,
  },
  {
    title: "Reviews",
    section: "Estimating",
    description: "Asking others for their judgement of an estimation: requests, verdicts, comments, and the inbox.",
    endpoints: reviews,
  },
  {
    title: "Rounds",
    section: "Estimating",
    description: "Estimating together: several people estimate options apart, see each other's ranges, and agree.",
    endpoints: rounds,
  },
  {
    title: "Connections",
    section: "Exporting",
    description: "Your credentials for the trackers that tasks are exported to, encrypted and never shown again.",
    endpoints: connections,
  },
  {
    title: "Exports",
    section: "Exporting",
    description:
      "Tasks as issues of a tracker: background runs, the outcome for each task, and reading back what is done.",
    endpoints: exports,
  },
  {
    title: "Webhooks",
    section: "Webhooks",
    description: "URLs that are notified of events, with the log of deliveries to them.",
    endpoints: webhooks,
  },
]);

/** The tables of endpoints with their headings, in the order of the documentation. */
export const endpointGroups = groups;

/** All records that several endpoints share: complete, because this file imports every table of endpoints. */
export { components };

/** Every endpoint, by id. Route, validation, access, OpenAPI, typed client and access tests derive from it. */
export const contract = endpoints;

export type Contract = typeof contract;

export type EndpointId = keyof Contract;

/** The endpoints with their ids, in the order of the documentation. */
export const endpointEntries = Object.entries(contract) as [EndpointId, Endpoint][];
