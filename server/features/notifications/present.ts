import { type MailSetting, mailSettingNames } from "../../../contract/mails.ts";
import type { Notifications } from "../../../contract/notifications.ts";

/** Returns which mails are sent, as the API shows it, to an address that refused some. */
export const presentNotifications = (refused: readonly MailSetting[]): Notifications =>
  Object.fromEntries(mailSettingNames.map((name) => [name, !refused.includes(name)])) as Notifications;
