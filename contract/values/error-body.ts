import type { CodeOf, ColumnsOf, DetailsOf, ErrorKey, MessageOf } from "../errors.ts";
import type { Fault } from "./faults.ts";

/** The body of a response with error `K`. */
export interface ErrorBodyOf<K extends ErrorKey> {
  readonly success: false;
  /** Match on this. */
  readonly message: MessageOf<K>;
  readonly code: CodeOf<K>;
  readonly error: CodeOf<K> extends string ? { readonly code: CodeOf<K>; readonly message: MessageOf<K> } : undefined;
  /** One row per fault; present for errors that declare columns. */
  readonly errors: unknown extends ColumnsOf<K> ? undefined : readonly (Fault & ColumnsOf<K>)[];
  readonly details: DetailsOf<K>;
  /** What usually helps, as text for people. */
  readonly hint: string | undefined;
  /** URL of the documentation of the error. */
  readonly docUrl: string;
  readonly requestId: string;
}

/** The body of any error response. */
export type ErrorBody = { [K in ErrorKey]: ErrorBodyOf<K> }[ErrorKey];
