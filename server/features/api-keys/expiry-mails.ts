import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail } from "../../jobs/mail-store.ts";
import type { Services } from "../../services/index.ts";
import { findUser } from "../auth/index.ts";
import type { ExpiringKey } from "./expiry-store.ts";
import { findKey } from "./store.ts";

export const keyExpiring = defineMail<ExpiringKey>("key-expiring");

/** Writes the mails about keys that will soon expire; none if the key has been revoked or has expired by then. It names a key only by its prefix. */
export const keyMails = ({ config, pool, clock }: Services): MailRow[] => [
  writeMail(keyExpiring, async ({ userId, apiKeyId }) => {
    const [user, key] = [await findUser(pool, userId), await findKey(pool, userId, apiKeyId)];
    if (!user || user.disabledAt || !key?.expiresAt || key.revokedAt || key.expiresAt <= clock.now()) return null;
    return {
      to: user.email,
      subject: "An API key expires soon",
      paragraphs: [
        `Your API key ${key.prefix}… expires at ${key.expiresAt.toISOString()}. Requests with it are refused from then on.`,
        "If a program still needs it, make another key and put it in the place of this one.",
      ],
      link: { label: "See your API keys", url: `${config.webUrl}/profile/api-keys` },
    };
  }),
];
