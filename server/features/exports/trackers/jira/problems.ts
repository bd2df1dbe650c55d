import { problem } from "../problem.ts";

/** What prevents exports to Jira. The texts show what Jira said, where it said something of use. */
export const problems = {
  token_rejected: problem(
    "token_rejected",
    () => "Jira does not accept the e-mail address with this token.",
    "Check the e-mail address of the connection, or make a new token: this one is wrong, expired or revoked. A token with scopes needs the address https://api.atlassian.com/ex/jira/{cloudId}.",
  ),
  scope_missing: problem(
    "scope_missing",
    (said) => `The token lacks a scope: ${said}.`,
    "Give the token the scopes read:jira-work, write:jira-work and read:jira-user.",
  ),
  destination_missing: problem(
    "destination_missing",
    (project) => `The project ${project} does not exist, or the token's user may not see it.`,
    "Check the key of the project, and whether the user may browse it.",
  ),
  destination_moved: problem(
    "destination_moved",
    () => "The site has another address now.",
    "Give the connection the present address of the site, and start a new export: the service recognises the site and its issues.",
  ),
  destination_archived: problem(
    "destination_archived",
    (project) => `The project ${project} is archived or in the trash, so nothing can be written to it.`,
    "Restore it in Jira, or choose another project.",
  ),
  permission_missing: problem(
    "permission_missing",
    (missing) => `The token's user lacks a permission in the project: ${missing}.`,
    "Ask an administrator of the project for it.",
  ),
  issue_type_missing: problem(
    "issue_type_missing",
    (detail) => `The project has no such type of issues: ${detail}.`,
    "Choose one of the types that it has; a sub-task cannot be the topmost issue.",
  ),
  fields_required: problem(
    "fields_required",
    (fields) => `The project requires fields that an export does not fill: ${fields}.`,
    "Give these fields a default value, or make them optional for this type of issues, or choose another type.",
  ),
  unreachable: problem(
    "unreachable",
    (reason) => `Jira could not be reached, or did not give a usable response (${reason}).`,
    "Check the address of the connection, and try again.",
  ),
  busy: problem(
    "busy",
    (until) => `Jira asks for a pause until ${until}.`,
    "Try again then. Other programs that use the same site count too.",
  ),
} as const;
