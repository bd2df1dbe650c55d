import { type ErrorKey, errorAnchor, errorRow } from "../../../contract/errors.ts";
import type { Fault } from "../../../contract/values/faults.ts";

/** What an error response says beyond its key. */
interface More {
  readonly faults?: readonly Fault[] | undefined;
  readonly details?: object | undefined;
  readonly hint?: string | undefined;
}

/**
 * Builds the body of the declared error `key`, which callers read as `ErrorBody` (`contract/values/error-body.ts`). If the row
 * has a code, `error` repeats it with the message.
 */
export function errorBody(key: ErrorKey, requestId: string, baseUrl: string, more: More = {}) {
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
