import { createTurnsByRecord } from "../turns-by-record.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

const turns = createTurnsByRecord();

/**
 * Runs the writes to one record, and to what belongs to it, one after the other. For an estimation, all users who may
 * write take turns; any other record has one user, so nobody else can delay that user. What a user creates also comes
 * one after the other, because it waits for the count of what this user has; heavy creations do not, as a thread runs
 * one of each user at a time. Other writes without a record run at once: signing out must not wait for creations.
 */
export const takeTurn: Step<Wrap> = (endpoint) => {
  const { path, right, copies, heavy, reply } = endpoint;
  if (!isWrite(endpoint)) return null;
  if (copies || !path.includes("/:id")) {
    if (heavy || reply.status !== 201) return null;
    return (exchange, next) => {
      const userId = exchange.request.actor?.userId;
      return userId === undefined ? next(exchange) : turns(userId, userId, () => next(exchange));
    };
  }
  const collection = path.slice(0, path.indexOf("/:id"));
  return (exchange, next) => {
    const { params, actor } = exchange.request;
    const { id } = params as { id: string };
    const record = `${collection}/${id}`;
    const userId = actor?.userId ?? "";
    return turns(right === undefined ? `${record} ${userId}` : record, userId, () => next(exchange));
  };
};
