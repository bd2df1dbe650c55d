export { type Allowed, createAddressRules, literalAddress } from "./addresses.ts";
export { type OutboundAnswer, OutboundFailure } from "./failure.ts";
export { createOutbound, type Outbound, type OutboundOptions, type OutboundRequest } from "./outbound.ts";
