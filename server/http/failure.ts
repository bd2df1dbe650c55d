import type { ErrorKey } from "../../contract/errors.ts";

/** One fault of a request: where (JSON pointer, or the name of a header) and what. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/** A refusal by one of the declared errors. Thrown by handlers; the transaction rolls back and the envelope is sent. */
export class Failure extends Error {
  readonly key: ErrorKey;
  readonly faults: readonly Fault[] | undefined;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(
    key: ErrorKey,
    more: { faults?: readonly Fault[]; details?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(key);
    this.key = key;
    this.faults = more.faults;
    this.details = more.details;
    this.headers = more.headers;
  }
}

/** Refuses the request with the declared error `key`. */
export function fail(key: ErrorKey, more?: ConstructorParameters<typeof Failure>[1]): never {
  throw new Failure(key, more);
}

/** Refuses the request as invalid, with one row per fault. */
export function failWith(faults: readonly Fault[]): never {
  throw new Failure("validation_failed", { faults });
}
