import type { Problem } from "./checked.ts";

/** Why a call has no result, by the effect on the ledger. */
export type Fault =
  /** The token is wrong, expired or revoked. Nothing was done. */
  | { readonly kind: "token_rejected" }
  /** Nothing can be written to the destination until this is fixed. Nothing was done. */
  | { readonly kind: "blocked"; readonly problem: Problem }
  /** A rate limit of any sort: nothing was done, and nothing may be sent before `until`. */
  | {
      readonly kind: "wait";
      readonly until: Date;
      /** A secondary limit grows with each further breach: wait twice as long each time in a row. */
      readonly grows: boolean;
    }
  /** Definite: nothing was done, and the same request would be refused again. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Definite: the request did not leave, or the tracker was not reached. Trying later is safe. */
  | { readonly kind: "not_sent"; readonly reason: string }
  /** It may or may not have been done: a timeout, a 5xx, or a response that is cut off or invalid. */
  | { readonly kind: "unknown"; readonly reason: string };

export class TrackerFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, options: { cause?: unknown } = {}) {
    super("reason" in fault ? `${fault.kind}: ${fault.reason}` : fault.kind, options);
    this.fault = fault;
  }
}
