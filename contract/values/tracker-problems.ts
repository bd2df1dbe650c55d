import Type, { type Static } from "typebox";
import { component, OneOf, Shape } from "../shapes.ts";

/** What can prevent an export, each with what it means. These names do not change. */
export const trackerProblems = {
  token_rejected: "the tracker refuses the token",
  scope_missing: "the token lacks a scope",
  sign_on_missing: "an organization requires single sign-on, for which the token is not authorized",
  address_not_allowed: "the organization allows requests from listed IP addresses only",
  list_incomplete: "not everything that the token reaches was searched",
  destination_missing: "the repository or project does not exist, or the token may not see it",
  destination_moved:
    "the repository has another name now, or another repository or project has its name; of Jira also: the site has another address",
  destination_archived: "the repository or project is archived, so nothing can be written to it",
  issues_disabled: "issues are switched off in the repository",
  permission_missing:
    "the token may not push to the repository, without which labels are dropped in silence; of Jira: its user lacks a permission in the project",
  issue_type_missing: "the project has no such type of issues",
  fields_required: "the screen for creating issues requires fields that an export does not fill",
  unreachable: "nothing usable responds at the address",
  busy: "the tracker allows no more requests for now",
  refused: "the tracker refuses a request that the export needs",
  internal_error: "the service itself failed repeatedly; its log says why",
  too_many_destinations:
    "the estimation has been exported to the largest number of repositories and projects that is allowed",
  connection_moved: "the address of the connection has changed since the export was started",
  connection_missing: "the connection was deleted, or its token cannot be read any more",
  held: "the service was restored from a backup, and sends nothing before it is resumed",
  access_lost: "the person who started the export may not change the estimation any more",
} as const;
export type TrackerProblemCode = keyof typeof trackerProblems;

/** What prevents an export. */
export const TrackerProblem = component(
  "TrackerProblem",
  Shape({
    code: OneOf<TrackerProblemCode>(Object.keys(trackerProblems) as TrackerProblemCode[], {
      description: Object.entries(trackerProblems)
        .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
        .join("; "),
    }),
    message: Type.String({
      description:
        "What is wrong, in words; what the tracker says is quoted, and left out for everybody but the owner of the connection",
    }),
    remedy: Type.String({ description: "What to do about it" }),
  }),
);
export type TrackerProblem = Static<typeof TrackerProblem.schema>;
