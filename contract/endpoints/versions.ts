import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  Change,
  component,
  Hours,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  paging,
  Shape,
  Timestamp,
  Title,
} from "../shapes.ts";
import { NodeRecord } from "../values/tree.ts";
import { Estimation } from "./estimations.ts";
import { MilestoneRecord } from "./milestones.ts";
import { TimelineSettings } from "./timelines.ts";

/** Why a version was made: by a user (`manual`), or with something else that a user did. */
export const versionCauses = [
  "manual",
  "submit",
  "review",
  "tasks",
  "restore",
  "template",
  "merge",
  "switch",
  "link",
  "round",
] as const;
export type VersionCause = (typeof versionCauses)[number];

const { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding, hours } =
  Estimation.schema.properties;

/** The author of a record. */
export const Author = Shape({ id: Id("user"), name: Type.String() }, { description: "The user who made it" });

const fields = {
  id: Id("version"),
  number: Type.Integer({ minimum: 1, maximum: limits.versions, description: "Counts from 1, without gaps" }),
  label: Nullable(Title(limits.titleLength)),
  threadId: Id("thread", "Id of the thread that it was made in, which may have been deleted since"),
  author: Author,
  cause: OneOf(versionCauses, {
    description:
      "`manual`: the author asked for it; any other: it was made together with something else that the author did",
  }),
  parents: Type.Array(Id("version"), { description: "The versions that it follows; none for the first" }),
  contentHash: Type.String({
    pattern: "^[0-9a-f]{64}$",
    description:
      'SHA-256 in hexadecimal of the canonical JSON (RFC 8785) of `{"schema":…,"snapshot":…}` with the `schema` and the `content` of the version: equal for two versions of one schema if and only if their content is equal',
  }),
  hours,
  parentP80: Nullable(
    Type.Number({ ...Hours(), description: "The P80 of the first of `parents`, in hours; null for the first version" }),
  ),
  asOf: Type.String({
    ...Timestamp,
    description: "As of when its plan is made, the hour of `createdAt`: so the plan stays what it was",
  }),
  createdAt: Timestamp,
};

export const Version = component("Version", Shape(fields));
export type Version = Static<typeof Version.schema>;

export const VersionWithContent = component(
  "VersionWithContent",
  Shape({
    ...fields,
    schema: Type.Integer({
      minimum: 1,
      description:
        "Of the text that `contentHash` is made from: 2. A version from before there were `assumptions` has 1, and a hash of the content without them",
    }),
    content: Shape(
      {
        title,
        description,
        assumptions,
        clientName,
        hourlyRate,
        currency,
        correlation,
        rounding,
        timeline: Nullable(TimelineSettings),
        tree: Shape({ nodes: Type.Array(NodeRecord.ref) }),
        milestones: Type.Array(MilestoneRecord.ref),
      },
      { description: "What the estimation said when the version was made" },
    ),
  }),
);
export type VersionWithContent = Static<typeof VersionWithContent.schema>;

const operations = ["added", "removed", "moved", "reordered", "changed", "selected", "deselected"] as const;

export const DiffOperation = component(
  "DiffOperation",
  Shape({
    op: OneOf(operations, { description: "`moved`: below another parent; `reordered`: elsewhere below the same one" }),
    target: OneOf(["node", "option", "milestone", "setting"], {
      description: "`setting`: a field of the estimation, or of its timeline with `timeline.` before its name",
    }),
    id: Nullable(Type.String({ description: "The node, the option or the milestone; null for a setting" })),
    field: Type.Optional(Type.String({ description: "Of `changed`: the field that changed" })),
    before: Type.Optional(
      Type.Unknown({
        description:
          "Of `changed`: the value. Of `removed`, `moved` and `reordered`: the place, `{ parentId, afterId }`. A `parentId` of null means a root node, an `afterId` of null the first place. Of `removed` also `record`: the fields, without what was below",
      }),
    ),
    after: Type.Optional(
      Type.Unknown({
        description:
          "Of `changed`: the value. Of `added`, `moved` and `reordered`: the place, which holds once all operations before are done. Of `added` also `record`: the fields, without what is below",
      }),
    ),
    hoursDelta: Type.Number({
      description: "By how much it changes the running total of expected hours, in hours rounded to two decimals",
    }),
  }),
);

const Diff = component(
  "Diff",
  Shape({
    from: Id("version"),
    against: Type.String({ description: "The other version, or `current`" }),
    expected: Shape(
      { before: Hours(), after: Hours() },
      { description: "Expected hours at both ends; the operations' `hoursDelta` add up to the difference" },
    ),
    p80: Shape({ before: Hours(), after: Hours() }, { description: "The P80 at both ends" }),
    operations: Type.Array(DiffOperation.ref, {
      description:
        "Applied in order, they turn the content of `from` into that of `against`: settings, then additions, moves and changes in the order of the tree and of the milestones, then removals",
    }),
  }),
);
export type Diff = Static<typeof Diff.schema>;

const one = Shape({ version: Version.ref });
const restored = Shape({ version: Version.ref, estimation: Estimation.ref });

export const versions = endpoints({
  listVersions: {
    method: "GET",
    path: "/api/estimations/:id/versions",
    tool: {},
    summary: "List the versions of an estimation, of all threads, newest first",
    access: "estimations:read",
    right: "read",
    query: Shape({
      thread: Type.Optional(
        Type.String({ maxLength: limits.refLength, description: "Only those that were made in this thread" }),
      ),
      ...paging(limits.pageSizeInside),
    }),
    response: { status: 200, data: Shape({ versions: Type.Array(Version.ref), nextCursor: NextCursor }) },
  },
  createVersion: {
    method: "POST",
    path: "/api/estimations/:id/versions",
    tool: {},
    summary: "Keep the current content as a version of the current thread",
    description:
      "If the latest version of the thread already has the same content, that version is returned, with its own label. With `expectedHeadVersionId` the request is refused if another version is the latest.",
    access: "estimations:write",
    right: "edit",
    body: Shape({
      label: Type.Optional(fields.label),
      expectedHeadVersionId: Type.Optional(Type.String({ description: "The version that the new one is to follow" })),
    }),
    bodyOptional: true,
    response: {
      status: 201,
      created: "/api/estimations/:id/versions/:versionId",
      data: one,
      found: { status: 200, when: "The latest version has this content already", data: one },
    },
    errors: ["limit_reached", "head_moved"],
    ifMatch: true,
    activity: "version.created",
  },
  getVersion: {
    method: "GET",
    path: "/api/estimations/:id/versions/:versionId",
    summary: "Read a version with its content",
    access: "estimations:read",
    right: "read",
    response: { status: 200, data: Shape({ version: VersionWithContent.ref }) },
  },
  nameVersion: {
    method: "PATCH",
    path: "/api/estimations/:id/versions/:versionId",
    summary: "Name a version, or take its name away",
    description:
      "Nothing else of a version ever changes. If several people name it at the same time, the last name stays.",
    access: "estimations:write",
    right: "edit",
    body: Change(
      { label: fields.label },
      {
        matching: ["id", "number", "threadId", "cause", "contentHash"],
        derived: ["author", "parents", "hours", "parentP80", "asOf", "createdAt"],
      },
    ),
    response: { status: 200, data: one },
    ifMatch: true,
    activity: "version.named",
  },
  diffVersions: {
    method: "GET",
    path: "/api/estimations/:id/versions/:versionId/diff",
    tool: {},
    summary: "Compare a version with another one, or with the current content",
    access: "estimations:read",
    right: "read",
    query: Shape({
      against: Type.Optional(
        Type.String({
          maxLength: limits.refLength,
          default: "current",
          description: "The id of the other version, or `current` for the content as it is now",
        }),
      ),
    }),
    response: { status: 200, data: Shape({ diff: Diff.ref }) },
  },
  restoreVersion: {
    method: "POST",
    path: "/api/estimations/:id/versions/:versionId/restore",
    summary: "Restore the content of a version, as a new version",
    description:
      "Content that is in no version yet is first stored as one. Tags and tasks stay as they are; generate the tasks again to follow the tree.",
    access: "estimations:write",
    right: "edit",
    response: {
      status: 201,
      created: "/api/estimations/:id/versions/:restoredId",
      data: restored,
      found: {
        status: 200,
        when: "It already is the content of the estimation and of its latest version",
        data: restored,
      },
    },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "version.restored",
  },
});
