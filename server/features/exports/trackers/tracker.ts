import type { ExportTarget } from "../../../../contract/endpoints/connections.ts";
import type { Fields } from "../../../../domain/exports/fields.ts";
import type { Composed, ExportedEstimation, Layout, TaskToExport } from "../../../../domain/exports/shape.ts";
import type { Checked, ListedIssueType, ListedProjects, Problem } from "./checked.ts";
import type { Closed, Created, Found, Gone, Linked, NewIssue, Prepared, Remote, Updated, Wanted } from "./issues.ts";
import type { Access, Call, Destination, Reached } from "./reach.ts";
import type { Fault } from "./tracker-fault.ts";

/**
 * What one kind of tracker does for an export. It has no state, does not use the database, and sends each request once:
 * the ledger decides whether something is sent again. Every method that talks to the tracker throws `TrackerFault` and
 * nothing else for what the tracker or the network does.
 */
export interface Tracker {
  readonly target: ExportTarget;
  /** Issues in one call of `create` at most, … */
  readonly batch: number;
  /** … and after a response was lost. */
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
   * not only read. `layout`: what an earlier check of the same run has found; it goes on with that where it can.
   */
  check(
    access: Access,
    destination: Destination | null,
    options: { readonly writes: boolean; readonly layout?: Layout | null },
    call?: Call,
  ): Promise<Checked>;

  /**
   * Returns repositories or projects that the token reaches and whose key or name has these words, in any case; at most
   * `limits.trackerProjectsListed`.
   */
  projects(access: Access, words: string, call?: Call): Promise<ListedProjects>;

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
   * Closes an issue as not planned, after a comment that names the estimation, each with a call and one write. Idempotent: an
   * issue that is closed stays as it is, and the comment is not repeated where `isSaid`, or where it was made at `since` or later.
   */
  close(
    reached: Reached,
    ref: string,
    why: { readonly estimation: ExportedEstimation; readonly since: Date; readonly isSaid: boolean },
    call?: Call,
  ): Promise<Closed>;

  /**
   * Returns every issue that carries one of the markers and was made at `since` or later by the tracker's clock (see
   * `Call.onTime`), oldest first, so that twins are seen. A marker that is missing in the response was not found. Throws
   * a fault of the kind `refused` if it cannot look through everything that was made since.
   */
  find(
    reached: Reached,
    wanted: { readonly markers: readonly string[]; readonly since: Date },
    call?: Call,
  ): Promise<ReadonlyMap<string, readonly Found[]>>;

  /** Returns the current state of issues, by their `ref`. */
  read(
    reached: Reached,
    refs: readonly string[],
    options: { /** Also read the actual hours. */ readonly hours: boolean },
    call?: Call,
  ): Promise<ReadonlyMap<string, Remote | Gone>>;
}

/** Writes to the tracker by one connection: never two at once, and no more than this many. */
export interface Pace {
  readonly writesPerMinute: number;
  /** In any hour. */
  readonly writesPerHour: number;
}
