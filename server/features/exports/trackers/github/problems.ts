import { problem } from "../problem.ts";

/** What prevents exports to GitHub. The texts show what GitHub said, where it said something of use. */
export const problems = {
  token_rejected: problem(
    "token_rejected",
    () => "GitHub does not accept the token.",
    "Create a new token and enter it in the connection: this one is wrong, expired or revoked.",
  ),
  scope_missing: problem(
    "scope_missing",
    (scope) => `The token lacks the scope ${scope}.`,
    "Give the token this scope, or use a fine-grained token with read and write access to issues.",
  ),
  sign_on_missing: problem(
    "sign_on_missing",
    (what) => (what === "" ? "The organization requires single sign-on for the token." : what),
    "Authorize the token for single sign-on with the organization, at GitHub in the list of your tokens (Configure SSO) or by the link, and try again.",
  ),
  address_not_allowed: problem(
    "address_not_allowed",
    (said) => `The organization has a list of allowed IP addresses, and this service's is not in it: ${said}.`,
    "Ask an owner of the organization to add the address of this service to the list.",
  ),
  list_refused: problem(
    "permission_missing",
    (said) => `GitHub does not list repositories for this token${said === "" ? "" : `: ${said}`}.`,
    "Enter the repository's full name, owner/repository, or use a token that may read its metadata.",
  ),
  list_incomplete: problem(
    "list_incomplete",
    (count) => `Of all repositories that the token reaches, the ${count} that were pushed to last were searched.`,
    "If the one that you want is missing, enter its full name, owner/repository.",
  ),
  destination_missing: problem(
    "destination_missing",
    (repository) => `The repository ${repository} does not exist, or the token does not reach it.`,
    "Check the spelling, owner/repository, and which repositories the token may use.",
  ),
  destination_moved: problem(
    "destination_moved",
    (repository) => `The repository ${repository} has another name or owner now.`,
    "Start a new export under its present name: the service recognises the repository and its issues.",
  ),
  destination_archived: problem(
    "destination_archived",
    (repository) => `The repository ${repository} is archived, so nothing can be written to it.`,
    "Unarchive it at GitHub, or choose another repository.",
  ),
  issues_disabled: problem(
    "issues_disabled",
    (repository) => `Issues are switched off in the repository ${repository}.`,
    "Switch them on in the settings of the repository, under Features.",
  ),
  permission_missing: problem(
    "permission_missing",
    (said) => `The token may not write to the repository${said === "" ? "" : `: ${said}`}.`,
    "The token's user needs write access to the repository, and a fine-grained token read and write access to issues. Without it GitHub drops labels and milestones in silence.",
  ),
  unreachable: problem(
    "unreachable",
    (reason) => `GitHub could not be reached, or did not give a usable response (${reason}).`,
    "Check the address of the connection, and try again.",
  ),
  busy: problem(
    "busy",
    (until) => `GitHub asks for a pause until ${until}.`,
    "Try again then. Other programs that use the same account count too.",
  ),
} as const;
