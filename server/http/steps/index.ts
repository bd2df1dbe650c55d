import { boundWaiting } from "./bound-waiting.ts";
import { checkBody } from "./check-body.ts";
import { checkIds } from "./check-ids.ts";
import { checkQuery } from "./check-query.ts";
import { checkRight } from "./check-right.ts";
import { checkScope } from "./check-scope.ts";
import { findEstimation } from "./find-estimation.ts";
import { holdReadOnly } from "./hold-read-only.ts";
import { honourIdempotencyKey } from "./honour-idempotency-key.ts";
import { identifyCaller } from "./identify-caller.ts";
import { measureTime } from "./measure-time.ts";
import { openTransaction } from "./open-transaction.ts";
import { recordActivity } from "./record-activity.ts";
import type { Mounting, Steps } from "./step.ts";
import { takeTurn } from "./take-turn.ts";
import { waitForSameKey } from "./wait-for-same-key.ts";
import { workOutside } from "./work-outside.ts";

/**
 * All steps between the router and the handler. The order is fixed, so that no caller learns more than allowed: first
 * the caller is checked, then the request, then the record.
 */
export const steps: Steps<Mounting> = {
  beforeBody: [identifyCaller, checkScope],
  onceRead: [checkQuery, checkBody, checkIds],
  aroundHandler: [
    checkRight,
    boundWaiting,
    waitForSameKey,
    workOutside,
    takeTurn,
    measureTime,
    openTransaction,
    honourIdempotencyKey,
    findEstimation,
    holdReadOnly,
    recordActivity,
  ],
};
