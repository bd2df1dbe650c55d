import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { revokeKeysBefore } from "../api-keys/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import type { UserRow } from "../auth/index.ts";
import { deleteConnectionsBefore } from "../connections/index.ts";
import { deleteWebhooksBefore, forgetFormerSecrets } from "../webhooks/index.ts";

/**
 * Ends what may be another person's before a user gets access to what others own: keys, webhooks and connections to
 * trackers from before a password reset first proved the address. If there was such a key, all webhooks and connections
 * end: the key can have made them since. A reset alone ends nothing of this; it is the shared estimation that was never
 * meant for them.
 */
export async function endEarlierAccess(
  tx: Queryable,
  services: Services,
  { id: userId, provedByResetAt }: UserRow,
  moment: Origin & { readonly now: Date },
): Promise<void> {
  if (provedByResetAt === null) return;
  const { now } = moment;
  const keys = await revokeKeysBefore(tx, userId, { before: provedByResetAt, now });
  for (const { id } of keys)
    await recordIdentityEvent(tx, services, { ...moment, userId, event: "api_key.revoked", apiKeyId: id });
  const before = keys.length > 0 ? now : provedByResetAt;
  const webhooks = await deleteWebhooksBefore(tx, userId, { before, now });
  for (const { id } of webhooks) await forgetFormerSecrets(tx, id);
  const connections = await deleteConnectionsBefore(tx, userId, before);
  for (const _ of connections)
    await recordIdentityEvent(tx, services, { ...moment, userId, event: "connection.removed" });
  if (webhooks.length > 0) await recordIdentityEvent(tx, services, { ...moment, userId, event: "webhooks.removed" });
}
