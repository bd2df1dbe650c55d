import { markerIn } from "../../../domain/exports/jira/marker.ts";
import { Refusal } from "../trackers/server.ts";
import { description } from "./description.ts";

export interface FakeField {
  readonly fieldId: string;
  readonly name: string;
  required: boolean;
  hasDefaultValue: boolean;
}

export interface FakeType {
  readonly id: string;
  /** Fields that are not on the screen for editing. */
  readonly notEdited: Set<string>;
  /** In English. */
  readonly name: string;
  /** Whether people have made it: then it has no name in other languages. */
  readonly isCustom?: boolean;
  readonly level: number;
  readonly fields: FakeField[];
}

export interface FakeIssue {
  readonly id: string;
  key: string;
  projectId: string;
  readonly typeId: string;
  summary: string;
  description: unknown;
  labels: readonly string[];
  /** Seconds; null: none. */
  estimate: number | null;
  /** What remains of it, in seconds; null: none. */
  remaining: number | null;
  parent: string | null;
  doneAt: Date | null;
  /** Whether the workflow sets a resolution when an issue is done. */
  resolves: boolean;
  /** How it was resolved, while it is. */
  resolution: FakeResolution;
  readonly createdAt: Date;
  /** When searches begin to show it. */
  listedAt: Date;
  /** Seconds of each. */
  readonly worklogs: number[];
  /** Documents. */
  readonly comments: unknown[];
  readonly properties: Readonly<Record<string, unknown>>;
  deleted: boolean;
  /** The token's user may not see it. */
  hidden: boolean;
}

/** A transition of the workflow. */
export interface FakeTransition {
  readonly id: string;
  readonly to: string;
  readonly isDone: boolean;
  /** Fields of its screen. */
  readonly fields: Readonly<
    Record<string, { readonly required: boolean; readonly allowed?: readonly FakeResolution[] }>
  >;
}

export interface FakeResolution {
  readonly id: string;
  /** In the language of the token's user. */
  name: string;
}

/** A refusal with Jira's status and message. */
export class Refused extends Refusal {
  constructor(status: number, errorMessages: readonly string[], errors: Readonly<Record<string, string>> = {}) {
    super(status, { errorMessages, errors });
  }
}

const field = (fieldId: string, name: string, required = false): FakeField => ({
  ...{ fieldId, name, required },
  hasDefaultValue: false,
});

const screen = (): FakeField[] => [
  ...[field("project", "Project", true), field("issuetype", "Issue Type", true), field("summary", "Summary", true)],
  ...[field("description", "Description"), field("labels", "Labels"), field("timetracking", "Time tracking")],
  ...[field("parent", "Parent"), { ...field("reporter", "Reporter", true) }],
  { ...field("priority", "Priority", true), hasDefaultValue: true },
];

const resolution = (id: string, name: string): FakeResolution => ({ id, name });

const SUMMARY_LENGTH = 255;
const TEXT_LENGTH = 32_767;

type Input = Readonly<Record<string, unknown>>;

/** The state of a site with two projects, and Jira's rules about it. */
export class FakeSite {
  readonly projects = [
    { id: "10001", key: "SHOP", name: "Shop" },
    { id: "10002", key: "OPS", name: "Operations" },
  ];
  readonly types: FakeType[] = [
    { id: "10100", name: "Epic", level: 1, notEdited: new Set(), fields: screen() },
    { id: "10101", name: "Bug", level: 0, notEdited: new Set(), fields: screen() },
    { id: "10102", name: "Task", level: 0, notEdited: new Set(), fields: screen() },
    { id: "10103", name: "Subtask", level: -1, notEdited: new Set(), fields: screen() },
  ];
  /** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-resolutions */
  readonly resolutions: readonly FakeResolution[] = [
    ...[resolution("10000", "Done"), resolution("10001", "Won't Do"), resolution("10002", "Duplicate")],
    ...[resolution("10003", "Cannot Reproduce"), resolution("10100", "Declined"), resolution("10101", "Sold")],
  ];
  /** Those that every issue has at any time. */
  transitions: readonly FakeTransition[] = [
    { id: "11", to: "To Do", isDone: false, fields: {} },
    { id: "31", to: "Done", isDone: true, fields: { resolution: { required: true, allowed: this.resolutions } } },
  ];
  readonly issues: FakeIssue[] = [];
  /** What the site calls types in the language of the token's user; names that are missing are shown as they are. */
  readonly translations = new Map<string, string>();
  readonly settings = {
    exists: true,
    archived: false,
    tokenRevoked: false,
    /** Requests with a refused token are handled as if nobody had signed in. */
    anonymous: false,
    /** Anybody may create issues, so requests with a refused token create them too. */
    publicCreates: false,
    /** The token's user may not see issues that are made from now on. */
    hidesIssues: false,
    /** The address that the site says it has; null: its real one. */
    baseUrl: null as string | null,
    /** Whether an administrator has renamed the site: the former name then redirects to the new one. */
    renamed: false,
    scopeMissing: false,
    redirects: false,
    permissions: new Set(["BROWSE_PROJECTS", "CREATE_ISSUES", "EDIT_ISSUES", "TRANSITION_ISSUES", "ADD_COMMENTS"]),
    /** How long searches do not show a new issue, in milliseconds. */
    searchLagMs: 0,
    /** The most entries of a page, whatever is asked for. */
    pageSize: 50,
  };
  /** Issues that will be made at a later time. */
  private waiting: { readonly at: Date; readonly make: () => void }[] = [];
  private readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  shown(name: string): string {
    return this.translations.get(name) ?? name;
  }

  /** Makes issues one after the other, each so many milliseconds after the one before. */
  trickle(makers: readonly (() => void)[], everyMs: number): void {
    const begin = this.now().getTime();
    this.waiting.push(...makers.map((make, at) => ({ at: new Date(begin + (at + 1) * everyMs), make })));
  }

  /** Makes the issues whose time has come. */
  goOn(): void {
    const due = this.waiting.filter(({ at }) => at <= this.now());
    this.waiting = this.waiting.filter(({ at }) => at > this.now());
    for (const { make } of due) make();
  }

  type(id: string): FakeType {
    const type = this.types.find((one) => one.id === id);
    if (!type) throw new Error(`There is no type ${id}.`);
    return type;
  }

  field(typeId: string, fieldId: string): FakeField {
    const found = this.type(typeId).fields.find((one) => one.fieldId === fieldId);
    if (!found) throw new Error(`There is no field ${fieldId}.`);
    return found;
  }

  /** Takes a field from the screen of a type. */
  dropField(typeId: string, fieldId: string): void {
    const { fields } = this.type(typeId);
    fields.splice(fields.indexOf(this.field(typeId, fieldId)), 1);
  }

  /** The resolution that has this name at present. */
  resolution(name: string): FakeResolution {
    const found = this.resolutions.find((one) => one.name === name);
    if (!found) throw new Error(`There is no resolution ${name}.`);
    return found;
  }

  issue(idOrKey: string): FakeIssue {
    const issue = this.issues.find(({ id, key, deleted }) => !deleted && (id === idOrKey || key === idOrKey));
    if (!issue) throw new Refused(404, ["Issue does not exist or you do not have permission to see it."]);
    return issue;
  }

  /** The issues that exist, by the marker in their properties. */
  byMarker(): ReadonlyMap<string, readonly FakeIssue[]> {
    const found = new Map<string, FakeIssue[]>();
    for (const issue of this.issues) {
      const marker = markerIn(issue.properties);
      if (marker !== null && !issue.deleted) found.set(marker, [...(found.get(marker) ?? []), issue]);
    }
    return found;
  }

  /** Creates an issue, or refuses it by the screen of its type. */
  create(fields: Input, properties: readonly { readonly key: string; readonly value: unknown }[]): FakeIssue {
    const project = this.projects.find(({ id }) => id === (fields.project as { id?: string } | undefined)?.id);
    if (!project) throw new Refused(400, [], { project: "Specify a valid project ID or key" });
    const type = this.types.find(({ id }) => id === (fields.issuetype as { id?: string } | undefined)?.id);
    if (!type) throw new Refused(400, [], { issuetype: "Specify a valid issue type" });
    const errors = this.faultsOf(fields, type);
    for (const { fieldId, name, required, hasDefaultValue } of type.fields)
      if (required && !hasDefaultValue && fieldId !== "reporter" && fields[fieldId] === undefined)
        errors[fieldId] = `${name} is required.`;
    const parent = (fields.parent as { id?: string } | undefined)?.id ?? null;
    if (type.level < 0 && parent === null)
      errors.parentId = "Issue type is a sub-task but parent issue key or id not specified.";
    if (Object.keys(errors).length > 0) throw new Refused(400, [], errors);
    const number = this.issues.length + 1;
    const at = this.now();
    const issue: FakeIssue = {
      id: String(20_000 + number),
      key: `${project.key}-${number}`,
      projectId: project.id,
      typeId: type.id,
      summary: "",
      description: null,
      labels: [],
      estimate: null,
      remaining: null,
      parent,
      doneAt: null,
      resolves: true,
      resolution: this.resolution("Done"),
      createdAt: at,
      listedAt: new Date(at.getTime() + this.settings.searchLagMs),
      worklogs: [],
      comments: [],
      properties: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
      deleted: false,
      hidden: this.settings.hidesIssues,
    };
    this.set(issue, fields);
    // Jira does so at the creation only.
    issue.remaining ??= issue.estimate;
    this.issues.push(issue);
    return issue;
  }

  edit(idOrKey: string, fields: Input): FakeIssue {
    const issue = this.issue(idOrKey);
    const errors = this.faultsOf(fields, this.type(issue.typeId), issue);
    if (Object.keys(errors).length > 0) throw new Refused(400, [], errors);
    const { parent } = fields as { parent?: { id: string } };
    if (parent) issue.parent = parent.id;
    this.set(issue, fields);
    return issue;
  }

  /** Moves an issue by a transition, or refuses it by the screen of that. */
  move(idOrKey: string, transitionId: string, fields: Input): void {
    const issue = this.issue(idOrKey);
    const transition = this.transitions.find(({ id }) => id === transitionId);
    if (!transition) throw new Refused(400, ["It seems that you have tried to perform an illegal workflow operation."]);
    const errors: Record<string, string> = {};
    for (const [name, { required }] of Object.entries(transition.fields))
      if (required && fields[name] === undefined) errors[name] = `${name} is required.`;
    for (const name of Object.keys(fields))
      if (!transition.fields[name])
        errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen.`;
    const given = (fields.resolution as { id?: string } | undefined)?.id;
    const resolution = this.resolutions.find(({ id }) => id === given);
    if (given !== undefined && !resolution) errors.resolution = "The resolution is not valid.";
    if (Object.keys(errors).length > 0) throw new Refused(400, [], errors);
    issue.doneAt = transition.isDone ? this.now() : null;
    if (resolution) issue.resolution = resolution;
  }

  private set(issue: FakeIssue, fields: Input): void {
    const {
      summary,
      description: text,
      labels,
      timetracking,
    } = fields as {
      summary?: string;
      description?: unknown;
      labels?: string[];
      timetracking?: { originalEstimate: string; remainingEstimate?: string };
    };
    if (summary !== undefined) issue.summary = summary.trim();
    if (text !== undefined) issue.description = text;
    if (labels !== undefined) issue.labels = labels;
    if (timetracking === undefined) return;
    issue.estimate = secondsOf(timetracking.originalEstimate) || null;
    if (timetracking.remainingEstimate !== undefined) issue.remaining = secondsOf(timetracking.remainingEstimate);
  }

  /** Jira's message about fields that it does not accept. */
  private faultsOf(fields: Input, type: FakeType, issue?: FakeIssue): Record<string, string> {
    const errors: Record<string, string> = {};
    const has = (id: string) =>
      (type.fields.some(({ fieldId }) => fieldId === id) && !(issue && type.notEdited.has(id))) ||
      (id === "parent" && type.level < 0);
    for (const name of Object.keys(fields))
      if (!has(name)) errors[name] = `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`;
    const { summary, description: text, labels, timetracking, parent } = fields as Record<string, unknown>;
    if (typeof summary === "string") {
      if (summary.trim() === "") errors.summary = "You must specify a summary of the issue.";
      if (/[\r\n]/.test(summary)) errors.summary = "The summary is invalid because it contains newline characters.";
      if (summary.length > SUMMARY_LENGTH) errors.summary = `Summary can't exceed ${SUMMARY_LENGTH} characters.`;
    } else if (summary !== undefined) errors.summary = "Operation value must be a string";
    if (text !== undefined && text !== null) {
      const faults = typeof text === "object" ? description.document(text) : ["text"];
      if (faults.length > 0)
        errors.description = `Operation value must be an Atlassian Document (see the Atlassian Document Format): ${faults[0]}`;
      if (JSON.stringify(text).length > TEXT_LENGTH)
        errors.description = "The entered text is too long. It exceeds the allowed limit of 32,767 characters.";
    }
    if (labels !== undefined && (!Array.isArray(labels) || labels.some((one) => /\s/.test(String(one)))))
      errors.labels = "The label contains spaces which is invalid.";
    const estimate = (timetracking as { originalEstimate?: unknown } | undefined)?.originalEstimate;
    if (timetracking !== undefined && (typeof estimate !== "string" || secondsOf(estimate) === null))
      errors.timetracking_originalestimate =
        "Original estimate is not valid. The format should be something like 4h 20m.";
    if (parent !== undefined) {
      const above = this.issues.find(({ id, deleted }) => !deleted && id === (parent as { id?: string }).id);
      if (!above || this.type(above.typeId).level !== type.level + 1 || above.id === issue?.id)
        errors.parentId = "Given parent work item does not belong to appropriate hierarchy.";
    }
    return errors;
  }
}

function secondsOf(text: string): number | null {
  const match = /^(?:(\d+)h)?(?: ?(\d+)m)?$/.exec(text);
  return match && text !== "" ? Number(match[1] ?? 0) * 3_600 + Number(match[2] ?? 0) * 60 : null;
}
