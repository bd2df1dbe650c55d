import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { component, hundredths, Id, NextCursor, Nullable, OneOf, paging, Shape, Timestamp } from "../shapes.ts";
import { activityKindNames, activityKinds, joinedKinds } from "../values/activity-kinds.ts";
import { sharePermissions } from "../values/share-permissions.ts";

const joined = joinedKinds.map((kind) => `\`${kind}\``).join(", ");
const words = activityKindNames.map((kind) => `\`${kind}\`: ${activityKinds[kind]}`).join("; ");

export const ActivityEntry = component(
  "ActivityEntry",
  Shape({
    number: Type.Integer({ minimum: 1, description: "Counts the entries of the estimation from 1" }),
    kind: OneOf(activityKindNames, { description: `What the person did. ${words}` }),
    person: Shape({ id: Id("user"), name: Type.String() }, { description: "Who did it" }),
    startedAt: Timestamp,
    endedAt: Type.String({
      ...Timestamp,
      description: "When the last of its `edits` was made",
    }),
    edits: Type.Integer({
      minimum: 1,
      description: `How many changes by the person within ${limits.activityMinutes} minutes the entry stands for, for the kinds ${joined}; otherwise 1`,
    }),
    hoursDelta: Nullable(
      Type.Number({
        ...hundredths,
        description:
          "By how much this changed the expected hours, in hours, not counting what others changed at the same time; null for kinds that cannot change them",
      }),
    ),
    before: Nullable(
      Id(
        "version",
        "The version that its thread was at when it began, or that has the content from right before it; null: there is none, or it cannot have changed the content",
      ),
    ),
    after: Nullable(
      Id(
        "version",
        "The version that it made or switched to; of edits, the oldest one of their thread from after the last of them; null: there is none, or it cannot have changed the content",
      ),
    ),
    subject: Shape(
      {
        versionId: Type.Optional(Id("version")),
        templateId: Type.Optional(Id("template")),
        shareId: Type.Optional(Id("share")),
        threadId: Type.Optional(Id("thread")),
        linkId: Type.Optional(Id("link")),
        reviewId: Type.Optional(Type.String({ description: "Id of the review" })),
        exportId: Type.Optional(Id("export")),
        roundId: Type.Optional(Id("round")),
        userId: Type.Optional(Id("user")),
        email: Type.Optional(Type.String({ description: "The invited address; shown only to the owner" })),
        teamId: Type.Optional(Id("team", "The team that it was shared with; shown only to the owner")),
        permission: Type.Optional(OneOf(sharePermissions, { description: "Of the share; shown only to the owner" })),
      },
      { description: "What it was about, which may be gone by now" },
    ),
  }),
);
export type ActivityEntry = Static<typeof ActivityEntry.schema>;

export const activity = endpoints({
  listActivity: {
    method: "GET",
    path: "/api/estimations/:id/activity",
    summary: "List who did what with an estimation, newest first",
    description: `What one person does within ${limits.activityMinutes} minutes of the same kind (${joined}), about the same thread or review or in the same thread, is one entry, at the position of the first. The newest ${limits.activityEntries} entries are retained.`,
    access: "estimations:read",
    right: "read",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: Shape({ activity: Type.Array(ActivityEntry.ref), nextCursor: NextCursor }) },
  },
});
