import type { Task } from "../tasks/shape.ts";
import type { Fields, Warning } from "./fields.ts";

/** An issue as people and the API name it. */
export interface IssueLink {
  /** What people call it, such as `#12` or `SHOP-12`. */
  readonly key: string;
  /** Its page for people. */
  readonly url: string;
}

/** What an issue is made of. */
export interface TaskToExport extends Pick<Task, "title" | "description" | "hours" | "role"> {
  /** Finds the issue again; see `marker.ts`. */
  readonly marker: string;
  /** Title of the milestone that it belongs to; null: none. */
  readonly milestone: string | null;
  /** The parent's issue, where the tracker cannot hold this one below it (`placement.ts`): the text links to it. */
  readonly parentLink: IssueLink | null;
}

/** What every issue of an export says of the estimation. */
export interface ExportedEstimation {
  readonly id: string;
  readonly title: string;
  /** Its page in the web application. */
  readonly url: string;
}

/** A task as the fields of an issue. */
export interface Composed {
  readonly fields: Fields;
  /** Empty where everything fits. */
  readonly warnings: readonly Warning[];
}

/** How issues may be nested in a tracker. */
export interface Nesting {
  /** Levels of issues at most, the topmost included. */
  readonly levels: number;
  /** Issues directly below one. */
  readonly children: number;
}
