import type { EventData, SubscribableEvent } from "../../../contract/events.ts";
import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import { emit } from "../webhooks/index.ts";
import type { LockedEstimation } from "./look-up-store.ts";
import { readersOf } from "./reader-store.ts";

/** What happened to an estimation. */
interface Happening<N extends SubscribableEvent> {
  readonly event: N;
  readonly data: EventData<N>;
  /** The user who caused it. */
  readonly senderId: string;
  /** Whose review it is about, if it is about one. */
  readonly reviewerId?: string;
  readonly now: Date;
}

/**
 * Sends an event to the webhooks of everybody who may read the estimation, in the transaction of its cause. A user who may only
 * review it receives the events of their own reviews: any user can ask any other for one. The lock
 * keeps the readers from changing meanwhile.
 */
export async function tellReaders<N extends SubscribableEvent>(
  tx: Queryable,
  services: Pick<Services, "ids">,
  estimation: LockedEstimation,
  happening: Happening<N>,
): Promise<void> {
  const { reviewerId, ...emission } = happening;
  await emit(tx, services, { ...emission, userIds: readersOf(estimation.id, reviewerId) });
}

/** The pages of the web application at `webUrl` that mails and events lead to. */
export const webPages = {
  estimation: (webUrl: string, id: string): string => `${webUrl}/estimations/${id}`,
  review: (webUrl: string, id: string, reviewId: string): string => `${webUrl}/estimations/${id}/reviews/${reviewId}`,
  round: (webUrl: string, id: string, roundId: string): string => `${webUrl}/estimations/${id}/rounds/${roundId}`,
  /** What a client sees, who has no account. */
  proposal: (webUrl: string, token: string): string => `${webUrl}/p/${token}`,
  /** The links for clients are there. */
  links: (webUrl: string, id: string): string => `${webUrl}/estimations/${id}/shares`,
  /** Accepts an invitation. */
  invitation: (webUrl: string, shareId: string): string => `${webUrl}/shared?accept=${shareId}`,
} as const;
