import type { Done } from "../trackers/server.ts";
import { description } from "./description.ts";
import {
  type FakeComment,
  type FakeIssue,
  type FakeRepository,
  type IssueInput,
  Refused,
  type StateReason,
} from "./repository.ts";

interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Address of the API, without a slash at the end. */
  readonly root: string;
}

interface IssueState {
  readonly state?: "open" | "closed";
  readonly state_reason?: StateReason;
}

const iso = (date: Date) => date.toISOString().replace(/\.\d{3}Z$/, "Z");

const kept = new Map<string, Readonly<Record<string, unknown>>>();
/** Returns the smallest record of a kind that GitHub's description accepts. */
function sample(name: string): Readonly<Record<string, unknown>> {
  const known = kept.get(name) ?? description.sample(`#/components/schemas/${name}`);
  kept.set(name, known);
  return known;
}

/** What the fake does for each operation of GitHub's description that exports use. */
export function createOperations(repository: FakeRepository) {
  const base = ({ params, root }: Asked) => `${root}/repos/${params.owner}/${params.repo}`;
  const page = ({ params, root }: Asked) => `${new URL(root).origin}/${params.owner}/${params.repo}`;

  const label = (name: string, asked: Asked) => {
    const { description: text, color } = repository.labels.find((one) => one.name === name) ?? {
      description: "",
      color: "ededed",
    };
    return {
      ...sample("label"),
      name,
      description: text,
      color,
      url: `${base(asked)}/labels/${encodeURIComponent(name)}`,
    };
  };
  const milestone = (number: number) => {
    const { title, dueOn } = repository.milestones[number - 1] ?? { title: "", dueOn: null };
    return { ...sample("milestone"), number, title, due_on: dueOn };
  };
  const issue = (one: FakeIssue, asked: Asked) => ({
    ...sample("issue"),
    id: one.id,
    number: one.number,
    title: one.title,
    body: one.body,
    html_url: `${page(asked)}/issues/${one.number}`,
    url: `${base(asked)}/issues/${one.number}`,
    state: one.closedAt ? "closed" : "open",
    state_reason: one.stateReason,
    closed_at: one.closedAt && iso(one.closedAt),
    created_at: iso(one.createdAt),
    updated_at: iso(one.updatedAt),
    labels: one.labels.map((name) => label(name, asked)),
    milestone: one.milestone === null ? null : milestone(one.milestone),
    comments: one.comments.length,
    parent_issue_url: one.parent === null ? null : `${base(asked)}/issues/${one.parent}`,
    ...(one.isPullRequest
      ? { pull_request: { diff_url: page(asked), html_url: page(asked), patch_url: page(asked), url: page(asked) } }
      : {}),
  });

  const comment = ({ body, association }: FakeComment) => ({
    ...sample("issue-comment"),
    body,
    author_association: association,
  });

  /** Returns the issue of the path, unless it is gone. */
  const present = (asked: Asked): FakeIssue => {
    const one = repository.issue(Number(asked.params.issue_number));
    if (one.gone === "deleted") throw new Refused(410, "This issue was deleted");
    if (one.gone === "transferred") throw new Refused(301, "Moved Permanently");
    if (one.gone === "hidden") throw new Refused(404, "Not Found");
    return one;
  };
  const part = (all: readonly unknown[], { query, root }: Asked, path: string): Done => {
    const size = Number(query.get("per_page") ?? 30);
    const number = Number(query.get("page") ?? 1);
    const isLast = number * size >= all.length;
    const next = new URLSearchParams([...query].filter(([name]) => name !== "page"));
    next.set("page", String(number + 1));
    return {
      status: 200,
      json: all.slice((number - 1) * size, number * size),
      headers: isLast ? {} : { link: `<${root}${path}?${next}>; rel="next"` },
    };
  };
  const issuesOn = () => {
    if (!repository.settings.hasIssues) throw new Refused(410, "Issues has been disabled in this repository.");
  };
  const writable = () => {
    if (repository.settings.archived) throw new Refused(403, "Repository was archived so is read-only.");
  };
  const repo = "/repos/{owner}/{repo}";

  return {
    "GET /rate_limit": (): Done => ({ status: 200, json: sample("rate-limit-overview") }),

    "GET /user/repos": ({ query }: Asked): Done => {
      const { hiddenOrganizations: hidden, listsNothing } = repository.settings;
      if (listsNothing) throw new Refused(403, "Resource not accessible by personal access token");
      const size = Number(query.get("per_page"));
      const from = (Number(query.get("page")) - 1) * size;
      const shown = repository.reached.slice(from, from + size);
      const json = shown.map((name) => ({ ...sample("repository"), full_name: name, name: name.split("/")[1] }));
      const ids = Array.from({ length: hidden }, (_, at) => 21_955_855 + at);
      const headers: Record<string, string> =
        hidden === 0 ? {} : { "x-github-sso": `partial-results; organizations=${ids.join(",")}` };
      return { status: 200, json, headers };
    },

    [`GET ${repo}`]: (asked: Asked): Done => {
      const { archived, fullName, hasIssues, isPrivate, push } = repository.settings;
      const json = {
        ...sample("full-repository"),
        id: repository.settings.id,
        full_name: fullName ?? `${asked.params.owner}/${asked.params.repo}`,
        archived,
        has_issues: hasIssues,
        private: isPrivate,
        permissions: { admin: false, maintain: false, push, triage: push, pull: true },
      };
      return { status: 200, json };
    },

    [`GET ${repo}/issues`]: (asked: Asked): Done => {
      issuesOn();
      const { query } = asked;
      const state = query.get("state") ?? "open";
      const since = new Date(query.get("since") ?? 0);
      const sign = query.get("direction") === "asc" ? 1 : -1;
      const shown = repository.issues
        .filter((one) => one.gone === null && one.listedAt <= repository.now() && one.updatedAt >= since)
        .filter((one) => state === "all" || (one.closedAt ? "closed" : "open") === state)
        .toSorted((a, b) => sign * (a.number - b.number));
      return part(
        shown.map((one) => issue(one, asked)),
        asked,
        `/repos/${asked.params.owner}/${asked.params.repo}/issues`,
      );
    },

    [`POST ${repo}/issues`]: (asked: Asked): Done => {
      issuesOn();
      writable();
      return { status: 201, json: issue(repository.create(asked.body as IssueInput), asked) };
    },

    [`GET ${repo}/issues/{issue_number}`]: (asked: Asked): Done => {
      issuesOn();
      return { status: 200, json: issue(present(asked), asked) };
    },

    [`PATCH ${repo}/issues/{issue_number}`]: (asked: Asked): Done => {
      issuesOn();
      writable();
      const { number } = present(asked);
      const { state, state_reason: reason = "completed", ...input } = asked.body as IssueInput & IssueState;
      const edited = repository.edit(number, input);
      if (state === "closed" && edited.closedAt === null) repository.close(number, reason);
      return { status: 200, json: issue(edited, asked) };
    },

    [`GET ${repo}/issues/{issue_number}/comments`]: (asked: Asked): Done => {
      const since = new Date(asked.query.get("since") ?? 0);
      const comments = present(asked).comments.filter(({ at }) => at >= since);
      return part(comments.map(comment), asked, "/comments");
    },

    [`POST ${repo}/issues/{issue_number}/comments`]: (asked: Asked): Done => {
      issuesOn();
      writable();
      const { number } = present(asked);
      const { body } = asked.body as { body: string };
      return { status: 201, json: comment(repository.comment(number, body)) };
    },

    [`POST ${repo}/issues/{issue_number}/sub_issues`]: (asked: Asked): Done => {
      issuesOn();
      writable();
      const { number } = present(asked);
      const { sub_issue_id, replace_parent } = asked.body as { sub_issue_id: number; replace_parent?: boolean };
      return { status: 201, json: issue(repository.addSubIssue(number, sub_issue_id, replace_parent), asked) };
    },

    [`GET ${repo}/labels/{name}`]: (asked: Asked): Done => {
      const name = asked.params.name ?? "";
      if (!repository.hasLabel(name)) throw new Refused(404, "Not Found");
      return { status: 200, json: label(name, asked) };
    },

    [`POST ${repo}/labels`]: (asked: Asked): Done => {
      writable();
      return { status: 201, json: label(repository.createLabel(asked.body as { name: string }).name, asked) };
    },

    [`GET ${repo}/milestones`]: (asked: Asked): Done =>
      part(
        repository.milestones.map(({ number }) => milestone(number)),
        asked,
        "/milestones",
      ),

    [`POST ${repo}/milestones`]: (asked: Asked): Done => {
      writable();
      return { status: 201, json: milestone(repository.createMilestone(asked.body as { title: string }).number) };
    },
  };
}
