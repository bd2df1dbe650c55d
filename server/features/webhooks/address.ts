import type { FaultCode } from "../../../contract/faults.ts";
import { fail, failWith } from "../../http/failure.ts";
import { type Allowed, createAddressRules, literalAddress } from "../../platform/outbound/index.ts";

/** Returns whether there are spaces or control characters, which the URL parser would silently drop or encode. */
const hasBlanks = (text: string): boolean => [...text].some((character) => character <= " " || character === "\u007f");

/**
 * Returns a check that refuses (400) an address that no webhook may have. The address is judged as written, without a
 * DNS look-up. Refused are: anything that is not a URL or not HTTPS, credentials, a fragment, and a port or IP address
 * that requests may not go to. A host name may resolve to an allowed network, where every port is allowed, so it is
 * judged when connecting.
 */
export function createAddressCheck({ allowedNetworks, allowedPorts }: Allowed): (text: string) => void {
  const ruleFor = createAddressRules({ allowedNetworks, allowedPorts });
  return (text) => {
    const url =
      (hasBlanks(text) ? null : URL.parse(text)) ??
      refuse("wrong_format", "must be a URL such as https://example.com/hook");
    if (url.protocol !== "https:") fail("webhook_url_must_be_https");
    if (url.username !== "" || url.password !== "") refuse("not_allowed", "must not carry credentials");
    if (text.includes("#")) refuse("not_allowed", "must not have a fragment");
    const port = Number(url.port || 443);
    const literal = literalAddress(url.hostname);
    const mayLeadToAllowed = literal === null ? allowedNetworks.length > 0 : ruleFor(port)(literal);
    if (mayLeadToAllowed) return;
    if (!allowedPorts.includes(port)) refuse("not_allowed", `must have one of the ports ${allowedPorts.join(", ")}`);
    if (literal !== null) refuse("not_allowed", "must not be at an address that is not publicly routable");
  };
}

const refuse = (code: FaultCode, message: string): never => failWith([{ path: "/url", in: "body", code, message }]);
