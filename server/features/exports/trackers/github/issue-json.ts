import type { Resolution } from "../../../../../domain/exports/dropped.ts";
import type { Issue } from "../issues.ts";
import { dateIn, fieldOf, integerIn, listIn, textIn } from "../json.ts";
import type { Reached } from "../reach.ts";
import { issuePage } from "./address.ts";

/** The fields of GitHub's issue that are used here. */
export interface IssueJson {
  readonly issue: Issue;
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** Title of the milestone. */
  readonly milestone: string | null;
  readonly labels: readonly string[];
  readonly comments: number;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
  /** Why it was closed. Servers of one's own may not say it yet. */
  readonly resolution: Resolution | null;
  readonly parentNumber: number | null;
}

/** Returns whether what GitHub returns for an issue is a pull request. An issue that was turned into one keeps its number and id. */
export const isPullRequest = (json: unknown): boolean => Boolean(fieldOf(json, "pull_request"));

/** Returns an issue of a response; null for anything else, such as a pull request, which GitHub lists among issues. */
export function readIssue(json: unknown, reached: Reached): IssueJson | null {
  const [id, number] = [integerIn(json, "id"), integerIn(json, "number")];
  const createdAt = dateIn(json, "created_at");
  if (id === null || number === null || createdAt === null) return null;
  if (isPullRequest(json)) return null;
  const url = issuePage(textIn(json, "html_url"), number, reached);
  const isClosed = textIn(json, "state") === "closed";
  const reason = isClosed ? textIn(json, "state_reason") : null;
  const parent = /\/issues\/(\d+)$/.exec(textIn(json, "parent_issue_url") ?? "");
  return {
    issue: { ref: refOf({ id, number }), key: `#${number}`, url },
    id,
    number,
    title: textIn(json, "title") ?? "",
    body: textIn(json, "body") ?? "",
    milestone: textIn(fieldOf(json, "milestone"), "title"),
    labels: listIn(json, "labels").flatMap((label) =>
      typeof label === "string" ? label : (textIn(label, "name") ?? []),
    ),
    comments: integerIn(json, "comments") ?? 0,
    createdAt,
    closedAt: isClosed ? (dateIn(json, "closed_at") ?? dateIn(json, "updated_at")) : null,
    resolution: reason === null ? null : { id: reason, name: reason },
    parentNumber: parent ? Number(parent[1]) : null,
  };
}

/** The number names an issue within its repository, the id names it everywhere: sub-issues take the id. */
const refOf = ({ id, number }: { id: number; number: number }): string => `${number}:${id}`;

export function readRef(ref: string): { id: number; number: number } {
  const [number = Number.NaN, id = Number.NaN] = ref.split(":").map(Number);
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(id))
    throw new Error("This is not a reference to an issue.");
  return { id, number };
}
