import { admitLarge } from "../admission.ts";
import { measureTime } from "../callers/rate-limit.ts";
import { checkBody, checkIds, checkQuery } from "./check-request.ts";
import { findEstimation } from "./find-estimation.ts";
import { boundWaiting, lockKey, lockRecord } from "./hold-locks.ts";
import { holdReadOnly } from "./hold-read-only.ts";
import { honourIdempotencyKey } from "./honour-idempotency-key.ts";
import { checkScope, identifyCaller } from "./identify-caller.ts";
import { openTransaction } from "./open-transaction.ts";
import type { Steps } from "./step.ts";
import { workOutside } from "./work-outside.ts";

/**
 * All steps between the router and the handler. The order is fixed, so that no caller learns more than allowed: first
 * the caller is checked, then the request, then the record.
 */
export const steps: Steps = {
  beforeBody: [identifyCaller, checkScope],
  onceRead: [checkQuery, checkBody, checkIds],
  aroundHandler: [
    boundWaiting,
    lockKey,
    admitLarge,
    workOutside,
    lockRecord,
    openTransaction,
    measureTime,
    honourIdempotencyKey,
    findEstimation,
    holdReadOnly,
  ],
};
