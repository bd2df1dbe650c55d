import {
  type IssueType,
  type LaidType,
  laidType,
  type ScreenField,
  takesParent,
  topType,
  typesBelow,
  unfilled,
} from "../../../../../domain/exports/jira/issue-types.ts";
import { fieldOf, integerIn, textIn } from "../json.ts";
import { type Call, type Checked, type Place, type Problem, TrackerFault } from "../tracker.ts";
import { pagesUrl } from "./address.ts";
import { readAll } from "./lists.ts";
import { problems } from "./problems.ts";
import { findProject, throwIfBlocked } from "./project.ts";
import type { Send } from "./requests.ts";

/** Jira shows no more than 500 issues below one. Source: Jira Cloud, "Limits for work items". */
const CHILDREN = 500;
/** Types of one level whose screens are asked for, until one can be filled. */
const CANDIDATES = 5;

/** Finds out what an export needs to know of a project, or what prevents it. */
export async function surveyProject(
  send: Send,
  place: Place,
  { writes }: { readonly writes: boolean },
  call?: Call,
): Promise<Checked> {
  const found = await findProject(send, place, { writes }, call);
  if ("problem" in found) return refused(found.problem);
  const { id: projectId, key } = found.project;
  const { access, destination } = place;
  const info = await send(access, { method: "GET", path: "/serverInfo" }, call);
  const given = textIn(info.json, "baseUrl");
  // Without it, the two addresses of a site would lead to two ledgers.
  if (info.status !== 200 || given === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const site = pagesUrl(given, access);
  const withTypes = (types: readonly LaidType[]): Checked => ({
    problems: [],
    destination: `${site} ${projectId}`,
    layout: {
      project: key,
      nesting: { levels: Math.max(1, types.length), children: CHILDREN },
      jira: { projectId, site, types },
    },
  });
  if (!writes) return withTypes([]);

  const types = await readIssueTypes(send, place, call);
  const top = topType(types, destination.issueType);
  if (!top) return refused(problems.issue_type_missing(namesOf(destination.issueType, types)));
  const screen = await readScreen(send, place, top, call);
  const missing = unfilled(screen, { isTop: true });
  if (missing.length > 0)
    return refused(problems.fields_required(`${missing.map(({ name }) => name).join(", ")} (${top.name})`));
  const laid = [laidType(top, screen)];
  for (let level = top.level; ; level -= 1) {
    const below = await firstBelow(send, place, typesBelow(types, level), call);
    if (!below) return withTypes(laid);
    laid.push(below);
  }
}

const refused = (problem: Problem): Checked => ({ problems: [problem], destination: null, layout: null });

/** Returns the first type that an export can fill and Jira takes below others; undefined: there is none. */
async function firstBelow(
  send: Send,
  place: Place,
  types: readonly IssueType[],
  call?: Call,
): Promise<LaidType | undefined> {
  for (const type of types.slice(0, CANDIDATES)) {
    const screen = await readScreen(send, place, type, call);
    if (takesParent(type, screen) && unfilled(screen, { isTop: false }).length === 0) return laidType(type, screen);
  }
  return undefined;
}

/** Reads the types of issues that can be made in a project. */
export async function readIssueTypes(send: Send, place: Place, call?: Call): Promise<IssueType[]> {
  const path = `/issue/createmeta/${place.destination.project}/issuetypes`;
  const entries = await readAll(send, place.access, listing(send, place, path, "issueTypes", call), call);
  return entries.flatMap((entry) => {
    const [id, name] = [textIn(entry, "id"), textIn(entry, "name")];
    if (id === null || name === null) return [];
    const isSubtask = fieldOf(entry, "subtask") === true;
    return [{ id, name, isSubtask, level: integerIn(entry, "hierarchyLevel") ?? (isSubtask ? -1 : 0) }];
  });
}

async function readScreen(send: Send, place: Place, { id }: IssueType, call?: Call): Promise<ScreenField[]> {
  const path = `/issue/createmeta/${place.destination.project}/issuetypes/${encodeURIComponent(id)}`;
  const entries = await readAll(send, place.access, listing(send, place, path, "fields", call), call);
  return entries.flatMap((entry) => {
    const fieldId = textIn(entry, "fieldId") ?? textIn(entry, "key");
    if (fieldId === null) return [];
    return [
      {
        id: fieldId,
        name: textIn(entry, "name") ?? fieldId,
        required: fieldOf(entry, "required") === true,
        hasDefault: fieldOf(entry, "hasDefaultValue") === true,
      },
    ];
  });
}

const listing = (send: Send, place: Place, path: string, list: string, call?: Call) => ({
  path,
  list,
  refuse: (answer: Parameters<typeof throwIfBlocked>[2]) => throwIfBlocked(send, place, answer, call),
});

const namesOf = (wanted: string | null, types: readonly IssueType[]): string =>
  `${wanted ?? "none at all"}; it has ${types.map(({ name }) => name).join(", ") || "none"}`;
