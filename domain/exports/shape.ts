import type { Task } from "../tasks/shape.ts";
import type { Fields, Warning } from "./fields.ts";
import type { JiraLayout } from "./jira/issue-types.ts";

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
  /** How many issues its own is below: 0 for a topmost one. */
  readonly depth: number;
  /** The parent's issue, where the tracker cannot hold this one below it (`placement.ts`): the text links to it. */
  readonly parentLink: IssueLink | null;
}

/** What every issue of an export says about the estimation. */
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

/** How issues are made in a destination, asked once at the start of a run; plain data that is stored with it. */
export interface Layout {
  /** The project or repository as the tracker names it now, for people and events. */
  readonly project: string;
  readonly nesting: Nesting;
  /** Of Jira only. */
  readonly jira?: JiraLayout;
}
