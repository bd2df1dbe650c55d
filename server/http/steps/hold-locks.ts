import { isRepeatable } from "../../../contract/endpoint.ts";
import { limits } from "../../../contract/limits.ts";
import { locksEstimation } from "../../../contract/rights.ts";
import { Failure } from "../failure.ts";
import { readIdempotencyKey } from "../idempotency.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

const RETRY_SECONDS = "60";

/**
 * Refuses (429) to create more deliveries for a caller who has created very many that wait for the caller's own webhooks: they
 * would be made faster than they are sent, and pile up for as long as the caller continues. Those already waiting are sent.
 */
export const boundWaiting: Step<Wrap> = ({ events, delivers }, { countWaiting }) => {
  if (events === undefined && !delivers) return null;
  const most = limits.deliveriesWaitingPerUser;
  return async (exchange, next) => {
    const { actor } = exchange.request;
    if (actor && (await countWaiting(exchange.db, actor.userId, most)) >= most) {
      throw new Failure("rate_limited", {
        headers: { "retry-after": RETRY_SECONDS },
        hint: `${most} deliveries that you caused wait for your webhooks: continue when some have been sent, or removed with a deleted webhook.`,
      });
    }
    return next(exchange);
  };
};

/** Runs requests of one user with the same `Idempotency-Key` one after the other. */
export const lockKey: Step<Wrap> = (endpoint, { lock }) => {
  if (!isRepeatable(endpoint) || !isWrite(endpoint)) return null;
  return (exchange, next) => {
    const { headers, actor } = exchange.request;
    const key = readIdempotencyKey(headers["idempotency-key"]);
    return key === undefined || !actor
      ? next(exchange)
      : lock(`key ${actor.userId} ${key}`, actor.userId, () => next(exchange));
  };
};

/**
 * Runs the writes to one record, and to what belongs to it, one after the other. An estimation has several writers; any
 * other record has one user, so nobody else can delay that user. What a user creates also comes one after the other,
 * because it waits for the count of what this user has. Other writes without a record run at once: signing out must not wait for creations.
 */
export const lockRecord: Step<Wrap> = (endpoint, { lock }) => {
  const { path, right, response } = endpoint;
  if (!isWrite(endpoint)) return null;
  if ((right !== undefined && !locksEstimation(right)) || !path.includes("/:id")) {
    if (response.status !== 201) return null;
    return (exchange, next) => {
      const userId = exchange.request.actor?.userId;
      return userId === undefined ? next(exchange) : lock(`creations ${userId}`, userId, () => next(exchange));
    };
  }
  const collection = path.slice(0, path.indexOf("/:id"));
  return (exchange, next) => {
    const { params, actor } = exchange.request;
    const { id } = params as { id: string };
    const userId = actor?.userId ?? "";
    const record = `record ${collection}/${id}`;
    return lock(right === undefined ? `${record} ${userId}` : record, userId, () => next(exchange));
  };
};
