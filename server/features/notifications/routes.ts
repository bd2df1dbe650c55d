import type { Notifications, notifications } from "../../../contract/endpoints/notifications.ts";
import type { MailSetting } from "../../../contract/mails.ts";
import { mailSettingNames } from "../../../contract/mails.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, requireCaller } from "../auth/index.ts";
import { countUnread, listOf, markRead } from "./inbox-store.ts";
import { presentNotification } from "./present.ts";
import { acceptMails, hashOf, listRefused, refuseMails } from "./store.ts";

/** Returns which mails are sent, as the API shows it, to an address that refused some. */
const presentNotifications = (refused: readonly MailSetting[]): Notifications =>
  Object.fromEntries(mailSettingNames.map((name) => [name, !refused.includes(name)])) as Notifications;

const newestFirst = byId("notifications");

/** What concerns the caller; reading and changing which mails the caller receives. */
export function notificationRoutes({ config }: Services): Handlers<typeof notifications> {
  /** The settings belong to the address: a user who registered with another person's address must not change them. */
  const addressHashOf = async (db: Queryable, userId: string): Promise<Uint8Array> => {
    const user = requireCaller(await findUser(db, userId));
    if (!countsAsVerified(user, config)) fail("forbidden", { details: { reason: "email_not_verified" } });
    return hashOf(user.email);
  };
  const shown = async (db: Queryable, addressHash: Uint8Array) => ({
    data: { notifications: presentNotifications(await listRefused(db, addressHash)) },
  });
  return {
    async listNotifications({ actor: { userId }, query, db, now }) {
      const find = (limit: number, before: string | null) => listOf(db, { userId, now }, limit, before);
      const { rows, nextCursor } = await listPage(newestFirst, query, find);
      const unread = (await countUnread(db, [userId])).get(userId) ?? 0;
      return { data: { notifications: rows.map(presentNotification), unread, nextCursor } };
    },

    async readNotifications({ actor: { userId }, body, db, now }) {
      await markRead(db, userId, body, now);
      return { data: { unread: (await countUnread(db, [userId])).get(userId) ?? 0 } };
    },

    async getNotifications({ actor, db }) {
      return shown(db, await addressHashOf(db, actor.userId));
    },

    async updateNotifications({ actor, body, db, now }) {
      const addressHash = await addressHashOf(db, actor.userId);
      const given = Object.entries(body) as [MailSetting, boolean][];
      const named = (value: boolean) => given.filter(([, wanted]) => wanted === value).map(([name]) => name);
      await refuseMails(db, addressHash, named(false), now);
      await acceptMails(db, addressHash, named(true));
      return shown(db, addressHash);
    },
  };
}
