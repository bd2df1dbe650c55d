import type { Done } from "../trackers/server.ts";
import { description } from "./description.ts";
import { type FakeIssue, type FakeSite, type FakeTransition, Refused } from "./site.ts";

interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: never;
  /** Address of the site, without a slash at the end. */
  readonly root: string;
  /** The host name in the request. */
  readonly host: string;
}

export interface CreateBody {
  readonly issueUpdates: readonly {
    readonly fields: Record<string, unknown>;
    readonly properties?: readonly { readonly key: string; readonly value: unknown }[];
  }[];
}

const CREATES = 50;
const FETCHES = 100;
const PROPERTIES = 5;
/** The part of JQL that the fake understands. */
const QUERY = /^project = (\d+) AND created >= "-(\d+)m" ORDER BY created ASC, key ASC$/;

/** What the fake does for each operation that exports use. */
export function createOperations(site: FakeSite, { now, url }: { now: () => Date; url: (host: string) => string }) {
  const project = (idOrKey = "") => {
    const found = site.projects.find(({ id, key }) => id === idOrKey || key === idOrKey.toUpperCase());
    if (!found || (found.key === "SHOP" && !site.settings.exists) || !site.settings.permissions.has("BROWSE_PROJECTS"))
      throw new Refused(404, [`No project could be found with key '${idOrKey}'.`]);
    return found;
  };
  const projectJson = (one: FakeSite["projects"][number], root: string) => ({
    ...one,
    self: `${root}/rest/api/3/project/${one.id}`,
    archived: site.settings.archived,
    projectTypeKey: "software",
    simplified: false,
    style: "classic",
    isPrivate: false,
  });
  const page = <T>(all: readonly T[], query: URLSearchParams) => {
    const startAt = Number(query.get("startAt") ?? 0);
    const maxResults = Math.min(Number(query.get("maxResults") ?? 50), site.settings.pageSize);
    return { startAt, maxResults, total: all.length, entries: all.slice(startAt, startAt + maxResults) };
  };
  const issueJson = (issue: FakeIssue, { root }: Asked, fields: readonly string[], properties: readonly string[]) => {
    const type = site.type(issue.typeId);
    const time = issue.doneAt && stamp(issue.doneAt);
    const all: Record<string, unknown> = {
      summary: issue.summary,
      description: worn(issue.description),
      labels: issue.labels,
      timetracking: {
        ...(issue.estimate === null ? {} : { originalEstimate: "?", originalEstimateSeconds: issue.estimate }),
        ...(issue.remaining === null ? {} : { remainingEstimate: "?", remainingEstimateSeconds: issue.remaining }),
      },
      project: { id: issue.projectId, key: issue.key.split("-")[0] },
      issuetype: { id: type.id, name: site.shown(type.name) },
      status: { name: "?", statusCategory: { id: issue.doneAt ? 3 : 2, key: issue.doneAt ? "done" : "new" } },
      resolution: time && issue.resolves ? resolutionJson(issue, root) : null,
      resolutiondate: issue.resolves ? time : null,
      statuscategorychangedate: time ?? stamp(issue.createdAt),
      updated: stamp(now()),
      parent: issue.parent === null ? null : { id: issue.parent },
      timespent: issue.worklogs.length === 0 ? null : issue.worklogs.reduce((sum, one) => sum + one, 0),
      created: stamp(issue.createdAt),
    };
    return {
      id: issue.id,
      key: issue.key,
      self: `${root}/rest/api/3/issue/${issue.id}`,
      fields: Object.fromEntries(fields.map((name) => [name, all[name] ?? null])),
      ...(properties.length > 0
        ? { properties: Object.fromEntries(properties.map((name) => [name, issue.properties[name]])) }
        : {}),
    };
  };
  const demand = (permission: string) => {
    if (!site.settings.permissions.has(permission))
      throw new Refused(403, ["You do not have permission to do this in this project."]);
  };

  return {
    "GET /rest/api/3/myself": ({ root }: Asked) =>
      ok({ accountId: "5b10a2844c20165700ede21g", accountType: "atlassian", active: true, self: root }),
    "GET /rest/api/3/serverInfo": ({ host }: Asked) =>
      ok({ baseUrl: site.settings.baseUrl ?? url(host), deploymentType: "Cloud", serverTime: stamp(now()) }),
    "GET /rest/api/3/project/search": ({ query, root }: Asked) => {
      const words = (query.get("query") ?? "").toLowerCase();
      const found = site.projects.filter(({ key, name }) => `${key} ${name}`.toLowerCase().includes(words));
      const { entries, ...paged } = page(found, query);
      const isLast = paged.startAt + entries.length >= paged.total;
      return ok({ ...paged, self: root, isLast, values: entries.map((one) => projectJson(one, root)) });
    },
    "GET /rest/api/3/project/{projectIdOrKey}": ({ params, root }: Asked) =>
      ok(projectJson(project(params.projectIdOrKey), root)),
    "GET /rest/api/3/mypermissions": ({ query }: Asked) => {
      project(query.get("projectId") ?? query.get("projectKey") ?? "");
      const asked = (query.get("permissions") ?? "").split(",");
      const held = asked.map((key) => [key, { key, havePermission: site.settings.permissions.has(key) }]);
      return ok({ permissions: Object.fromEntries(held) });
    },
    "GET /rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes": ({ params, query, root }: Asked) => {
      project(params.projectIdOrKey);
      const { entries, ...paged } = page(site.types, query);
      const issueTypes = entries.map(({ id, name, level, isCustom }) => ({
        ...(isCustom ? {} : { untranslatedName: name }),
        ...{ id, name: site.shown(name), hierarchyLevel: level, subtask: level < 0, description: "" },
        self: `${root}/rest/api/3/issuetype/${id}`,
      }));
      return ok({ ...paged, issueTypes });
    },
    "GET /rest/api/3/issue/createmeta/{projectIdOrKey}/issuetypes/{issueTypeId}": ({ params, query }: Asked) => {
      project(params.projectIdOrKey);
      const type = site.types.find(({ id }) => id === params.issueTypeId);
      if (!type) throw new Refused(404, ["Issue type not found."]);
      const { entries, ...paged } = page(type.fields, query);
      return ok({ ...paged, fields: entries.map((one) => ({ ...one, key: one.fieldId, operations: ["set"] })) });
    },
    "POST /rest/api/3/issue/bulk": ({ body, root }: Asked): Done => {
      const { issueUpdates } = body as CreateBody;
      if (issueUpdates.length > CREATES) throw new Refused(400, [`You can't create more than ${CREATES} issues.`]);
      if (issueUpdates.length === 0) throw new Refused(400, ["There are no issues to create."]);
      demand("CREATE_ISSUES");
      const made: FakeIssue[] = [];
      const errors: object[] = [];
      for (const [at, { fields, properties = [] }] of issueUpdates.entries()) {
        try {
          made.push(site.create(fields, properties));
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          errors.push({ status: 400, elementErrors: error.json, failedElementNumber: at });
        }
      }
      // Jira promises no order.
      const issues = made.toReversed().map(({ id, key }) => ({ id, key, self: `${root}/rest/api/3/issue/${id}` }));
      return { status: made.length === 0 ? 400 : 201, json: { issues, errors } };
    },
    "POST /rest/api/3/issue/bulkfetch": (asked: Asked) => {
      const { issueIdsOrKeys, fields, properties = [] } = asked.body as Record<string, readonly string[]>;
      if ((issueIdsOrKeys ?? []).length > FETCHES) throw new Refused(400, ["Too many issues."]);
      const { permissions, exists } = site.settings;
      const isVisible = ({ deleted, hidden }: FakeIssue) =>
        permissions.has("BROWSE_PROJECTS") && exists && !deleted && !hidden;
      const found = site.issues.filter((issue) => isVisible(issue) && issueIdsOrKeys?.includes(issue.id));
      const issues = found.toReversed().map((issue) => issueJson(issue, asked, fields ?? [], properties));
      return ok({ issues, issueErrors: [] });
    },
    "PUT /rest/api/3/issue/{issueIdOrKey}": ({ params, body }: Asked): Done => {
      site.issue(params.issueIdOrKey ?? "");
      demand("EDIT_ISSUES");
      site.edit(params.issueIdOrKey ?? "", (body as { fields: Record<string, unknown> }).fields);
      return { status: 204, json: undefined };
    },
    "POST /rest/api/3/search/jql": (asked: Asked) => {
      const { jql, fields, properties, maxResults, nextPageToken } = asked.body as {
        readonly jql: string;
        readonly fields: readonly string[];
        readonly properties: readonly string[];
        readonly maxResults: number;
        readonly nextPageToken?: string;
      };
      const [, projectId = "", minutes = ""] = QUERY.exec(jql) ?? [];
      if (projectId === "") throw new Refused(400, [`Error in the JQL Query: ${jql}`]);
      if (properties.length > PROPERTIES) throw new Refused(400, [`The maximum of properties is ${PROPERTIES}.`]);
      project(projectId);
      const since = now().getTime() - Number(minutes) * 60_000;
      const found = site.issues.filter(
        (issue) =>
          !issue.deleted &&
          !issue.hidden &&
          issue.projectId === projectId &&
          issue.createdAt.getTime() >= since &&
          issue.listedAt <= now(),
      );
      const from = Number(nextPageToken ?? 0);
      const size = Math.min(maxResults, site.settings.pageSize);
      const shown = found.slice(from, from + size);
      const isLast = from + size >= found.length;
      const issues = shown.map((issue) => issueJson(issue, asked, fields, properties));
      return ok({ issues, isLast, ...(isLast ? {} : { nextPageToken: String(from + size) }) });
    },
    "GET /rest/api/3/issue/{issueIdOrKey}/transitions": ({ params }: Asked) => {
      site.issue(params.issueIdOrKey ?? "");
      const offered = site.settings.permissions.has("TRANSITION_ISSUES") ? site.transitions : [];
      return ok({ transitions: offered.map(transitionJson) });
    },
    "POST /rest/api/3/issue/{issueIdOrKey}/transitions": ({ params, body }: Asked): Done => {
      demand("TRANSITION_ISSUES");
      const { transition, fields = {} } = body as { transition: { id: string }; fields?: Record<string, unknown> };
      site.move(params.issueIdOrKey ?? "", transition.id, fields);
      return { status: 204, json: undefined };
    },
    "GET /rest/api/3/issue/{issueIdOrKey}/comment": ({ params, query }: Asked) => {
      const { entries, ...paged } = page(site.issue(params.issueIdOrKey ?? "").comments.toReversed(), query);
      return ok({ ...paged, comments: entries.map((document) => ({ body: worn(document) })) });
    },
    "POST /rest/api/3/issue/{issueIdOrKey}/comment": ({ params, body }: Asked): Done => {
      const { body: document } = body as { body: unknown };
      const issue = site.issue(params.issueIdOrKey ?? "");
      demand("ADD_COMMENTS");
      if (description.document(document).length > 0)
        throw new Refused(400, [], { comment: "Comment body is not valid!" });
      issue.comments.push(document);
      return { status: 201, json: { body: document } };
    },
    "GET /rest/api/3/issue/{issueIdOrKey}/worklog": ({ params, query }: Asked) => {
      const issue = site.issue(params.issueIdOrKey ?? "");
      const { entries, ...paged } = page(issue.worklogs, query);
      return ok({ ...paged, worklogs: entries.map((timeSpentSeconds) => ({ issueId: issue.id, timeSpentSeconds })) });
    },
  };
}

const ok = (json: unknown): Done => ({ status: 200, json });

const transitionJson = ({ id, to, isDone, fields }: FakeTransition) => ({
  ...{ id, name: to, to: { id, name: to, statusCategory: { id: isDone ? 3 : 2, key: isDone ? "done" : "new" } } },
  fields: Object.fromEntries(
    Object.entries(fields).map(([key, { required, allowed }]) => [
      key,
      { required, key, name: key, hasDefaultValue: false, operations: ["set"], allowedValues: allowed },
    ]),
  ),
});

const resolutionJson = ({ resolution: { id, name } }: FakeIssue, root: string) => ({
  ...{ id, name, description: "", self: `${root}/rest/api/3/resolution/${id}` },
});

/** Jira writes the zone without a colon. */
const stamp = (date: Date) => date.toISOString().replace("Z", "+0000");

/** A document as Jira returns it: with attributes that it has added, and the names in another order. */
function worn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(worn);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, worn(inner)] as const);
  const reversed = Object.fromEntries(entries.toReversed()) as Record<string, unknown>;
  return reversed.type === "paragraph" || reversed.type === "table"
    ? { ...reversed, attrs: { ...(reversed.attrs as object | undefined), localId: "0f3a" } }
    : reversed;
}
