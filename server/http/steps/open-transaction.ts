import type { Endpoint } from "../../../contract/endpoint.ts";
import { retryConflicts } from "../../db/failures.ts";
import type { Step, Wrap } from "./step.ts";

/** Returns whether the row writes, in a transaction opened here. */
export const isWrite = ({ method, transaction, readOnly }: Endpoint): boolean =>
  method !== "GET" && transaction !== false && !readOnly;

/** Opens the transaction of a write, or the snapshot of a read-only POST; a GET reads from the pool. */
export const openTransaction: Step<Wrap> = (endpoint, { services: { pool } }) => {
  if (endpoint.readOnly) {
    return (exchange, next) =>
      pool.transaction((tx) => next({ ...exchange, db: tx }), {
        isolationLevel: "repeatable read",
        accessMode: "read only",
      });
  }
  if (!isWrite(endpoint)) return null;
  return (exchange, next) => retryConflicts(() => pool.transaction((tx) => next({ ...exchange, db: tx })));
};
