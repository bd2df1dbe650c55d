import type { Endpoint } from "../../../contract/endpoint.ts";
import { retryConflicts } from "../../db/failures.ts";
import type { Step, Wrap } from "./step.ts";

/** Returns whether the endpoint writes, in a transaction opened here. */
export const isWrite = ({ method, transaction }: Endpoint): boolean => method !== "GET" && transaction !== false;

/** Opens the transaction of a write; a GET reads from the pool. */
export const openTransaction: Step<Wrap> = (endpoint, { services: { pool } }) => {
  if (!isWrite(endpoint)) return null;
  return (exchange, next) => retryConflicts(() => pool.transaction((tx) => next({ ...exchange, db: tx })));
};
