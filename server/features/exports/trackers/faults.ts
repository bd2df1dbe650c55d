import type { OutboundFailure } from "../../../platform/outbound/index.ts";
import type { Fault } from "./tracker-fault.ts";

/** Failures that come before anything is sent: the request has certainly not been processed. */
const NOT_SENT: ReadonlySet<OutboundFailure["reason"]> = new Set([
  "dns",
  "blocked_address",
  "connection_refused",
  "certificate",
]);

/**
 * Returns what a request without a complete response means. A response that was cut off says nothing, whatever its status:
 * the issue may exist. Unknown names and internal addresses give the same fault: both have no usable address.
 */
export function faultOfFailure({ reason }: OutboundFailure): Fault {
  if (!NOT_SENT.has(reason)) return { kind: "unknown", reason };
  const unusable = reason === "dns" || reason === "blocked_address";
  return { kind: "not_sent", reason: unusable ? "no_usable_address" : reason };
}
