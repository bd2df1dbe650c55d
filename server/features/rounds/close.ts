import type { rounds } from "../../../contract/endpoints/rounds.ts";
import { earliestSentAt } from "../../../domain/shares.ts";
import { fail } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import type { Services } from "../../services/index.ts";
import { type ReadableEstimation, recordActivity } from "../estimations/index.ts";
import { removeReminders } from "../notifications/index.ts";
import { forgetAnswers, listHeard } from "./participant-store.ts";
import { lockRound, updateRound } from "./store.ts";
import { tellClosed } from "./tell.ts";

type CloseCall = Call<typeof rounds.closeRound, ReadableEstimation>;

/** Ends a round. Estimates that were not revealed are removed: nobody sees them any more. Closing it again changes nothing. */
export async function closeRound(services: Services, call: CloseCall): Promise<void> {
  const { estimation, params, actor, db, now } = call;
  const round = (await lockRound(db, estimation.id, params.roundId)) ?? fail("not_found");
  if (round.status === "closed") return;
  const ended = { status: "closed", closedAt: now } as const;
  if (round.status === "open") {
    const heard = await listHeard(db, round.id, earliestSentAt(now));
    await updateRound(db, round.id, { ...ended, answered: heard.filter(({ waits }) => !waits).length });
    await forgetAnswers(db, round.id);
    await removeReminders(db, estimation.id, round.id);
  } else await updateRound(db, round.id, ended);
  await recordActivity(call, "round.closed", { subject: { roundId: round.id } });
  await tellClosed(db, services, estimation, { id: round.id, actorId: actor.userId, now });
}
