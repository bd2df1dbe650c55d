import Type, { type Static, type TBoolean } from "typebox";
import { endpoints } from "../endpoint.ts";
import { limits } from "../limits.ts";
import { type MailSetting, mailSettings } from "../mails.ts";
import {
  Change,
  component,
  Id,
  NextCursor,
  Nullable,
  OneOf,
  OrNull,
  Person,
  paging,
  Shape,
  Timestamp,
} from "../shapes.ts";
import { notificationKindNames, notificationKinds } from "../values/notification-kinds.ts";

const fields = Object.fromEntries(
  Object.entries(mailSettings).map(([name, when]) => [name, Type.Boolean({ description: `Mailed when: ${when}` })]),
) as Record<MailSetting, TBoolean>;

/** Which mails the owner of an address receives. */
export const Notifications = component("Notifications", Shape(fields));
export type Notifications = Static<typeof Notifications.schema>;

const words = notificationKindNames.map((kind) => `\`${kind}\`: ${notificationKinds[kind]}`).join("; ");

export const Notification = component(
  "Notification",
  Shape({
    id: Id("notification"),
    kind: OneOf(notificationKindNames, { description: `What happened. ${words}` }),
    person: OrNull(Person("Who did it; null: nobody else, or you may not see any more what it is about")),
    estimation: OrNull(Shape({ id: Id("estimation"), title: Type.String() }, { description: "As it is now" })),
    team: OrNull(Shape({ id: Id("team"), name: Type.String() }, { description: "As it is now" })),
    subject: Shape(
      {
        shareId: Type.Optional(Id("share")),
        teamId: Type.Optional(Id("team")),
        reviewId: Type.Optional(Type.String({ description: "Id of the review" })),
        commentId: Type.Optional(Id("comment")),
        threadId: Type.Optional(Id("thread")),
        messageId: Type.Optional(Id("message")),
        exportId: Type.Optional(Id("export")),
        roundId: Type.Optional(Id("round")),
      },
      { description: "What it is about, which may be gone by now" },
    ),
    createdAt: Timestamp,
    readAt: Nullable(Timestamp),
  }),
);
export type Notification = Static<typeof Notification.schema>;

const unread = Type.Integer({ minimum: 0, maximum: limits.notifications, description: "How many are not read" });

const one = Shape({ notifications: Notifications.ref });

export const notifications = endpoints({
  listNotifications: {
    method: "GET",
    path: "/api/notifications",
    summary: "List what concerns you, newest first",
    description: `Invitations, requests for reviews and decisions, comments and replies, messages in threads, exports that have ended. \`estimation\` and \`team\` are null where you may not see them any more. A comment or message takes the place of an earlier one of the same person on the same review or in the same thread that you have not read. The newest ${limits.notifications} are kept, of one person the newest ${limits.notificationsFromOne}, for ${limits.notificationDays} days. The stream of \`GET /api/live\` says when \`unread\` changes.`,
    access: "session",
    query: Shape(paging(limits.pageSize)),
    response: {
      status: 200,
      data: Shape({ notifications: Type.Array(Notification.ref), unread, nextCursor: NextCursor }),
    },
  },
  readNotifications: {
    method: "POST",
    path: "/api/notifications/read",
    summary: "Mark notifications as read",
    description: "Those of `ids`, and all up to `upTo`; ids that are not yours are ignored.",
    access: "session",
    body: Shape({
      ids: Type.Optional(
        Type.Array(Type.String(), { maxItems: limits.pageSizeMax, description: "Ids of notifications that are read" }),
      ),
      upTo: Type.Optional(Type.String({ description: "Id of the newest one that is read, with all older ones" })),
    }),
    response: { status: 200, data: Shape({ unread }) },
  },
  getNotifications: {
    method: "GET",
    path: "/api/auth/me/notifications",
    summary: "Read which mails you receive",
    description:
      "The settings belong to your e-mail address, so they need a verified one. Mails about the account itself, such as a link to reset the password, cannot be turned off.",
    access: "session",
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
  updateNotifications: {
    method: "PATCH",
    path: "/api/auth/me/notifications",
    summary: "Turn kinds of mail on or off",
    description:
      "The settings belong to your e-mail address, so they need a verified one. The link at the end of such a mail turns its kind off without signing in.",
    access: "session",
    body: Change(fields),
    response: { status: 200, data: one },
    errors: ["forbidden"],
  },
});
