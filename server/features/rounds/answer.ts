import type { rounds } from "../../../contract/endpoints/rounds.ts";
import { limits } from "../../../contract/limits.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import type { OwnPart } from "../../../contract/values/round.ts";
import { type Answer, type Answers, notesFit, partOf, withAnswers } from "../../../domain/rounds/answers.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Call } from "../../http/handler.ts";
import { addJob } from "../../jobs/job-store.ts";
import { type ReadableEstimation, tellAnswered } from "../estimations/index.ts";
import { lockOwn, saveAnswers } from "./participant-store.ts";
import { revealJob } from "./reveal-job.ts";
import { holdRound } from "./store.ts";

type GiveCall = Call<typeof rounds.giveEstimates, ReadableEstimation>;
type SkipCall = Call<typeof rounds.skipOptions, ReadableEstimation>;

/** What somebody says about an option, and where in the body. */
interface Said {
  readonly path: string;
  readonly optionId: string;
  readonly answer: Answer;
}

const fault = (path: string, code: Fault["code"], message: string): Fault => ({ path, in: "body", code, message });

/** Returns the estimates of a body, each with its place. Refuses (400) one without estimates, and one of both forms. */
function readEstimates({ estimates, ...single }: GiveCall["body"]): Said[] {
  const fields = Object.entries(single).filter(([, value]) => value !== undefined);
  if (estimates !== undefined) {
    if (fields.length > 0)
      failWith(fields.map(([name]) => fault(`/${name}`, "not_allowed", "cannot be combined with `estimates`")));
    return estimates.map(({ optionId, note = null, ...points }, at) => ({
      ...{ path: `/estimates/${at}`, optionId, answer: { ...points, note: note || null } },
    }));
  }
  const { optionId, optimistic, likely, pessimistic, note = null } = single;
  if (optionId !== undefined && optimistic !== undefined && likely !== undefined && pessimistic !== undefined)
    return [{ path: "", optionId, answer: { optimistic, likely, pessimistic, note: note || null } }];
  const needed = { optionId, optimistic, likely, pessimistic };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return failWith(missing.map((name) => fault(`/${name}`, "required", "is missing; or send `estimates`")));
}

/** Returns the options of a body that are skipped. */
function readSkipped({ optionId, optionIds }: SkipCall["body"]): Said[] {
  if (optionIds !== undefined) {
    if (optionId !== undefined) failWith([fault("/optionId", "not_allowed", "cannot be combined with `optionIds`")]);
    return optionIds.map((id, at) => ({ path: `/optionIds/${at}`, optionId: id, answer: null }));
  }
  return optionId === undefined
    ? failWith([fault("/optionId", "required", "is missing; or send `optionIds`")])
    : [{ path: "/optionId", optionId, answer: null }];
}

/** Refuses (400) options that the round does not have, or that are named twice, and points that are not in order. */
function check(said: readonly Said[], known: ReadonlyMap<string, number>): void {
  const seen = new Set<string>();
  const faults = said.flatMap(({ path, optionId, answer }): Fault[] => {
    const where = answer === null ? path : `${path}/optionId`;
    const isRepeated = seen.has(optionId);
    seen.add(optionId);
    const found: Fault[] = [];
    if (!known.has(optionId)) found.push(fault(where, "unknown_reference", "must be the id of an option of the round"));
    else if (isRepeated) found.push(fault(where, "repeated", "names an option for the second time"));
    if (answer !== null && answer.likely < answer.optimistic)
      found.push(fault(`${path}/likely`, "out_of_order", "must be at least `optimistic`"));
    if (answer !== null && answer.pessimistic < answer.likely)
      found.push(fault(`${path}/pessimistic`, "out_of_order", "must be at least `likely`"));
    return found;
  });
  if (faults.length > 0) failWith(faults);
}

/**
 * Stores what the caller says in an open round, and returns how far the caller has come. It locks nothing but the row of the
 * caller, so that many save at the same time, and changes nothing that others could see but, at the last option, the number of
 * those who have answered. Refuses (403) who is not asked, (409) a round that is not open and notes that are too long together,
 * and (400) what does not fit the round.
 */
async function saveSaid(call: GiveCall | SkipCall, said: readonly Said[]): Promise<OwnPart> {
  const { estimation, params, actor, db, now } = call;
  const { id: estimationId } = estimation;
  const round = (await holdRound(db, estimationId, params.roundId)) ?? fail("not_found");
  const whose = { roundId: round.id, estimationId, userId: actor.userId };
  const own = (await lockOwn(db, whose)) ?? fail("forbidden");
  if (round.status !== "open") fail("round_not_open", { details: { status: round.status } });
  const places = new Map(round.optionIds.map((id, at) => [id, at]));
  check(said, places);
  const later = new Map(said.map(({ optionId, answer }) => [places.get(optionId) ?? -1, answer]));
  const answers = withAnswers(own.answers ?? [], round.optionIds.length, later);
  return await store(call, { round, own, answers, now });
}

type Storing = {
  readonly round: NonNullable<Awaited<ReturnType<typeof holdRound>>>;
  readonly own: NonNullable<Awaited<ReturnType<typeof lockOwn>>>;
  readonly answers: Answers;
  readonly now: Date;
};

async function store(
  { db, estimation }: Pick<GiveCall, "db" | "estimation">,
  { round, own, answers, now }: Storing,
): Promise<OwnPart> {
  const limit = limits.roundNotesBytes;
  if (!notesFit(answers)) fail("limit_reached", { details: { quota: "roundNotesBytes", limit } });
  const part = partOf(answers, round.optionIds.length);
  const waits = part.remaining > 0;
  await saveAnswers(db, own, { answers, waits });
  const isLast = own.waits && !waits;
  if (isLast) await tellAnswered(db, estimation.id, round.id);
  // Whether all are in, and enough once the deadline has passed, is looked at when the transactions of all have ended. Each has a
  // job of its own: with one key they would wait for each other.
  const isOverdue = round.deadline !== null && round.deadline <= now;
  if (isLast || isOverdue) await addJob(db, revealJob, { roundId: round.id });
  return part;
}

export const giveEstimates = (call: GiveCall): Promise<OwnPart> => saveSaid(call, readEstimates(call.body));

export const skipOptions = (call: SkipCall): Promise<OwnPart> => saveSaid(call, readSkipped(call.body));
