import type { Problem } from "../checked.ts";
import { fieldOf, integerIn, textIn } from "../json.ts";
import type { Access, Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { repositoryPath } from "./address.ts";
import { problems } from "./problems.ts";

interface CheckedRepository {
  /** What prevents reading its issues, or writing them; empty: nothing. */
  readonly problems: readonly Problem[];
  /** GitHub's id of it, which stays when it is renamed; null: it was not found. */
  readonly id: number | null;
}

/** Whether issues are to be written, not only read. */
interface Purpose {
  readonly writes: boolean;
}

/** Asks for a repository, and says what prevents reading its issues, or writing them. */
export async function checkRepository(
  send: Send,
  { access, destination }: Reached,
  { writes }: Purpose,
  call?: Call,
): Promise<CheckedRepository> {
  const { project } = destination;
  const without = (problem: Problem): CheckedRepository => ({ problems: [problem], id: null });
  const response = await send(access, { method: "GET", path: repositoryPath(project) }, call);
  if (response.status >= 300 && response.status < 400) return without(problems.destination_moved(project));
  if (response.status === 403) return without(problems.permission_missing(response.message));
  if (response.status !== 200) return without(problems.destination_missing(project));
  const { json } = response;
  // A proxy in between has followed GitHub's redirect. It would do so for reading, but not for writing.
  const name = textIn(json, "full_name");
  if (name !== null && name.toLowerCase() !== project.toLowerCase())
    return without(problems.destination_moved(project));
  const isPrivate = fieldOf(json, "private") !== false;
  const id = integerIn(json, "id");
  if (id === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const found = [
    // Everybody may read a public one.
    ...(isPrivate || writes ? missingScope(response, isPrivate ? ["repo"] : ["public_repo", "repo"]) : []),
    ...(writes && fieldOf(json, "archived") === true ? [problems.destination_archived(project)] : []),
    ...(fieldOf(json, "has_issues") === false ? [problems.issues_disabled(project)] : []),
    ...(writes && fieldOf(fieldOf(json, "permissions"), "push") !== true ? [problems.permission_missing()] : []),
  ];
  return { problems: found, id };
}

/** Returns what prevents exports by a token, whatever the repository. */
export async function tokenProblems(send: Send, access: Access, call?: Call): Promise<Problem[]> {
  // Counts against no limit. An installation without limits responds 404, after it has judged the token.
  const response = await send(access, { method: "GET", path: "/rate_limit" }, call);
  if (response.status !== 200 && response.status !== 404) return [problems.unreachable(`status_${response.status}`)];
  return missingScope(response, ["public_repo", "repo"]);
}

/** Classic tokens name their scopes in a header; fine-grained ones have none, and show their rights only by using them. */
function missingScope({ headers }: ApiResponse, sufficient: readonly string[]): Problem[] {
  const scopes = headers["x-oauth-scopes"];
  if (scopes === undefined) return [];
  const held = scopes.split(",").map((scope) => scope.trim());
  return sufficient.some((scope) => held.includes(scope)) ? [] : [problems.scope_missing(sufficient[0])];
}

/**
 * Judges a refused request, a write or a reading, whose cause may be the repository: throws a fault of the kind `blocked` if it is. The response
 * alone does not tell: 404 and 410 may mean the issue, or the whole repository.
 */
export async function throwIfBlocked(
  send: Send,
  reached: Reached,
  response: ApiResponse,
  purpose: Purpose,
  call?: Call,
): Promise<void> {
  if (![301, 302, 307, 308, 403, 404, 410].includes(response.status)) return;
  const { problems: found } = await checkRepository(send, reached, purpose, call);
  const [problem] = found;
  if (problem) throw new TrackerFault({ kind: "blocked", problem });
  if (response.status === 403)
    throw new TrackerFault({ kind: "blocked", problem: problems.permission_missing(response.message) });
}
