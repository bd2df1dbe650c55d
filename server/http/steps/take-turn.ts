import { createTurnsByRecord } from "../turns-by-record.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

const turns = createTurnsByRecord();

/**
 * Runs the writes to one record, and to what belongs to it, one after the other; writes without a record run at once.
 * For an estimation, all users who may write take turns; any other record has one user, so nobody else can delay that
 * user.
 */
export const takeTurn: Step<Wrap> = (endpoint) => {
  const { path, right, copies } = endpoint;
  if (!isWrite(endpoint) || copies || !path.includes("/:id")) return null;
  const collection = path.slice(0, path.indexOf("/:id"));
  return (exchange, next) => {
    const { params, actor } = exchange.request;
    const { id } = params as { id: string };
    const record = `${collection}/${id}`;
    const userId = actor?.userId ?? "";
    return turns(right === undefined ? `${record} ${userId}` : record, userId, () => next(exchange));
  };
};
