import { boundWaiting } from "./bound-waiting.ts";
import { checkBody } from "./check-body.ts";
import { checkIds } from "./check-ids.ts";
import { checkQuery } from "./check-query.ts";
import { checkRight } from "./check-right.ts";
import { checkScope } from "./check-scope.ts";
import { doWorkFirst } from "./do-work-first.ts";
import { fillAfterwards } from "./fill-afterwards.ts";
import { findEstimation } from "./find-estimation.ts";
import { holdReadOnly } from "./hold-read-only.ts";
import { honourIdempotencyKey } from "./honour-idempotency-key.ts";
import { identifyCaller } from "./identify-caller.ts";
import { measureTime } from "./measure-time.ts";
import { openTransaction } from "./open-transaction.ts";
import { recordActivity } from "./record-activity.ts";
import { runInThread } from "./run-in-thread.ts";
import type { Check, Mounting, Step, Steps } from "./step.ts";
import { takeTurn } from "./take-turn.ts";
import { waitForSameKey } from "./wait-for-same-key.ts";
import { workOutside } from "./work-outside.ts";

const onceRead: readonly Step<Check>[] = [checkQuery, checkBody, checkIds];

/**
 * All steps between the router and the handler. The order is fixed, so that no caller learns more than allowed: first
 * the caller is checked, then the request, then the record.
 */
export const steps: Steps<Mounting> = {
  beforeBody: [identifyCaller, checkScope],
  onceRead,
  aroundHandler: [
    checkRight,
    boundWaiting,
    fillAfterwards,
    waitForSameKey,
    workOutside,
    doWorkFirst,
    takeTurn,
    runInThread,
    measureTime,
    openTransaction,
    honourIdempotencyKey,
    findEstimation,
    holdReadOnly,
    recordActivity,
  ],
};

/** The steps that follow in a thread. */
export const stepsInThread = {
  onceRead,
  aroundHandler: [doWorkFirst, openTransaction, honourIdempotencyKey, findEstimation, holdReadOnly, recordActivity],
} as const;
