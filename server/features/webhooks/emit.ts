import type { SQL } from "drizzle-orm";
import type { EventData, SubscribableEvent } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services.ts";
import { enqueue } from "./enqueue.ts";
import { findSubscribed } from "./store.ts";

export interface Emission<N extends SubscribableEvent> {
  readonly event: N;
  readonly data: EventData<N>;
  /** Whose webhooks hear of it: ids, or a query of them; the same user twice counts once. */
  readonly userIds: readonly string[] | SQL;
  readonly now: Date;
}

/**
 * Tells the active, subscribed webhooks of `userIds` of an event, within the transaction `tx` of its cause. Where nobody
 * listens that costs one query, and however many listen, the same few statements. Throws where the data break the event's schema.
 */
export async function emit<N extends SubscribableEvent>(
  tx: Queryable,
  { ids }: Pick<Services, "ids">,
  { event, data, userIds, now }: Emission<N>,
): Promise<void> {
  const receivers = await findSubscribed(tx, userIds, event);
  await enqueue(tx, ids, { event, data, at: now }, receivers);
}
