export { type Allowed, createAddressRules, literalAddress } from "./addresses.ts";
export { OutboundFailure, type OutboundResponse } from "./failure.ts";
export { createOutbound, type Outbound, type OutboundOptions, type OutboundRequest } from "./outbound.ts";
export { retryAfterMs } from "./retry-after.ts";
