import Type, { type Static } from "typebox";
import { endpoints } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { Change, component, Id, NextCursor, Nullable, OneOf, paging, Shape, Timestamp, Title } from "./shapes.ts";
import { TrackerProblem } from "./tracker-problems.ts";

/** The trackers that tasks can be exported to. */
export const exportTargets = ["github"] as const;
export type ExportTarget = (typeof exportTargets)[number];

/** A repository of GitHub, `owner/repo`. */
export const Repository = Type.String({
  maxLength: limits.repositoryLength,
  pattern: "^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?/(?!\\.{1,2}$)[A-Za-z0-9._-]+$",
  "x-form": "an owner and a repository, such as `acme/shop`",
  description: "The repository, as owner/repo",
});

const fields = {
  name: Title(limits.connectionNameLength),
  baseUrl: Nullable(
    Type.String({
      minLength: 1,
      maxLength: limits.connectionUrlLength,
      description:
        "Address of the tracker's API: HTTPS, without credentials, query or fragment, such as `https://github.example.com/api/v3`; null: that of GitHub, or the one that the instance is configured for",
    }),
  ),
};

const token = Type.String({
  minLength: 1,
  maxLength: limits.connectionTokenLength,
  pattern: "^[!-~]+$",
  "x-form": "a token without spaces",
  writeOnly: true,
  description: "Access token of the tracker. It is stored encrypted, and no answer shows it",
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
        description: "When the tracker last refused the token; null: it did not, since the token was given",
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);
export type Connection = Static<typeof Connection.schema>;

const one = Shape({ connection: Connection.ref });
const access = "session";

export const connections = endpoints({
  listConnections: {
    method: "GET",
    path: "/api/connections",
    summary: "List your connections to trackers, newest first",
    access,
    query: Shape(paging(limits.pageSize)),
    reply: { status: 200, data: Shape({ connections: Type.Array(Connection.ref), nextCursor: NextCursor }) },
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
      token,
    }),
    reply: { status: 201, created: "/api/connections/:id", data: one },
    errors: ["limit_reached"],
  },
  getConnection: {
    method: "GET",
    path: "/api/connections/:id",
    summary: "Read a connection",
    access,
    reply: { status: 200, data: one },
  },
  updateConnection: {
    method: "PATCH",
    path: "/api/connections/:id",
    summary: "Change a connection, or give it a new token",
    description:
      "Another `baseUrl` needs the token again: nobody who may only use a stored token can have it sent elsewhere. Exports under way go on with the new token; with another `baseUrl` they end with the problem `connection_moved`, and can be resumed when the former address is back.",
    access,
    body: Change(
      { ...fields, token },
      { matching: ["id", "target"], derived: ["tokenSetAt", "tokenRejectedAt", "createdAt", "updatedAt"] },
    ),
    reply: { status: 200, data: one },
  },
  checkConnection: {
    method: "POST",
    path: "/api/connections/:id/check",
    summary: "Ask the tracker whether a connection works, and whether tasks can be exported to a repository",
    access,
    perMinute: limits.connectionChecksPerMinute,
    bodyOptional: true,
    body: Shape({ repository: Type.Optional(Repository) }),
    reply: {
      status: 200,
      data: Shape({
        ok: Type.Boolean({ description: "Whether there is no problem" }),
        problems: Type.Array(TrackerProblem.ref, { description: "What has to be mended first" }),
      }),
    },
    outside: true,
  },
  deleteConnection: {
    method: "DELETE",
    path: "/api/connections/:id",
    summary: "Delete a connection and its token",
    description: "Exports under way that use it end as failed. What was exported stays known.",
    access,
    reply: { status: 200, data: one },
  },
});
