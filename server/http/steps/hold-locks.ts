import { isRepeatable } from "../../../contract/endpoint.ts";
import { readIdempotencyKey } from "../idempotency.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

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
  if (right === "read" || !path.includes("/:id")) {
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
