import Type, { type Static, type TBoolean } from "typebox";
import { endpoints } from "../endpoint.ts";
import { type MailSetting, mailSettings } from "../mails.ts";
import { Change, component, Shape } from "../shapes.ts";

const fields = Object.fromEntries(
  Object.entries(mailSettings).map(([name, when]) => [name, Type.Boolean({ description: `Mailed when: ${when}` })]),
) as Record<MailSetting, TBoolean>;

/** Which mails the owner of an address receives. */
export const Notifications = component("Notifications", Shape(fields));
export type Notifications = Static<typeof Notifications.schema>;

const one = Shape({ notifications: Notifications.ref });

export const notifications = endpoints({
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
