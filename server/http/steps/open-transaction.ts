import type { Endpoint } from "../../../contract/endpoint.ts";
import { retryConflicts } from "../../db/failures.ts";
import type { Step, Wrap } from "./step.ts";

/** Measures how long the work takes, to charge its user. Waiting for other requests does not count. */
export const measureTime: Step<Wrap> =
  (_, { services: { clock } }) =>
  async (exchange, next) => {
    const begin = clock.now().getTime();
    try {
      return await next(exchange);
    } finally {
      exchange.request.spentMs = Math.max(0, clock.now().getTime() - begin);
    }
  };

/** Returns whether the endpoint writes, in a transaction opened here. */
export const isWrite = ({ method, transaction }: Endpoint): boolean => method !== "GET" && transaction !== false;

/** Opens the transaction of a write; a GET reads from the pool. */
export const openTransaction: Step<Wrap> = (endpoint, { services: { pool } }) => {
  if (!isWrite(endpoint)) return null;
  return (exchange, next) => retryConflicts(() => pool.transaction((tx) => next({ ...exchange, db: tx })));
};
