import type { SQL } from "drizzle-orm";
import type { EventData, SubscribableEvent } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import { addJob } from "../../jobs/job-store.ts";
import type { Services } from "../../services/index.ts";
import { checkEventData, enqueue, enqueueAll, recordEvents } from "./enqueue.ts";
import { spreadJob } from "./spread.ts";
import { insertSpread } from "./spread-store.ts";
import { findSubscribed } from "./store.ts";

/** Deliveries that are written in the transaction of their cause; where there are more, a job writes all of them. */
const WRITTEN_AT_ONCE = 500;

export interface Emission<N extends SubscribableEvent> {
  readonly event: N;
  readonly data: EventData<N>;
  /** Users whose webhooks receive it: ids, or a query of them; a user named twice counts once. */
  readonly userIds: readonly string[] | SQL;
  /** The user who caused it. Events with very many receivers take turns by sender. */
  readonly senderId: string;
  readonly now: Date;
}

/**
 * Sends an event to the active, subscribed webhooks of `userIds`, within the transaction `tx` of its cause. Costs one
 * query if no webhook subscribes. With more than `WRITTEN_AT_ONCE` webhooks, only the event, its users and a job are
 * written, and the job writes the deliveries: then the webhooks are those that are active and subscribed at that later
 * time, and not newer than the event. Throws if the data does not match the event's schema.
 */
export async function emit<N extends SubscribableEvent>(
  tx: Queryable,
  services: Pick<Services, "ids">,
  emission: Emission<N>,
): Promise<void> {
  const { event, data, userIds, senderId, now } = emission;
  const receivers = await findSubscribed(tx, userIds, event, WRITTEN_AT_ONCE + 1);
  if (receivers.length > WRITTEN_AT_ONCE) await spread(tx, [emission]);
  else await enqueue(tx, services.ids, { occurrence: { event, data, at: now }, senderId, receivers });
}

/** The same for many occurrences of one event, each for users named by id, in as many statements as for one. */
export async function emitAll<N extends SubscribableEvent>(
  tx: Queryable,
  { ids }: Pick<Services, "ids">,
  {
    event,
    senderId,
    now,
    all,
  }: Pick<Emission<N>, "event" | "senderId" | "now"> & {
    readonly all: readonly { readonly data: EventData<N>; readonly userIds: readonly string[] }[];
  },
): Promise<void> {
  const told = [...new Set(all.flatMap(({ userIds }) => userIds))];
  const webhooks = await findSubscribed(tx, told, event, WRITTEN_AT_ONCE + 1);
  const receptions = all.map(({ data, userIds }) => ({
    occurrence: { event, data, at: now },
    senderId,
    receivers: webhooks.filter(({ userId }) => userIds.includes(userId)),
  }));
  const number = receptions.reduce((sum, { receivers }) => sum + receivers.length, 0);
  if (number <= WRITTEN_AT_ONCE) await enqueueAll(tx, ids, receptions);
  else
    await spread(
      tx,
      all.map(({ data, userIds }) => ({ event, data, userIds, senderId, now })),
    );
}

/** Records events whose deliveries the job writes. */
async function spread<N extends SubscribableEvent>(tx: Queryable, emissions: readonly Emission<N>[]): Promise<void> {
  for (const { event, data } of emissions) checkEventData(event, data);
  const events = await recordEvents(
    tx,
    emissions.map(({ event, data, now }) => ({ event, data, at: now })),
  );
  for (const [at, { userIds, senderId }] of emissions.entries())
    await insertSpread(tx, { eventId: events[at] ?? 0, userIds, senderId });
  await addJob(tx, spreadJob, {});
}
