import type { MailSettings } from "../../jobs/mail.ts";
import type { Services } from "../../services/index.ts";
import { hashOf, listRefused } from "./store.ts";
import { UNSUBSCRIBE_PATH } from "./unsubscribe.ts";
import { createUnsubscribeTokens } from "./unsubscribe-tokens.ts";

/** What the worker needs to know before it sends a mail that can be turned off. */
export function mailSettings({ config, pool, linkKeys }: Services): MailSettings {
  const tokens = createUnsubscribeTokens(linkKeys.unsubscribe);
  return {
    isWanted: async (address, setting) => !(await listRefused(pool, hashOf(address))).includes(setting),
    unsubscribeUrl: (address, setting) => `${config.baseUrl}${UNSUBSCRIBE_PATH}?token=${tokens.make(address, setting)}`,
  };
}
