import type { Layout } from "../../../../domain/exports/shape.ts";

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
  /** The tracker's response, even if a success, asks for a pause until `until`. Store it with the outcome. */
  readonly onPause?: (until: Date) => void;
  /** The time of a response by the tracker's clock, which may differ from ours. */
  readonly onTime?: (at: Date) => void;
}
