import type { Layout } from "../../../../domain/exports/shape.ts";

export interface Checked {
  /** Empty: nothing prevents exports. */
  readonly problems: readonly Problem[];
  /**
   * Permanent key of installation and destination: the same after a rename of the destination, and for every address
   * that leads there. The ledger uses it as its key. null: no destination was asked about, or it was not found.
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

/** What was found, and what keeps it from being everything. */
export interface ListedProjects {
  readonly listed: readonly ListedProject[];
  readonly problems: readonly Problem[];
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
  readonly remedy: string;
}

export type ProblemCode =
  | "token_rejected"
  | "scope_missing"
  | "sign_on_missing"
  | "address_not_allowed"
  | "list_incomplete"
  | "destination_missing"
  | "destination_moved"
  | "destination_archived"
  | "issues_disabled"
  | "permission_missing"
  | "issue_type_missing"
  | "fields_required"
  | "unreachable"
  | "busy";
