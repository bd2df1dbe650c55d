import { isRepeatable } from "../../../contract/endpoint.ts";
import { readIdempotencyKey } from "../idempotency.ts";
import { createTurnsByRecord } from "../turns-by-record.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

const turns = createTurnsByRecord();

/**
 * Runs requests of one user with the same `Idempotency-Key` one after the other, before they take a connection: a
 * repeat would wait in the database for the first to end, each holding a connection that other requests need.
 */
export const waitForSameKey: Step<Wrap> = (endpoint) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  return (exchange, next) => {
    const { headers, actor } = exchange.request;
    const key = readIdempotencyKey(headers["idempotency-key"]);
    return key === undefined || !actor
      ? next(exchange)
      : turns(`${actor.userId} ${key}`, actor.userId, () => next(exchange));
  };
};
