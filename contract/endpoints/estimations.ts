import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { accessLevels } from "../rights.ts";
import {
  AnyOf,
  Change,
  component,
  Hours,
  hundredths,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  Person,
  paging,
  Shape,
  Text,
  Timestamp,
  Title,
} from "../shapes.ts";
import { currencies } from "../values/currencies.ts";
import { type Rounding, roundings } from "../values/roundings.ts";
import { estimationStatuses } from "../values/statuses.ts";

export const reviewStates = ["none", "pending", "changes_requested", "approved"] as const;
export type ReviewState = (typeof reviewStates)[number];

const fields = {
  title: Title(limits.titleLength),
  description: Text(limits.descriptionLength, { description: "What is estimated, as free text" }),
  assumptions: Text(limits.descriptionLength, {
    description: "What the estimate takes for granted, as free text for clients: every page of a client link shows it",
  }),
  clientName: Nullable(Text(limits.clientNameLength, { description: "Whom it is estimated for" })),
  tags: Type.Array(Title(limits.tagLength), {
    maxItems: limits.tags,
    uniqueItems: true,
    description: "Labels; a list can be filtered by them",
  }),
  hourlyRate: Nullable(
    Type.Number({
      minimum: 0,
      maximum: limits.hourlyRateMax,
      ...hundredths,
      description: "Price of an hour, in the currency",
    }),
  ),
  currency: Nullable(
    OneOf(currencies, {
      "x-form": "a three-letter currency code of ISO 4217",
      description: "Code of ISO 4217; required where a rate is set",
    }),
  ),
  correlation: Type.Number({
    minimum: 0,
    maximum: 1,
    description: "How strongly the errors of the options' hours are correlated: 0 not at all, 1 fully; 0.2 by default",
  }),
  rounding: Type.Unsafe<Rounding>({
    type: "number",
    enum: [...roundings],
    description:
      "Step, in hours, to which the tasks' hours are rounded; they add up to the expected hours rounded to the same step. 0.01 by default",
  }),
};

export const Estimation = component(
  "Estimation",
  Shape({
    id: Id("estimation"),
    ownerId: Id("user", "Id of the user who owns it"),
    ...fields,
    currency: Nullable(Type.String({ description: "Code of ISO 4217, or an older value that was stored as one" })),
    status: OneOf(estimationStatuses, { description: "The content can be changed only in `draft`" }),
    revision: Type.Integer({ minimum: 1, description: "Grows with every change; also the ETag" }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    reviewState: OneOf(reviewStates, {
      description:
        "Follows from the reviews that are not withdrawn: `changes_requested` if any of them is, otherwise `pending` if any is, otherwise `approved`; `none` without reviews",
    }),
    reviewStale: Type.Boolean({
      description: "Whether the content differs from the version of any review that is not withdrawn",
    }),
    isExample: Type.Boolean({
      description:
        "Made by *Add examples*, or a copy of such a one: it counts neither for accuracy and calibration nor for suggestions",
    }),
    hours: Shape(
      { expected: Hours(), p50: Hours(), p80: Hours(), p90: Hours(), p95: Hours() },
      { description: "Hours of the options that count, and percentiles of their sum" },
    ),
    access: OneOf(accessLevels, {
      description: "What the caller may do with it: the highest of all levels that the caller has",
    }),
    viaTeam: Nullable(
      Shape(
        { id: Id("team"), name: Type.String() },
        {
          description:
            "The team whose membership gives the caller that level; null: the caller has it without any team",
        },
      ),
    ),
    deletedAt: Type.Optional(
      Type.String({
        ...Timestamp,
        description: "When it was deleted, after which it can be restored for some time; only present if deleted",
      }),
    ),
  }),
);
export type Estimation = Static<typeof Estimation.schema>;

/** Fields that the owner sets. */
export type EstimationFields = Pick<Estimation, keyof typeof fields>;

/** The fields of a new estimation; only the title is required. */
export const createEstimationBody = Shape({
  ...(Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, Type.Optional(value)])) as {
    [K in keyof typeof fields]: ReturnType<typeof Type.Optional<(typeof fields)[K]>>;
  }),
  title: fields.title,
});

/** What a list of estimations can be narrowed by. */
export const estimationFilters = {
  status: AnyOf(OneOf(estimationStatuses), estimationStatuses.length, "Only those with one of these statuses"),
  access: AnyOf(OneOf(accessLevels), accessLevels.length, "Only those for which the caller has one of these levels"),
  tag: AnyOf(Title(limits.tagLength), limits.filterTags, "Only those with one of exactly these tags"),
  team: Type.Optional(
    Type.String({
      description: "Only those that are shared with this team, by its id; none if the caller does not belong to it",
    }),
  ),
  owner: Type.Optional(
    Type.String({
      description: "Only those that this user owns, by its id; none if there are none that the caller may read",
    }),
  ),
  q: Type.Optional(
    Text(limits.searchLength, {
      description: "Only those whose title or client name contains this; case is ignored",
    }),
  ),
};

const one = Shape({ estimation: Estimation.ref });

export const estimations = endpoints({
  listEstimations: {
    method: "GET",
    path: "/api/estimations",
    tool: {},
    summary: "List the estimations that you may read",
    access: "estimations:read",
    query: Shape({
      ...estimationFilters,
      deleted: Type.Optional(
        Type.Boolean({
          description:
            "Lists your own deleted estimations that can still be restored, the most recently deleted first; cannot be combined with other filters",
        }),
      ),
      sort: Type.Optional(OneOf(["updatedAt", "createdAt"], { default: "updatedAt", description: "Newest first" })),
      ...paging(limits.pageSize),
    }),
    response: {
      status: 200,
      data: Shape({
        estimations: Type.Array(Estimation.ref),
        owners: Type.Array(Person("Somebody else who owns one of these estimations"), {
          description: "Each person once, in no particular order; never you",
        }),
        nextCursor: NextCursor,
      }),
    },
  },
  createEstimation: {
    method: "POST",
    path: "/api/estimations",
    tool: {},
    summary: "Create an estimation",
    access: "estimations:write",
    body: createEstimationBody,
    response: { status: 201, created: "/api/estimations/:id", data: one },
    errors: ["limit_reached"],
    etag: true,
    activity: "estimation.created",
  },
  getEstimation: {
    method: "GET",
    path: "/api/estimations/:id",
    tool: {},
    summary: "Read an estimation",
    access: "estimations:read",
    right: "read",
    response: { status: 200, data: one },
    etag: true,
  },
  updateEstimation: {
    method: "PUT",
    path: "/api/estimations/:id",
    tool: {},
    alsoPatch: true,
    summary: "Change any of the editable fields",
    description: "Outside the state `draft`, a request that would change anything but `tags` is refused.",
    access: "estimations:write",
    right: "edit",
    body: Change(fields, {
      matching: ["id", "ownerId", "status"],
      derived: [
        "revision",
        "createdAt",
        "updatedAt",
        "reviewState",
        "reviewStale",
        "isExample",
        "hours",
        "access",
        "viaTeam",
        "deletedAt",
      ],
    }),
    response: { status: 200, data: one },
    etag: true,
    ifMatch: true,
    changesContent: true,
    activity: "content.edited",
  },
  deleteEstimation: {
    method: "DELETE",
    path: "/api/estimations/:id",
    summary: "Delete an estimation; it can be restored for some time",
    access: "estimations:write",
    right: "own",
    response: { status: 200, data: one },
    etag: true,
    ifMatch: true,
    activity: "estimation.deleted",
  },
  restoreDeletedEstimation: {
    method: "POST",
    path: "/api/estimations/:id/restore-deleted",
    summary: "Restore a deleted estimation with all that belongs to it",
    description: "Restoring one that is not deleted changes nothing.",
    access: "estimations:write",
    right: "restore",
    response: { status: 200, data: one },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "estimation.undeleted",
  },
  duplicateEstimation: {
    method: "POST",
    path: "/api/estimations/:id/duplicate",
    summary: "Copy an estimation that you may read into a new one of your own",
    description:
      "The copy is a draft with the same settings, tree, timeline and milestones, with new ids. It has no tasks, versions, reviews or shares.",
    access: "estimations:write",
    right: "read",
    withTree: true,
    response: { status: 201, created: "/api/estimations/:copyId", data: one },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "estimation.duplicated",
  },
});
