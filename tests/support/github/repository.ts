import { markersIn } from "../../../domain/exports/github/marker.ts";
import { Refusal } from "../trackers/server.ts";

export interface FakeComment {
  readonly body: string;
  readonly association: "OWNER" | "MEMBER" | "COLLABORATOR" | "NONE";
  readonly at: Date;
}

/** Reasons for the state of an issue. https://docs.github.com/rest/issues/issues#update-an-issue */
export type StateReason = "completed" | "not_planned" | "duplicate" | "reopened";

export interface FakeIssue {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string;
  labels: string[];
  /** Number of the milestone. */
  milestone: number | null;
  closedAt: Date | null;
  /** Why it has its state; null: it was never closed. */
  stateReason: StateReason | null;
  readonly createdAt: Date;
  updatedAt: Date;
  /** When lists begin to show it. */
  listedAt: Date;
  /** Number of the parent. */
  parent: number | null;
  readonly comments: FakeComment[];
  isPullRequest: boolean;
  /** `hidden`: transferred to a repository that the token may not read. */
  gone: "deleted" | "transferred" | "hidden" | null;
}

export interface FakeMilestone {
  readonly number: number;
  readonly title: string;
  readonly dueOn: string | null;
}

/** Settings that people can change at GitHub, and tests at any time. */
export interface Settings {
  exists: boolean;
  renamed: boolean;
  /** The repository's present name, if it was renamed: requests for the first name are redirected. */
  newName: string | null;
  /** GitHub's id of the repository, which stays when it is renamed. */
  id: number;
  /** The name in responses; null: the one in the request. */
  fullName: string | null;
  archived: boolean;
  hasIssues: boolean;
  isPrivate: boolean;
  /** Whether the token's user may write. If not, GitHub accepts issues, but drops their labels and milestones. */
  push: boolean;
  tokenRevoked: boolean;
  /** The organization requires single sign-on, for which the token is not authorized. */
  signOn: boolean;
  /** Organizations that lists leave out for that reason. */
  hiddenOrganizations: number;
  /** The organization allows listed IP addresses only, and this is none of them. */
  addressList: boolean;
  /** The token may not list repositories. */
  listsNothing: boolean;
  /** Scopes of a classic token; null: it is fine-grained. */
  scopes: string | null;
  /** How long lists do not show a new issue, in milliseconds. */
  listLagMs: number;
  /** GitHub's own secondary limits for writes. */
  writesPerMinute: number;
  writesPerHour: number;
}

/** A refusal with GitHub's status and message. */
export class Refused extends Refusal {
  constructor(status: number, message: string, errors: readonly object[] = []) {
    super(status, { message, ...(errors.length > 0 ? { errors } : {}) });
  }
}

const invalid = (resource: string, field: string, code: string, message?: string) =>
  new Refused(422, "Validation Failed", [{ resource, field, code, ...(message ? { message } : {}) }]);

const TITLE_LENGTH = 256;
const BODY_LENGTH = 65_536;
const CHILDREN = 100;
const LEVELS = 8;

export interface IssueInput {
  readonly title?: string;
  readonly body?: string | null;
  readonly labels?: readonly string[];
  readonly milestone?: number | null;
  readonly isPullRequest?: boolean;
}

/** The state of one repository, and GitHub's rules about it. */
export class FakeRepository {
  /** Names of the repositories that the token reaches, the most recently pushed first. */
  reached: readonly string[] = [];
  readonly settings: Settings = {
    exists: true,
    renamed: false,
    newName: null,
    id: 700_001,
    fullName: null,
    archived: false,
    hasIssues: true,
    isPrivate: true,
    push: true,
    tokenRevoked: false,
    signOn: false,
    hiddenOrganizations: 0,
    addressList: false,
    listsNothing: false,
    scopes: null,
    listLagMs: 0,
    writesPerMinute: 80,
    writesPerHour: 500,
  };
  readonly issues: FakeIssue[] = [];
  readonly labels: { readonly name: string; readonly description: string; readonly color: string }[] = [];
  readonly milestones: FakeMilestone[] = [];
  readonly now: () => Date;
  constructor(now: () => Date) {
    this.now = now;
  }

  /** GitHub's times are in whole seconds. */
  private get second(): Date {
    return new Date(Math.floor(this.now().getTime() / 1_000) * 1_000);
  }

  issue(number: number): FakeIssue {
    const issue = this.issues.find((one) => one.number === number);
    if (!issue) throw new Refused(404, "Not Found");
    return issue;
  }

  /** The issues that exist, by the marker in their bodies. */
  byMarker(): ReadonlyMap<string, readonly FakeIssue[]> {
    const found = new Map<string, FakeIssue[]>();
    for (const issue of this.issues)
      if (issue.gone === null)
        for (const marker of markersIn(issue.body)) found.set(marker, [...(found.get(marker) ?? []), issue]);
    return found;
  }

  create(input: IssueInput): FakeIssue {
    const { title = "", body, labels = [], milestone = null, isPullRequest = false } = input;
    this.checkTexts(title, body ?? "");
    this.checkMilestone(milestone);
    const number = this.issues.length + 1;
    const { push, listLagMs } = this.settings;
    const issue: FakeIssue = {
      // Larger than 32 bits, as GitHub's are.
      id: 5_000_000_000 + number * 17,
      number,
      title: title.trim(),
      body: body ?? "",
      labels: push ? [...labels] : [],
      milestone: push ? milestone : null,
      closedAt: null,
      stateReason: null,
      createdAt: this.second,
      updatedAt: this.second,
      listedAt: new Date(this.now().getTime() + listLagMs),
      parent: null,
      comments: [],
      isPullRequest,
      gone: null,
    };
    for (const name of issue.labels)
      if (!this.hasLabel(name)) this.labels.push({ name, description: "", color: "ededed" });
    this.issues.push(issue);
    return issue;
  }

  edit(number: number, { title, body, milestone }: IssueInput): FakeIssue {
    const issue = this.issue(number);
    this.checkTexts(title ?? issue.title, body ?? issue.body);
    this.checkMilestone(milestone ?? null);
    if (title !== undefined) issue.title = title.trim();
    if (body !== undefined) issue.body = body ?? "";
    if (milestone !== undefined && this.settings.push) issue.milestone = milestone;
    issue.updatedAt = this.second;
    return issue;
  }

  close(number: number, stateReason: StateReason | null = "completed"): void {
    Object.assign(this.issue(number), { closedAt: this.second, updatedAt: this.second, stateReason });
  }

  reopen(number: number): void {
    Object.assign(this.issue(number), { closedAt: null, updatedAt: this.second, stateReason: "reopened" });
  }

  comment(number: number, body: string, association: FakeComment["association"] = "MEMBER"): FakeComment {
    const comment = { body, association, at: this.second };
    this.issue(number).comments.push(comment);
    return comment;
  }

  hasLabel(name: string): boolean {
    return this.labels.some((label) => label.name.toLowerCase() === name.toLowerCase());
  }

  createLabel(label: { name: string; description?: string; color?: string }) {
    this.requirePush();
    const { name, description = "", color = "ededed" } = label;
    if (this.hasLabel(name)) throw invalid("Label", "name", "already_exists");
    if (name.length > 50) throw invalid("Label", "name", "custom", "name is too long (maximum is 50 characters)");
    if (/[\u{10000}-\u{10ffff}]/u.test(description))
      throw invalid("Label", "description", "custom", "description doesn't accept 4-byte Unicode");
    if ([...description].length > 100) throw invalid("Label", "description", "custom", "description is too long");
    const made = { name, description, color };
    this.labels.push(made);
    return made;
  }

  createMilestone({ title, due_on }: { title: string; due_on?: string }): FakeMilestone {
    this.requirePush();
    if (this.milestones.some((one) => one.title.toLowerCase() === title.toLowerCase()))
      throw invalid("Milestone", "title", "already_exists");
    const made = { number: this.milestones.length + 1, title: title.trim(), dueOn: due_on ?? null };
    this.milestones.push(made);
    return made;
  }

  addSubIssue(number: number, id: number, replacesParent = false): FakeIssue {
    const parent = this.issue(number);
    const child = this.issues.find((one) => one.id === id);
    if (!child || child.gone !== null) throw new Refused(404, "The provided sub-issue does not exist");
    if (child.parent === number)
      throw new Refused(
        422,
        "An error occurred while adding the sub-issue to the parent issue. Issue may not contain duplicate sub-issues",
      );
    if (child.parent !== null && !replacesParent)
      throw new Refused(
        422,
        "An error occurred while adding the sub-issue to the parent issue. Sub issue may only have one parent",
      );
    if (this.issues.filter((one) => one.parent === number).length >= CHILDREN)
      throw new Refused(422, `Parent cannot have more than ${CHILDREN} sub-issues`);
    if (this.depthOf(parent) + this.heightOf(child) > LEVELS)
      throw new Refused(422, `Sub-issues cannot be nested more than ${LEVELS} levels`);
    child.parent = number;
    return parent;
  }

  private depthOf(issue: FakeIssue): number {
    return issue.parent === null ? 1 : 1 + this.depthOf(this.issue(issue.parent));
  }

  private heightOf(issue: FakeIssue): number {
    const below = this.issues.filter((one) => one.parent === issue.number);
    return 1 + Math.max(0, ...below.map((one) => this.heightOf(one)));
  }

  requirePush(): void {
    // GitHub shows a token nothing that it may not read.
    if (!this.settings.push) throw new Refused(404, "Not Found");
  }

  private checkMilestone(milestone: number | null): void {
    if (milestone !== null && !this.milestones.some(({ number }) => number === milestone))
      throw invalid("Issue", "milestone", "invalid");
  }

  private checkTexts(title: string, body: string): void {
    if (title.trim() === "") throw invalid("Issue", "title", "missing_field");
    if ([...title].length > TITLE_LENGTH)
      throw invalid("Issue", "title", "custom", `title is too long (maximum is ${TITLE_LENGTH} characters)`);
    if ([...body].length > BODY_LENGTH)
      throw invalid("Issue", "body", "custom", `body is too long (maximum is ${BODY_LENGTH} characters)`);
  }
}
