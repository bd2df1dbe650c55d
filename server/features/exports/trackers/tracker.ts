import type { ExportTarget } from "../../../../contract/connections.ts";
import type { Fields, Warning } from "../../../../domain/exports/fields.ts";
import type {
  Composed,
  ExportedEstimation,
  IssueLink,
  Layout,
  TaskToExport,
} from "../../../../domain/exports/shape.ts";

/**
 * What one kind of tracker does for an export. It has no state, does not use the database, and sends each request once:
 * the ledger decides whether something is sent again. Every method that talks to the tracker throws `TrackerFault` and
 * nothing else for what the tracker or the network does.
 */
export interface Tracker {
  readonly target: ExportTarget;
  /** Issues in one call of `create` at most, … */
  readonly batch: number;
  /** … and after an answer was lost. */
  readonly smallBatch: number;
  /** How long a creating request may take. */
  readonly createTimeoutSeconds: number;
  /** Issues in one call of `read` at most: so many requests, one after the other. */
  readonly readBatch: number;
  /** Whether `create` places an issue below its parent. Otherwise `link` does, once the issue exists. */
  readonly placesAtCreation: boolean;
  readonly pace: Pace;

  /** Returns the fields of a task's issue. Pure: the same input gives the same fields. */
  compose(task: TaskToExport, estimation: ExportedEstimation, layout: Layout): Composed;

  /**
   * Returns a key for the installation that a connection leads to: the same for every spelling of its address. Pure.
   * Running exports end when this changes.
   */
  address(access: Pick<Access, "baseUrl">): string;

  /**
   * Returns what prevents exports: of the token alone, or with a destination of that too. `writes`: issues are to be made,
   * not only read.
   */
  check(
    access: Access,
    destination: Destination | null,
    options: { readonly writes: boolean },
    call?: Call,
  ): Promise<Checked>;

  /**
   * Returns repositories or projects that the token reaches and whose key or name has these words, in any case; at most
   * `limits.trackerProjectsListed`.
   */
  projects(access: Access, words: string, call?: Call): Promise<readonly ListedProject[]>;

  /** Returns the types of issues that can be made in a project; empty where the tracker has none. */
  issueTypes(access: Access, project: string, call?: Call): Promise<readonly ListedIssueType[]>;

  /** Returns a fault of a check as a problem, for the person who asked for the check. */
  problemOf(fault: Fault): Problem;

  /**
   * Reads what issues refer to (in GitHub a label and milestones): what exists, and what is missing. Writes nothing.
   */
  survey(reached: Reached, wanted: Wanted, call?: Call): Promise<Prepared>;

  /**
   * Makes the first of what is missing, with one write: call it again, at the pace of writes, until nothing is. After a
   * fault begin with `survey` again.
   */
  make(reached: Reached, wanted: Wanted, prepared: Prepared, call?: Call): Promise<Prepared>;

  /**
   * Creates issues, all in one request, and returns an outcome for each, in order. After a fault of the kind `unknown`
   * each of them may exist or not: look for their markers.
   */
  create(reached: Reached, items: readonly NewIssue[], prepared: Prepared, call?: Call): Promise<readonly Created[]>;

  /** Sets some fields of an issue. Idempotent: it may be repeated after any fault. */
  update(reached: Reached, ref: string, fields: Fields, prepared: Prepared, call?: Call): Promise<Updated>;

  /**
   * Places an issue below another, with one write. Idempotent: an issue that is there already is `linked`. `from`: the issue
   * that an earlier export placed it below. It is moved away from that one, but not from where people have placed it.
   */
  link(
    reached: Reached,
    ref: string,
    { parentRef, from }: { readonly parentRef: string; readonly from: string | null },
    call?: Call,
  ): Promise<Linked>;

  /**
   * Returns every issue that carries one of the markers and was made at `since` or later by the tracker's clock (see
   * `Call.onTime`), oldest first, so that twins are seen. A marker that is missing in the answer was not found. Throws
   * a fault of the kind `refused` if it cannot look through everything that was made since.
   */
  find(
    reached: Reached,
    wanted: { readonly markers: readonly string[]; readonly since: Date },
    call?: Call,
  ): Promise<ReadonlyMap<string, readonly Found[]>>;

  /** Returns the present state of issues, by their `ref`. */
  read(
    reached: Reached,
    refs: readonly string[],
    options: { /** Also read the actual hours. */ readonly hours: boolean },
    call?: Call,
  ): Promise<ReadonlyMap<string, Remote | Gone>>;
}

/** How to reach the tracker, and as whom. */
export interface Access {
  /** Address of an own installation, as the user gave it; null: the public service. */
  readonly baseUrl: string | null;
  readonly email: string | null;
  readonly token: string;
}

/** Where issues go. */
export interface Destination {
  /** GitHub: `owner/repo`. Jira: the key of a project. */
  readonly project: string;
  /** Name or id of the type of the topmost issues; null: the tracker's choice, or it has no types. */
  readonly issueType: string | null;
}

/** A destination, and how to reach it. */
export interface Reached {
  readonly access: Access;
  readonly destination: Destination;
  /** What `check` found at the start of the run; null: it was not asked yet. */
  readonly layout: Layout | null;
}

/** How a call is aborted, and what it reports beside its result. */
export interface Call {
  /** Aborting it throws a fault of the kind `unknown`. */
  readonly signal?: AbortSignal;
  /** The tracker's answer, even if a success, asks for a pause until `until`. Store it with the outcome. */
  readonly onPause?: (until: Date) => void;
  /** The time of an answer by the tracker's clock, which may differ from ours. */
  readonly onTime?: (at: Date) => void;
}

/** Writes to the tracker by one connection: never two at once, and no more than this many. */
export interface Pace {
  readonly writesPerMinute: number;
  /** In any hour. */
  readonly writesPerHour: number;
}

export interface Checked {
  /** Empty: nothing prevents exports. */
  readonly problems: readonly Problem[];
  /**
   * Permanent key of installation and destination: the same after a rename of the destination, and for every address
   * that leads there. The ledger is kept under it. null: no destination was asked about, or it was not found.
   */
  readonly destination: string | null;
  /** Keys of the same destination in earlier versions of the service. */
  readonly former: readonly string[];
  /** How issues are made there; null where a problem prevents that, or no destination was asked about. */
  readonly layout: Layout | null;
}

export interface ListedProject {
  /** The value to give to an export. */
  readonly key: string;
  readonly name: string;
}

export interface ListedIssueType {
  readonly id: string;
  readonly name: string;
  /** 1: epics, 0: stories and tasks, -1: sub-tasks. */
  readonly level: number;
  /** Whether the topmost issues of an export can have it. */
  readonly canBeTop: boolean;
}

/** What prevents an export, as text for people. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  /** What to do about it. */
  readonly mend: string;
}

export type ProblemCode =
  | "token_rejected"
  | "scope_missing"
  | "destination_missing"
  | "destination_moved"
  | "destination_archived"
  | "issues_disabled"
  | "permission_missing"
  | "issue_type_missing"
  | "fields_required"
  | "unreachable"
  | "busy";

/** Things of the destination that issues refer to. */
export interface Wanted {
  readonly estimation: ExportedEstimation;
  readonly milestones: readonly WantedMilestone[];
}

export interface WantedMilestone {
  readonly title: string;
  /** A date such as `2027-01-31`; null: none. */
  readonly dueDate: string | null;
}

/** What `survey` found and `make` made; plain data that is stored as JSON. Only the tracker interprets the names. */
export interface Prepared {
  /** The tracker's names or ids of what issues refer to, by names of its own choice. */
  readonly ids: Readonly<Record<string, string>>;
  /** What is still to be made, by the same names, in this order. */
  readonly missing: readonly string[];
}

/** Before `survey`; no issue is made with it. */
export const nothingPrepared: Prepared = { ids: {}, missing: [] };

export interface NewIssue {
  readonly fields: Fields;
  readonly marker: string;
  /** How many issues it is below: 0 for a topmost one. */
  readonly depth: number;
  /** The `ref` of its parent, where the tracker places issues at creation. */
  readonly parentRef: string | null;
}

/** An issue that exists. */
export interface Issue extends IssueLink {
  /** The tracker's own key of it: store it, but do not interpret it. */
  readonly ref: string;
}

export type Created =
  /** It exists and is one of these, but the tracker does not show which one. */
  | { readonly outcome: "made"; readonly among: readonly Issue[] }
  | { readonly outcome: "created"; readonly issue: Issue; readonly warnings: readonly Warning[] }
  | { readonly outcome: "refused" /** In the tracker's words. */; readonly reason: string };

export type Updated =
  | {
      readonly outcome: "updated";
      readonly warnings: readonly Warning[];
      /** Fields that were refused, and are unchanged. */
      readonly left: readonly string[];
    }
  | { readonly outcome: "refused"; readonly reason: string }
  | Gone;

export type Linked =
  | { readonly outcome: "linked" }
  /** People have placed it elsewhere, or the tracker does not take it there. */
  | { readonly outcome: "refused"; readonly reason: string }
  | Gone;

export interface Found {
  readonly marker: string;
  readonly issue: Issue;
  readonly createdAt: Date;
}

export interface Remote {
  readonly outcome: "present";
  readonly issue: Issue;
  /** The same names as those of `compose`. */
  readonly fields: Fields;
  /** When it was closed; null: it is open. */
  readonly closedAt: Date | null;
  /** null: none are given, or they were not asked for. */
  readonly actualHours: number | null;
}

/** The issue is no longer there. */
export interface Gone {
  readonly outcome: "gone";
  /**
   * Only deleted issues are ever made again: if the tracker can tell the difference, an issue that cannot be seen
   * counts as moved. An issue of GitHub that was turned into a pull request is there, but is no issue any more.
   */
  readonly reason: "deleted" | "moved" | "pull_request";
}

/** Why a call has no result, by the effect on the ledger. */
export type Fault =
  /** The token is wrong, expired or revoked. Nothing was done. */
  | { readonly kind: "token_rejected" }
  /** Nothing can be written to the destination until this is fixed. Nothing was done. */
  | { readonly kind: "blocked"; readonly problem: Problem }
  /** A rate limit of any sort: nothing was done, and nothing may be sent before `until`. */
  | {
      readonly kind: "wait";
      readonly until: Date;
      /** A secondary limit grows with each further breach: wait twice as long each time in a row. */
      readonly grows: boolean;
    }
  /** Definite: nothing was done, and the same request would be refused again. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Definite: the request did not leave, or the tracker was not reached. Trying later is safe. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** It may or may not have been done: a timeout, a 5xx, or an answer that is cut off or invalid. */
  | { readonly kind: "unknown"; readonly reason: string };

export class TrackerFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, options: { cause?: unknown } = {}) {
    super("reason" in fault ? `${fault.kind}: ${fault.reason}` : fault.kind, options);
    this.fault = fault;
  }
}
