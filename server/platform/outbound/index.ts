export { type AddressRule, createAddressRule, literalAddress } from "./addresses.ts";
export { type OutboundAnswer, OutboundFailure, type OutboundReason } from "./failure.ts";
export { createOutbound, type Outbound, type OutboundRequest } from "./outbound.ts";
