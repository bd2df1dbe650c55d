/** The type of issues at one depth of an export, and which of the fields that exports fill its screen has. */
interface LaidType {
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
