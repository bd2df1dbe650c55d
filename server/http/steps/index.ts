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

// The order of everything that happens to a request between the router and its handler. The order is fixed, so that
// nobody learns more than they may: who calls, then what they sent, then the record.

/** Before the body is read. */
export const beforeBody: readonly Step<Check>[] = [identifyCaller, checkScope];

/** Once the body is read, and before any record is. */
export const onceRead: readonly Step<Check>[] = [checkQuery, checkBody, checkIds];

/** Around the handler, from the outside in. */
export const aroundHandler: readonly Step<Wrap>[] = [
  checkRight,
  waitForSameKey,
  takeTurn,
  measureTime,
  openTransaction,
  honourIdempotencyKey,
  findEstimation,
  holdReadOnly,
];
