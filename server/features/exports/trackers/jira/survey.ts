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
import { listed, NAME_LENGTH, oneLine, said } from "../../../../../domain/exports/words.ts";
import type { Checked, Problem } from "../checked.ts";
import { fieldOf, integerIn, textIn } from "../json.ts";
import type { Access, Call, Reached } from "../reach.ts";
import type { ApiResponse, Send } from "../requests.ts";
import { TrackerFault } from "../tracker-fault.ts";
import { pagesUrl, siteUrl } from "./address.ts";
import { idIn } from "./issue-json.ts";
import { readAll } from "./lists.ts";
import { problems } from "./problems.ts";
import { findProject, throwIfBlocked } from "./project.ts";

/** Jira shows no more than 500 issues below one. Source: Jira Cloud, "Limits for work items". */
const CHILDREN = 500;
/** Types of one level whose screens are asked for, until one can be filled. */
const CANDIDATES = 5;
/** Levels of issues in an export: more than any plan of Jira has. */
const LEVELS = 10;
/** Types of a project, and fields of a screen, that are read: more than any of Jira's has. */
const TYPES = 500;
const FIELDS = 1_000;

/**
 * Finds out what an export needs to know of a project, or what prevents it. A run that has a layout goes on with its types,
 * whatever they are called by now. `nameOf` returns what names the site of a
 * connection for good.
 */
export async function surveyProject(
  send: Send,
  nameOf: (access: Access, call?: Call) => Promise<string>,
  reached: Reached,
  { writes }: { readonly writes: boolean },
  call?: Call,
): Promise<Checked> {
  const found = await findProject(send, reached, { writes }, call);
  if ("problem" in found) return refused(found.problem);
  const { id: projectId, key } = found.project;
  const { access, destination } = reached;
  const info = await send(access, { method: "GET", path: "/serverInfo" }, call);
  const site = info.status === 200 ? pagesUrl(textIn(info.json, "baseUrl") ?? "", access) : null;
  if (site === null) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const named = await nameOf(access, call);
  const withTypes = (types: readonly LaidType[]): Checked => ({
    problems: [],
    destination: `${named} ${projectId}`,
    former: named === siteUrl(access) ? [] : [`${site} ${projectId}`],
    layout: {
      project: key,
      nesting: { levels: Math.max(1, types.length), children: CHILDREN },
      jira: { projectId, site, types },
    },
  });
  if (!writes) return withTypes([]);

  const types = await readIssueTypes(send, reached, call);
  const known = reached.layout?.jira?.types.map(({ id }) => id);
  const top = topType(types, destination.issueType, known);
  if (!top) return refused(problems.issue_type_missing(namesOf(destination.issueType, types)));
  const screen = await readScreen(send, reached, top, call);
  const missing = unfilled(screen, { isTop: true });
  if (missing.length > 0)
    return refused(problems.fields_required(said(`${listed(missing.map(({ name }) => name))} (${top.name})`)));
  const laid = [laidType(top, screen)];
  for (let level = top.level; laid.length < LEVELS; level -= 1) {
    const below = await firstBelow(send, reached, typesBelow(types, level, known), call);
    if (!below) break;
    laid.push(below);
  }
  return withTypes(laid);
}

const refused = (problem: Problem): Checked => ({ problems: [problem], destination: null, former: [], layout: null });

/** Returns the first type that an export can fill and Jira takes below others; undefined: there is none. */
async function firstBelow(
  send: Send,
  reached: Reached,
  types: readonly IssueType[],
  call?: Call,
): Promise<LaidType | undefined> {
  for (const type of types.slice(0, CANDIDATES)) {
    const screen = await readScreen(send, reached, type, call);
    if (takesParent(type, screen) && unfilled(screen, { isTop: false }).length === 0) return laidType(type, screen);
  }
  return undefined;
}

/** Reads the types of issues that can be made in a project. */
export async function readIssueTypes(send: Send, reached: Reached, call?: Call): Promise<readonly IssueType[]> {
  const path = `/issue/createmeta/${reached.destination.project}/issuetypes`;
  const refuse = (response: ApiResponse) => throwIfBlocked(send, reached, response, call);
  return readAll(send, reached.access, { path, list: "issueTypes", most: TYPES, keep: typeOf, refuse }, call);
}

function typeOf(entry: unknown): IssueType | null {
  const [id, name] = [idIn(entry), textIn(entry, "name")];
  if (id === null || name === null) return null;
  const isSubtask = fieldOf(entry, "subtask") === true;
  const level = integerIn(entry, "hierarchyLevel") ?? (isSubtask ? -1 : 0);
  const untranslated = textIn(entry, "untranslatedName");
  const untranslatedName = untranslated === null ? null : oneLine(untranslated, NAME_LENGTH);
  return { id, name: oneLine(name, NAME_LENGTH), untranslatedName, isSubtask, level };
}

async function readScreen(
  send: Send,
  reached: Reached,
  { id }: IssueType,
  call?: Call,
): Promise<readonly ScreenField[]> {
  const path = `/issue/createmeta/${reached.destination.project}/issuetypes/${id}`;
  const refuse = (response: ApiResponse) => throwIfBlocked(send, reached, response, call);
  return readAll(send, reached.access, { path, list: "fields", most: FIELDS, keep: screenField, refuse }, call);
}

function screenField(entry: unknown): ScreenField | null {
  const id = textIn(entry, "fieldId") ?? textIn(entry, "key");
  if (id === null) return null;
  return {
    id: oneLine(id, NAME_LENGTH),
    name: oneLine(textIn(entry, "name") ?? id, NAME_LENGTH),
    required: fieldOf(entry, "required") === true,
    hasDefault: fieldOf(entry, "hasDefaultValue") === true,
  };
}

const namesOf = (wanted: string | null, types: readonly IssueType[]): string =>
  `${wanted ?? "none at all"}; it has ${said(listed(types.map(({ name }) => name))) || "none"}`;
