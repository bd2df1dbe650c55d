import type { Resolution } from "../../../../domain/exports/dropped.ts";
import type { Fields, Warning } from "../../../../domain/exports/fields.ts";
import type { ExportedEstimation, IssueLink } from "../../../../domain/exports/shape.ts";

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

export type Closed =
  /** Also one that was closed before. */
  | { readonly outcome: "closed" } /** The comment is written: close it with the next write. */
  | { readonly outcome: "said" }
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
  /** How it was closed; null: it is open, or the tracker does not say. */
  readonly resolution: Resolution | null;
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
