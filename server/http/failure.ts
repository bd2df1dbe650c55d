import type { ColumnsOf, DetailsOf, ErrorKey } from "../../contract/errors.ts";
import type { Fault } from "../../contract/values/faults.ts";

/** The details of a refusal beside its key. */
interface Particulars {
  readonly faults?: readonly Fault[];
  readonly details?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly hint?: string;
}

/**
 * A refusal with one of the declared errors. Handlers throw it; the transaction rolls back and the error envelope is
 * sent.
 */
export class Failure extends Error {
  readonly key: ErrorKey;
  readonly faults: readonly Fault[] | undefined;
  readonly details: object | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** What helps in this case, as text for people. */
  readonly hint: string | undefined;

  constructor(key: ErrorKey, { faults, details, headers, hint }: Particulars = {}) {
    super(key);
    this.key = key;
    this.faults = faults;
    this.details = details;
    this.headers = headers;
    this.hint = hint;
  }
}

/** The same for error `K`, with the `details` and rows of `errors` that it declares; rows are required where it has columns. */
type ParticularsOf<K extends ErrorKey> = {
  readonly headers?: Record<string, string>;
  readonly hint?: string;
} & (unknown extends ColumnsOf<K>
  ? { readonly faults?: undefined }
  : { readonly faults: readonly (Fault & ColumnsOf<K>)[] }) &
  (DetailsOf<K> extends undefined
    ? { readonly details?: undefined }
    : Record<string, never> extends DetailsOf<K>
      ? { readonly details?: DetailsOf<K> }
      : { readonly details: DetailsOf<K> });

/** Refuses the request with the declared error `key`; `details` is required if the error always has them. */
export function fail<K extends ErrorKey>(
  key: K,
  ...[more]: Record<string, never> extends ParticularsOf<K> ? [more?: ParticularsOf<K>] : [more: ParticularsOf<K>]
): never {
  throw new Failure(key, more as Particulars | undefined);
}

/** Refuses the request as invalid, with one row per fault. */
export function failWith(faults: readonly (Fault & ColumnsOf<"validation_failed">)[]): never {
  throw new Failure("validation_failed", { faults });
}
