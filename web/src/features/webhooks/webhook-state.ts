import type { Webhook } from "../../../../contract/endpoints/webhooks.ts";

export type WebhookState = "active" | "failing" | "paused" | "stopped";

/** Returns how a webhook is: `paused` by its owner, or `stopped` by the service because it failed for days. */
export function stateOf({ active, health }: Pick<Webhook, "active" | "health">): WebhookState {
  if (!active) return health.deactivatedAt === null ? "paused" : "stopped";
  return health.failuresInARow > 0 ? "failing" : "active";
}
