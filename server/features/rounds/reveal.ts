import { randomInt } from "node:crypto";
import type { rounds } from "../../../contract/endpoints/rounds.ts";
import { outliersOf } from "../../../domain/rounds/agreement.ts";
import { answerAt, partOf } from "../../../domain/rounds/answers.ts";
import { drawOrder } from "../../../domain/rounds/draw.ts";
import { neededIn, summaryOf } from "../../../domain/rounds/result.ts";
import { earliestSentAt } from "../../../domain/shares.ts";
import type { Queryable } from "../../db/database.ts";
import { fail } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { inTurns } from "../../platform/compute.ts";
import type { Services } from "../../services/index.ts";
import {
  type LockedEstimation,
  lockForOwnRecord,
  type ReadableEstimation,
  recordActivity,
} from "../estimations/index.ts";
import { insertRevealed, type Revealed } from "./estimate-store.ts";
import { findOwn, forgetAnswers, type Heard, listHeard } from "./participant-store.ts";
import { findPlace, holdRound, lockRound, type RoundRow, updateRound } from "./store.ts";
import { tellRevealed } from "./tell.ts";

type RevealCall = Call<typeof rounds.revealRound, ReadableEstimation>;

/**
 * Reveals a round by hand. Revealing it again changes nothing. Refuses (409) a round that is closed, one in which too few have answered, and a caller
 * who is asked too and has options left. What it says follows from the number of those who have answered, and from what the caller said.
 */
export async function revealByHand(services: Services, call: RevealCall): Promise<void> {
  const { estimation, params, actor, db, now } = call;
  const round = (await lockRound(db, estimation.id, params.roundId)) ?? fail("not_found");
  if (round.status === "revealed") return;
  if (round.status === "closed") fail("round_not_open", { details: { status: round.status } });
  const heard = await listHeard(db, round.id, earliestSentAt(now));
  const own = await findOwn(db, { roundId: round.id, estimationId: estimation.id, userId: actor.userId });
  if (own?.waits) {
    const { optionIds } = (await holdRound(db, estimation.id, round.id)) ?? fail("not_found");
    fail("round_answer_missing", { details: { remaining: partOf(own.answers ?? [], optionIds.length).remaining } });
  }
  const answered = heard.filter(({ waits }) => !waits).length;
  const needed = neededIn(round);
  if (answered < needed) fail("round_too_few", { details: { answered, needed } });
  await reveal(services, db, { estimation, round, heard, actorId: actor.userId, now });
}

/**
 * Reveals a round if all have answered from whom an answer can be expected, or if its deadline has passed and some option has enough
 * estimates. It may run twice, and beside a reveal by hand: the first one counts. Otherwise it changes nothing.
 */
export async function revealIfDue(services: Services, { roundId }: { readonly roundId: string }): Promise<void> {
  const { pool, clock } = services;
  const place = await findPlace(pool, roundId);
  if (!place) return;
  await pool.transaction(async (tx) => {
    const now = clock.now();
    // By its opener, who need not have access any more.
    const estimation = await lockForOwnRecord(tx, place.estimationId, place.openerId);
    // Deleted: if it is restored, it is looked at again.
    if (!estimation) return;
    const round = await lockRound(tx, estimation.id, roundId);
    if (round?.status !== "open") return;
    const heard = await listHeard(tx, roundId, earliestSentAt(now));
    if (isReady(round, heard, now)) await reveal(services, tx, { estimation, round, heard, actorId: null, now });
  });
}

function isReady(round: RoundRow, heard: readonly Heard[], now: Date): boolean {
  const needed = neededIn(round);
  const answered = heard.filter(({ waits }) => !waits).length;
  if (answered >= needed && heard.every(({ waits, isExpected }) => !waits || !isExpected)) return true;
  if (round.deadline === null || round.deadline > now) return false;
  const counts = new Map<number, number>();
  for (const { answers } of heard)
    for (const at of (answers ?? []).keys()) if (answerAt(answers ?? [], at)) counts.set(at, (counts.get(at) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= needed);
}

interface Revealing {
  readonly estimation: LockedEstimation;
  readonly round: RoundRow;
  readonly heard: readonly Heard[];
  /** Who reveals it; null: it happens by itself. */
  readonly actorId: string | null;
  readonly now: Date;
}

/** Shows the estimates of a locked round, and tells those who were asked. What was said is stored anew, without what would tell more. */
async function reveal(
  services: Services,
  tx: Queryable,
  { estimation, round, heard, actorId, now }: Revealing,
): Promise<void> {
  const { optionIds } = (await holdRound(tx, estimation.id, round.id)) ?? fail("not_found");
  const bytes = heard.length * optionIds.length * ANSWER_BYTES;
  await insertRevealed(tx, round.id, await inTurns(bytes, resultsOf(services, round, optionIds, heard)));
  await forgetAnswers(tx, round.id);
  const answered = heard.filter(({ waits }) => !waits).length;
  await updateRound(tx, round.id, { status: "revealed", revealedAt: now, answered });
  // By itself it happens when the last one answers: the activity names who opened it, and not that person.
  const actor = { userId: actorId ?? round.openerId };
  await recordActivity({ db: tx, estimation, actor, now }, "round.revealed", { subject: { roundId: round.id } });
  await tellRevealed(tx, services, estimation, { id: round.id, openerId: round.openerId, actorId, heard, now });
}

/** About what an answer without a note takes. */
const ANSWER_BYTES = 40;

/** Computes what came of all options, in steps of one. */
function* resultsOf(
  services: Services,
  round: RoundRow,
  optionIds: readonly string[],
  heard: readonly Heard[],
): Generator<void, Revealed[]> {
  const results: Revealed[] = [];
  for (const [at, optionId] of optionIds.entries()) {
    results.push(resultOf(services, round, { optionId, at }, heard));
    yield;
  }
  return results;
}

/**
 * Returns what came of an option. Order and ids of the estimates are drawn for each option, so that nobody is recognised by them; in
 * an anonymous round nothing says whose they are, and of too few nothing stays.
 */
function resultOf(
  { ids }: Pick<Services, "ids">,
  round: RoundRow,
  { optionId, at }: { readonly optionId: string; readonly at: number },
  heard: readonly Heard[],
): Revealed {
  const said = heard.flatMap(({ userId, answers }) => {
    const answer = answerAt(answers ?? [], at);
    return answer === undefined ? [] : [{ userId: round.anonymous ? null : userId, answer }];
  });
  const given = said.flatMap(({ userId, answer }) => (answer === null ? [] : [{ userId, ...answer }]));
  const drawn = drawOrder(given, randomInt);
  const skipped = said.length - given.length;
  const summary = summaryOf(drawn, { skipped, needed: neededIn(round) });
  const isOutlier = outliersOf(drawn, summary.agreement);
  const shown = summary.tooFew && round.anonymous ? [] : drawn;
  return {
    optionId,
    summary,
    estimates: shown.map((one, place) => ({ ...one, id: ids.next("estimate"), isOutlier: isOutlier[place] ?? false })),
  };
}
