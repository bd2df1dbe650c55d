/** A type of issues in a project, as Jira lists it for creating. */
export interface IssueType {
  readonly id: string;
  /** In the language of the token's user. */
  readonly name: string;
  /** In English, where Jira itself has made the type; null: people have. */
  readonly untranslatedName: string | null;
  /** 1: epics, 0: stories and tasks, -1: sub-tasks. An issue's parent is of the level just above. */
  readonly level: number;
  readonly isSubtask: boolean;
}

/** A field on the screen for creating an issue. */
export interface ScreenField {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly hasDefault: boolean;
}

/** The type of issues at one depth of an export, and which of the fields that exports fill its screen has. */
export interface LaidType {
  readonly id: string;
  readonly name: string;
  readonly fields: readonly string[];
}

/** What a run knows of a Jira project. */
export interface JiraLayout {
  readonly projectId: string;
  /** Address of the site for people, without a slash at the end. */
  readonly site: string;
  /** By depth; empty where issues are only read. */
  readonly types: readonly LaidType[];
}

/** The fields that an export fills. Jira sets the reporter itself. */
const FILLED: ReadonlySet<string> = new Set([
  ...["project", "issuetype", "summary", "description", "labels", "timetracking", "parent", "reporter"],
]);

/**
 * Returns the type that a person chose by its name, in their language or in English, or its id; without a choice a usual one.
 * undefined: there is none. `known`: ids of the types that a run has used so far, which may have other names in the language of
 * another user.
 */
export function topType(
  types: readonly IssueType[],
  wanted: string | null,
  known: readonly string[] = [],
): IssueType | undefined {
  // A sub-task is never the topmost issue.
  const possible = types.filter(({ isSubtask, level }) => !isSubtask && level >= 0);
  const before = possible.find(({ id }) => id === known[0]);
  if (before) return before;
  if (wanted === null) return usual(possible.filter(({ level }) => level === 0))[0] ?? possible[0];
  const name = wanted.trim().toLowerCase();
  return (
    possible.find(({ id }) => id === wanted.trim()) ??
    possible.find((type) => type.name.toLowerCase() === name) ??
    possible.find((type) => type.untranslatedName?.toLowerCase() === name)
  );
}

/** Returns the types of issues that Jira takes below one of `level`: those that are `known`, then the most usual. */
export const typesBelow = (
  types: readonly IssueType[],
  level: number,
  known: readonly string[] = [],
): readonly IssueType[] =>
  usual(types.filter((type) => type.level === level - 1 || (type.isSubtask && level === 0))).toSorted(
    (a, b) => Number(known.includes(b.id)) - Number(known.includes(a.id)),
  );

const USUAL = ["task", "story", "sub-task", "subtask"];
/** What a task never is, where its level has another type. */
const LAST = "bug";

/** The order of Jira stays among others. */
const usual = (types: readonly IssueType[]): readonly IssueType[] => types.toSorted((a, b) => rankOf(a) - rankOf(b));

const rankOf = ({ name, untranslatedName }: IssueType): number => {
  const english = (untranslatedName ?? name).toLowerCase();
  const at = USUAL.indexOf(english);
  if (at >= 0) return at;
  return english === LAST ? USUAL.length + 1 : USUAL.length;
};

/** Returns the fields that Jira requires and an export does not fill; a topmost issue has no parent. */
export const unfilled = (
  screen: readonly ScreenField[],
  { isTop }: { readonly isTop: boolean },
): readonly ScreenField[] =>
  screen.filter(
    ({ id, required, hasDefault }) => required && !hasDefault && (!FILLED.has(id) || (isTop && id === "parent")),
  );

/** Returns whether issues of a type can be made below others: a sub-task always, others where the screen has the parent. */
export const takesParent = ({ isSubtask }: IssueType, screen: readonly ScreenField[]): boolean =>
  isSubtask || screen.some(({ id }) => id === "parent");

/** Returns a type with what an export may fill on its screen. */
export const laidType = ({ id, name }: IssueType, screen: readonly ScreenField[]): LaidType => ({
  id,
  name,
  fields: screen.map((field) => field.id).filter((field) => FILLED.has(field)),
});
