import type { Problem } from "../checked.ts";
import { fieldOf, textIn } from "../json.ts";
import type { Access, Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { idIn } from "./issue-json.ts";
import { problems } from "./problems.ts";

/** A project as Jira names it now: its key may have been changed, and the former one still leads to it. */
export interface Project {
  readonly id: string;
  readonly key: string;
}

/** The form of a project's key. */
export const KEY = /^[A-Za-z][A-Za-z0-9_]{0,254}$/;
/** Permissions of an export, by Jira's names, with the words of its administration. */
const TO_READ = { BROWSE_PROJECTS: "Browse projects" } as const;
const TO_WRITE = { ...TO_READ, CREATE_ISSUES: "Create issues", EDIT_ISSUES: "Edit issues" } as const;

/** Returns the project of a destination, or what prevents exports to it whatever the type of its issues. */
export async function findProject(
  send: Send,
  { access, destination: { project } }: Reached,
  { writes }: { readonly writes: boolean },
  call?: Call,
): Promise<{ readonly project: Project } | { readonly problem: Problem }> {
  if (!KEY.test(project)) return { problem: problems.destination_missing(project) };
  const response = await send(access, { method: "GET", path: `/project/${project}` }, call);
  if (isRedirect(response)) return { problem: problems.destination_moved() };
  if (response.status === 403) return { problem: problems.permission_missing(response.message) };
  const [id, key] = [idIn(response.json), textIn(response.json, "key") ?? ""];
  if (response.status !== 200 || id === null || !KEY.test(key))
    return { problem: problems.destination_missing(project) };
  if (writes && (fieldOf(response.json, "archived") === true || fieldOf(response.json, "deleted") === true))
    return { problem: problems.destination_archived(key) };
  const wanted = writes ? TO_WRITE : TO_READ;
  const query = { projectId: id, permissions: Object.keys(wanted).join(",") };
  const permitted = await send(access, { method: "GET", path: "/mypermissions", query }, call);
  if (permitted.status !== 200) return { problem: problems.permission_missing(permitted.message) };
  const held = fieldOf(permitted.json, "permissions");
  const missing = Object.entries(wanted).filter(([name]) => fieldOf(fieldOf(held, name), "havePermission") !== true);
  if (missing.length > 0) return { problem: problems.permission_missing(missing.map(([, words]) => words).join(", ")) };
  return { project: { id, key } };
}

/** Returns what prevents exports by a token, whatever the project. */
export async function tokenProblems(send: Send, access: Access, call?: Call): Promise<Problem[]> {
  const response = await send(access, { method: "GET", path: "/myself" }, call);
  if (isRedirect(response)) return [problems.destination_moved()];
  if (response.status === 403) return [problems.permission_missing(response.message)];
  return response.status === 200 && textIn(response.json, "accountId") !== null
    ? []
    : [problems.unreachable(`status_${response.status}`)];
}

/** Returns what a site of Atlassian's tells everybody of itself, its `cloudId` included. */
export async function tenantInfo(sendOpenly: Send, access: Access, call?: Call): Promise<unknown> {
  const response = await sendOpenly(access, { method: "GET", path: "/_edge/tenant_info" }, call);
  if (isRedirect(response)) throw new TrackerFault({ kind: "blocked", problem: problems.destination_moved() });
  if (response.status !== 200) throw new TrackerFault({ kind: "unknown", reason: `status_${response.status}` });
  return response.json;
}

/**
 * Judges a refused request whose cause may be the project or the site: throws a fault of the kind `blocked` if it is. The
 * response alone does not tell: 404 may mean the issue, or the whole project.
 */
export async function throwIfBlocked(send: Send, reached: Reached, response: ApiResponse, call?: Call): Promise<void> {
  if (isRedirect(response)) throw new TrackerFault({ kind: "blocked", problem: problems.destination_moved() });
  if (![403, 404, 410].includes(response.status)) return;
  const found = await findProject(send, reached, { writes: response.status === 403 }, call);
  if ("problem" in found) throw new TrackerFault({ kind: "blocked", problem: found.problem });
  if (response.status === 403)
    throw new TrackerFault({ kind: "blocked", problem: problems.permission_missing(response.message) });
}

const isRedirect = ({ status }: ApiResponse): boolean => status >= 300 && status < 400;
