import { type ErrorKey, errorRow } from "../../contract/errors.ts";
import type { Fault } from "../../contract/faults.ts";

/** The body of every error answer. */
export interface ErrorBody {
  readonly success: false;
  readonly message: string;
  readonly code?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly errors?: readonly Fault[];
  readonly details?: object | undefined;
  readonly requestId: string;
}

/** Builds the body of the declared error `key`; where the row has a code, `error` repeats it with the message. */
export function errorBody(
  key: ErrorKey,
  requestId: string,
  more: { faults?: readonly Fault[]; details?: object | undefined } = {},
): ErrorBody {
  const { message, code } = errorRow(key);
  return {
    success: false,
    message,
    ...(code ? { code, error: { code, message } } : {}),
    ...(more.faults ? { errors: more.faults } : {}),
    ...(more.details ? { details: more.details } : {}),
    requestId,
  };
}
