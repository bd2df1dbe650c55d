import Type, { type Static } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import {
  AnyOf,
  component,
  Email,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  OrNull,
  paging,
  Shape,
  Text,
  Timestamp,
} from "../shapes.ts";
import { sharePermissions } from "../values/share-permissions.ts";
import { Estimation } from "./estimations.ts";

export const shareStatuses = ["pending", "accepted", "expired"] as const;
export type ShareStatus = (typeof shareStatuses)[number];

const permission = OneOf(sharePermissions, {
  description: "`view` makes the recipient, or every member of the team, a viewer of the estimation, `edit` an editor",
});

export const Share = component(
  "Share",
  Shape({
    id: Id("share"),
    estimationId: Id("estimation"),
    estimationTitle: Type.String(),
    email: Nullable(Type.String({ description: "The invited address; null: shared with a team" })),
    team: OrNull(
      Shape(
        { id: Id("team"), name: Type.String() },
        { description: "The team that it is shared with; null: an address" },
      ),
    ),
    permission,
    status: OneOf(shareStatuses, {
      description: "`expired`: the invitation was not accepted in time; sending it again makes it `pending`",
    }),
    userId: Nullable(Id("user", "Who accepted it; null: nobody yet, or a team")),
    userName: Nullable(Type.String({ description: "Name of that user" })),
    sharerName: Type.String({ description: "Name of the user who shared it, or last sent the invitation" }),
    createdAt: Timestamp,
    sentAt: Type.String({ ...Timestamp, description: "When the invitation was last sent" }),
    undeliveredAt: Nullable(
      Type.String({
        ...Timestamp,
        description:
          "When the mail server refused the invitation for good, such as for an address that does not exist; null: it did not. Sending it again then counts against no limit",
      }),
    ),
    acceptedAt: Nullable(Timestamp),
    expiresAt: Nullable(
      Type.String({ ...Timestamp, description: "When the invitation ends; null: there is none to accept" }),
    ),
  }),
);
export type Share = Static<typeof Share.schema>;

const one = Shape({ share: Share.ref });
const many = Shape({ shares: Type.Array(Share.ref), nextCursor: NextCursor });
const access = "shares:manage";

export const shares = endpoints({
  listShares: {
    method: "GET",
    path: "/api/estimations/:id/shares",
    summary: "List the shares of an estimation, newest first",
    access,
    right: "own",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: many },
  },
  createShare: {
    method: "POST",
    path: "/api/estimations/:id/shares",
    summary: "Share an estimation with the owner of an e-mail address, who is mailed a link, or with a team",
    description: `Names either \`email\` or \`teamId\`. The address is invited for ${limits.invitationDays} days. Its verified owner gets access at the next sign-in, or by accepting the invitation. If the address was invited before, the existing share is returned with 200, without another mail or event; a different \`permission\` applies at once. Only users with a verified address can invite, and mails to invited addresses are limited per user and hour (429). With a team, of which you have to be a member, it is shared at once: every member, present and future, has access from the next request on, and loses it on leaving. When you leave the team, the share stays.`,
    access,
    right: "own",
    body: Shape({
      email: Type.Optional(Email),
      teamId: Type.Optional(Text(limits.refLength, { description: "Id of a team of yours, instead of `email`" })),
      permission,
    }),
    response: {
      status: 201,
      created: "/api/shares/:shareId",
      data: one,
      found: { status: 200, when: "The address was already invited, or the team has access already", data: one },
    },
    errors: ["limit_reached"],
    events: ["share.invited"],
    ifMatch: true,
    activity: ["share.invited", "share.changed"],
  },
  resendShare: {
    method: "POST",
    path: "/api/estimations/:id/shares/:shareId/resend",
    summary: `Mail an invitation again; it is then valid for ${limits.invitationDays} days from now`,
    description: `At most ${limits.invitationMailsPerDay} mails a day for one share, the first one included (429). Counts against the same limit of mails per user and hour as inviting. After a mail that was refused for good (\`undeliveredAt\`) it counts against neither.`,
    access,
    right: "own",
    response: { status: 202, data: one },
    errors: ["invitation_accepted"],
    ifMatch: true,
  },
  deleteShare: {
    method: "DELETE",
    path: "/api/shares/:shareId",
    summary: "Delete a share: an invitation ends, and access by an accepted share ends with the next request",
    description:
      "For the owner of the estimation, who ends the share, for the recipient, who declines the invitation (with a verified address) or leaves the estimation, and for the admins of a team that it is shared with.",
    access,
    response: { status: 200, data: one },
    errors: ["forbidden"],
    activity: "share.removed",
  },
  listMyShares: {
    method: "GET",
    path: "/api/shares/me",
    summary: "List the invitations to your address and the shares that you have accepted, newest first",
    description: "Only for users with a verified address. Invitations that have expired are left out.",
    access,
    query: Shape({
      status: AnyOf(OneOf(["pending", "accepted"]), 2, "Only those with one of these statuses"),
      ...paging(limits.pageSize),
    }),
    response: { status: 200, data: many },
    errors: ["forbidden"],
  },
  listTeamShares: {
    method: "GET",
    path: "/api/teams/:teamId/shares",
    summary: "List what is shared with a team that you are a member of, newest first",
    access: "session",
    query: Shape(paging(limits.pageSizeInside)),
    response: { status: 200, data: many },
  },
  acceptShare: {
    method: "POST",
    path: "/api/shares/:shareId/accept",
    summary: "Accept an invitation to your verified address",
    description: "Needed only by users who are signed in already: signing in accepts pending invitations.",
    access: "session",
    response: { status: 200, data: one },
    errors: ["forbidden", "invitation_expired"],
    events: ["share.accepted"],
  },
  transferEstimation: {
    method: "POST",
    path: "/api/estimations/:id/transfer",
    summary: "Give an estimation to an editor, and become an editor of it",
    description:
      "The new owner must have accepted a share with the permission `edit`. The estimation then counts against the new owner's quotas.",
    access: "estimations:write",
    right: "own",
    body: Shape({ userId: Text(limits.refLength, { description: "The new owner" }) }),
    response: { status: 200, data: Shape({ estimation: Estimation.ref }) },
    errors: ["limit_reached"],
    etag: true,
    ifMatch: true,
    activity: "estimation.transferred",
  },
});
