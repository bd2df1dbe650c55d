import { createTurnsByRecord } from "../turns-by-record.ts";
import { isWrite } from "./open-transaction.ts";
import type { Step, Wrap } from "./step.ts";

const turns = createTurnsByRecord();

/** Runs the writes to one record, and to what lies below it, one after the other; writes to no record run at once. */
export const takeTurn: Step<Wrap> = (endpoint) => {
  const { path } = endpoint;
  if (!isWrite(endpoint) || !path.includes("/:id")) return null;
  const collection = path.slice(0, path.indexOf("/:id"));
  return (exchange, next) => {
    const { id } = exchange.request.params as { id: string };
    return turns(`${collection}/${id}`, () => next(exchange));
  };
};
