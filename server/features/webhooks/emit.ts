import type { SQL } from "drizzle-orm";
import type { EventData, SubscribableEvent } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services.ts";
import { enqueue, enqueueAll } from "./enqueue.ts";
import { findSubscribed } from "./store.ts";

export interface Emission<N extends SubscribableEvent> {
  readonly event: N;
  readonly data: EventData<N>;
  /** Users whose webhooks receive it: ids, or a query of them; a user named twice counts once. */
  readonly userIds: readonly string[] | SQL;
  readonly now: Date;
}

/**
 * Sends an event to the active, subscribed webhooks of `userIds`, within the transaction `tx` of its cause. Costs one
 * query if no webhook subscribes, and the same few statements for each thousand webhooks. Throws if the data does not
 * match the event's schema.
 */
export async function emit<N extends SubscribableEvent>(
  tx: Queryable,
  { ids }: Pick<Services, "ids">,
  { event, data, userIds, now }: Emission<N>,
): Promise<void> {
  const receivers = await findSubscribed(tx, userIds, event);
  await enqueue(tx, ids, { event, data, at: now }, receivers);
}

/** The same for many occurrences of one event, each for users named by id, in as many statements as for one. */
export async function emitAll<N extends SubscribableEvent>(
  tx: Queryable,
  { ids }: Pick<Services, "ids">,
  {
    event,
    now,
    all,
  }: {
    readonly event: N;
    readonly now: Date;
    readonly all: readonly { readonly data: EventData<N>; readonly userIds: readonly string[] }[];
  },
): Promise<void> {
  const webhooks = await findSubscribed(tx, [...new Set(all.flatMap(({ userIds }) => userIds))], event);
  await enqueueAll(
    tx,
    ids,
    all.map(({ data, userIds }) => ({
      occurrence: { event, data, at: now },
      receivers: webhooks.filter(({ userId }) => userIds.includes(userId)),
    })),
  );
}
