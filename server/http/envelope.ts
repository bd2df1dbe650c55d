import { type ErrorKey, errorAnchor, errorRow } from "../../contract/errors.ts";
import type { Fault } from "../../contract/faults.ts";

/** The body of every error response. */
export interface ErrorBody {
  readonly success: false;
  readonly message: string;
  readonly code?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly errors?: readonly Fault[];
  readonly details?: object | undefined;
  /** What usually helps, for people. */
  readonly hint?: string;
  /** Where the error is explained. */
  readonly docUrl: string;
  readonly requestId: string;
}

/** What an error answer says beyond its key. */
interface More {
  readonly faults?: readonly Fault[] | undefined;
  readonly details?: object | undefined;
  readonly hint?: string | undefined;
}

/** Builds the body of the declared error `key`; if the row has a code, `error` repeats it with the message. */
export function errorBody(key: ErrorKey, requestId: string, baseUrl: string, more: More = {}): ErrorBody {
  const { message, code, hint } = errorRow(key);
  return {
    success: false,
    message,
    ...(code ? { code, error: { code, message } } : {}),
    ...(more.faults ? { errors: more.faults } : {}),
    ...(more.details ? { details: more.details } : {}),
    ...((more.hint ?? hint) ? { hint: more.hint ?? hint } : {}),
    docUrl: `${baseUrl}/docs#${errorAnchor(key)}`,
    requestId,
  };
}
