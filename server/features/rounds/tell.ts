import type { Queryable } from "../../db/database.ts";
import type { Services } from "../../services/index.ts";
import type { UserRow } from "../auth/index.ts";
import { type LockedEstimation, tellReaders, webPages } from "../estimations/index.ts";
import { addNotifications, removeReminders } from "../notifications/index.ts";
import { requestAsked, requestRevealed } from "./mails.ts";
import { type Heard, usersOf } from "./participant-store.ts";

/** What an event says of a round: nothing of what anybody estimated. */
const dataOf = (
  { config }: Pick<Services, "config">,
  { id: estimationId, title }: LockedEstimation,
  roundId: string,
) => ({
  ...{ estimationId, roundId, estimationTitle: title },
  roundUrl: webPages.round(config.webUrl, estimationId, roundId),
});

/** Tells those who are asked, and the readers' webhooks, that a round was opened. */
export async function tellOpened(
  tx: Queryable,
  services: Services,
  estimation: LockedEstimation,
  { id, opener, userIds, now }: { id: string; opener: UserRow; userIds: readonly string[]; now: Date },
): Promise<void> {
  const { id: estimationId } = estimation;
  const what = { kind: "round.asked", actorId: opener.id, estimationId, subject: { roundId: id }, now } as const;
  await addNotifications(tx, services.ids, what, userIds);
  await requestAsked(tx, { roundId: id, openerId: opener.id, now });
  await tellReaders(tx, services, estimation, {
    event: "round.opened",
    data: { ...dataOf(services, estimation, id), openerName: opener.name },
    senderId: opener.id,
    now,
  });
}

/** A round that was revealed or closed. `actorId`: who did it; null: it happened by itself. */
interface Ended {
  readonly id: string;
  readonly openerId: string;
  readonly actorId: string | null;
  readonly heard: readonly Pick<Heard, "userId" | "isMailed">[];
  readonly now: Date;
}

/** Tells those who were asked, and the readers' webhooks, that a round is revealed. */
export async function tellRevealed(
  tx: Queryable,
  services: Services,
  estimation: LockedEstimation,
  { id, openerId, actorId, heard, now }: Ended,
): Promise<void> {
  const { id: estimationId } = estimation;
  const what = { kind: "round.revealed", actorId, estimationId, subject: { roundId: id }, now } as const;
  await removeReminders(tx, estimationId, id);
  await addNotifications(tx, services.ids, what, usersOf(heard));
  const mailed = usersOf(heard.filter(({ isMailed }) => isMailed)).filter((userId) => userId !== actorId);
  await requestRevealed(tx, { roundId: id, userIds: mailed, now });
  await tellReaders(tx, services, estimation, {
    event: "round.revealed",
    data: dataOf(services, estimation, id),
    senderId: actorId ?? openerId,
    now,
  });
}

/** Tells the readers' webhooks that a round is closed. */
export async function tellClosed(
  tx: Queryable,
  services: Services,
  estimation: LockedEstimation,
  { id, actorId, now }: { id: string; actorId: string; now: Date },
): Promise<void> {
  const data = dataOf(services, estimation, id);
  await tellReaders(tx, services, estimation, { event: "round.closed", data, senderId: actorId, now });
}
