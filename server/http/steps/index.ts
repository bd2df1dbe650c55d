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
import type { Check, Step, Wrap } from "./step.ts";
import { takeTurn } from "./take-turn.ts";
import { waitForSameKey } from "./wait-for-same-key.ts";
import { workOutside } from "./work-outside.ts";

// The order of all steps between the router and the handler. It is fixed, so that no caller learns more than allowed:
// first the caller is checked, then the request, then the record.

/** Before the body is read. */
export const beforeBody: readonly Step<Check>[] = [identifyCaller, checkScope];

/** After the body is read, and before any record is. */
export const onceRead: readonly Step<Check>[] = [checkQuery, checkBody, checkIds];

/** Around the handler, outermost first. */
export const aroundHandler: readonly Step<Wrap>[] = [
  checkRight,
  waitForSameKey,
  workOutside,
  takeTurn,
  measureTime,
  openTransaction,
  honourIdempotencyKey,
  findEstimation,
  holdReadOnly,
];
