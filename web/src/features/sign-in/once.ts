import { isPassing } from "../../api/failure.ts";

const begun = new Map<string, Promise<unknown>>();

/**
 * Does something once for each `key` and returns the same promise again afterwards: a code or a token works only once,
 * and React may run an effect twice. What did not reach the service may be done again.
 */
export function once<T>(key: string, work: () => Promise<T>): Promise<T> {
  const promise = begun.get(key) ?? work();
  begun.set(key, promise);
  promise.catch((error) => isPassing(error) && begun.delete(key));
  return promise as Promise<T>;
}
