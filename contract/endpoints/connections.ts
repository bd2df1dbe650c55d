import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { TrackerProblem } from "../values/tracker-problems.ts";

/** The trackers that tasks can be exported to. */
export const exportTargets = ["github", "jira"] as const;
export type ExportTarget = (typeof exportTargets)[number];

/** A repository of GitHub, `owner/repo`. */
export const Repository = Type.String({
  maxLength: limits.repositoryLength,
  pattern: "^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?/(?!\\.{1,2}$)[A-Za-z0-9._-]+$",
  "x-form": "an owner and a repository, such as `acme/shop`",
  description: "The repository, as owner/repo",
});

/** The key of a Jira project. */
export const ProjectKey = Type.String({
  maxLength: limits.projectKeyLength,
  pattern: "^[A-Z][A-Z0-9_]*$",
  "x-form": "the key of a project, such as `SHOP`",
  description: "Key of the Jira project",
});

/** A type of issues in a Jira project. */
export const IssueTypeName = Type.String({
  minLength: 1,
  maxLength: limits.issueTypeLength,
  description:
    "Name or id of the type of the topmost issues, such as `Task`; tasks below them become the next lower type",
});

const fields = {
  name: Title(limits.connectionNameLength),
  baseUrl: Nullable(
    Type.String({
      minLength: 1,
      maxLength: limits.urlLength,
      description:
        "Address of the tracker: HTTPS, without credentials, query or fragment. GitHub Enterprise Server: `https://github.example.com/api/v3`; null: GitHub itself, or the one that the instance is configured for. Jira: `https://acme.atlassian.net`, or for tokens with scopes `https://api.atlassian.com/ex/jira/{cloudId}`; required",
      "x-published": { pattern: "^[Hh][Tt][Tt][Pp][Ss]:[^\\s\\u0000?#]+$" },
    }),
  ),
  email: Nullable(
    Type.String({
      maxLength: limits.emailLength,
      pattern: "^[!-9;-~]+@[!-9;-~]+$",
      "x-form": "an e-mail address",
      description: "E-mail address of the token's user, which Jira requires; null for GitHub",
    }),
  ),
  droppedResolutions: Nullable(
    Type.Array(Title(limits.resolutionNameLength), {
      maxItems: limits.droppedResolutions,
      description:
        "Names of Jira's resolutions that mean that the work was not done: reading back marks such tasks as dropped. A resolution stays known when it is renamed or translated, once an issue with it was read. Null in a request: the usual ones, such as `Won't Do`. Null for GitHub, whose own reasons for closing an issue count",
    }),
  ),
};

const token = Type.String({
  minLength: 1,
  maxLength: limits.connectionTokenLength,
  pattern: "^[!-~]+$",
  "x-form": "a token without spaces",
  writeOnly: true,
  description: "Access token of the tracker. It is stored encrypted, and no response shows it",
});

/** Credentials for a tracker, without its token. */
export const Connection = component(
  "Connection",
  Shape({
    id: Id("connection"),
    target: OneOf<ExportTarget>(exportTargets, { description: "The tracker" }),
    ...fields,
    tokenSetAt: Type.String({ ...Timestamp, description: "When the token was last given" }),
    tokenRejectedAt: Nullable(
      Type.String({
        ...Timestamp,
        description: "When the tracker last refused the token; null: not since the token was given",
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);
export type Connection = Static<typeof Connection.schema>;

/** A repository or project in a list to choose from. */
const TrackerProject = component(
  "TrackerProject",
  Shape({
    key: Type.String({ description: "The value to give to an export: `acme/shop` or `SHOP`" }),
    name: Type.String(),
  }),
);

/** A type of issues in a list to choose from. */
const TrackerIssueType = component(
  "TrackerIssueType",
  Shape({
    id: Type.String(),
    name: Type.String(),
    level: Type.Integer({ description: "1: epics, 0: stories and tasks, -1: sub-tasks" }),
    canBeTop: Type.Boolean({ description: "Whether the topmost issues of an export can have it" }),
  }),
);

const Problems = Type.Array(TrackerProblem.ref, { description: "Why the list is missing; empty: nothing is wrong" });

const one = Shape({ connection: Connection.ref });
const access = "session";

export const connections = endpoints({
  listConnections: {
    method: "GET",
    path: "/api/connections",
    summary: "List your connections to trackers, newest first",
    access,
    query: Shape(paging(limits.pageSize)),
    response: { status: 200, data: Shape({ connections: Type.Array(Connection.ref), nextCursor: NextCursor }) },
  },
  createConnection: {
    method: "POST",
    path: "/api/connections",
    summary: "Store credentials for a tracker",
    description: "Nothing is sent to the tracker: check the connection to know whether it works.",
    access,
    body: Shape({
      target: OneOf<ExportTarget>(exportTargets, { description: "The tracker" }),
      name: fields.name,
      baseUrl: Type.Optional(fields.baseUrl),
      email: Type.Optional(fields.email),
      droppedResolutions: Type.Optional(fields.droppedResolutions),
      token,
    }),
    response: { status: 201, created: "/api/connections/:id", data: one },
    errors: ["limit_reached"],
  },
  getConnection: {
    method: "GET",
    path: "/api/connections/:id",
    summary: "Read a connection",
    access,
    response: { status: 200, data: one },
  },
  updateConnection: {
    method: "PATCH",
    path: "/api/connections/:id",
    summary: "Change a connection, or give it a new token",
    description:
      "A new `baseUrl` requires the token again, so that a stored token is never sent to another address. Running exports continue with the new token; with a new `baseUrl` they end with the problem `connection_moved`, and can be resumed when the former address is set again.",
    access,
    body: Change(
      { ...fields, token },
      { matching: ["id", "target"], derived: ["tokenSetAt", "tokenRejectedAt", "createdAt", "updatedAt"] },
    ),
    response: { status: 200, data: one },
  },
  checkConnection: {
    method: "POST",
    path: "/api/connections/:id/check",
    summary: "Ask the tracker whether a connection works, and whether tasks can be exported to a repository or project",
    access,
    perMinute: limits.connectionChecksPerMinute,
    bodyOptional: true,
    body: Shape({
      repository: Type.Optional(Repository),
      projectKey: Type.Optional(ProjectKey),
      issueType: Type.Optional(IssueTypeName),
    }),
    response: {
      status: 200,
      data: Shape({
        ok: Type.Boolean({ description: "Whether there is no problem" }),
        problems: Type.Array(TrackerProblem.ref, { description: "What has to be fixed first" }),
      }),
    },
    outside: true,
  },
  listConnectionProjects: {
    method: "GET",
    path: "/api/connections/:id/projects",
    summary: "List the projects or repositories that a connection can reach",
    description: `At most ${limits.trackerProjectsListed}; for GitHub, those with the most recent pushes. If the tracker does not respond, \`problems\` says why.`,
    access,
    perMinute: limits.connectionChecksPerMinute,
    query: Shape({
      q: Type.Optional(
        Text(limits.searchLength, { description: "Only those with these words in the key or name, in any case" }),
      ),
    }),
    response: { status: 200, data: Shape({ projects: Type.Array(TrackerProject.ref), problems: Problems }) },
    outside: true,
  },
  listConnectionIssueTypes: {
    method: "GET",
    path: "/api/connections/:id/issue-types",
    summary: "List the types of issues that can be made in a Jira project",
    description: "GitHub has none. If the tracker does not respond, `problems` says why.",
    access,
    perMinute: limits.connectionChecksPerMinute,
    query: Shape({ project: ProjectKey }),
    response: { status: 200, data: Shape({ issueTypes: Type.Array(TrackerIssueType.ref), problems: Problems }) },
    outside: true,
  },
  deleteConnection: {
    method: "DELETE",
    path: "/api/connections/:id",
    summary: "Delete a connection and its token",
    description: "Running exports that use it fail. The links between tasks and exported issues stay.",
    access,
    response: { status: 200, data: one },
  },
});
