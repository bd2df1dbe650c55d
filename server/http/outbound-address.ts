import type { ErrorKey } from "../../contract/errors.ts";
import type { FaultCode } from "../../contract/values/faults.ts";
import { type Allowed, createAddressRules, literalAddress } from "../platform/outbound/index.ts";
import { fail, failWith } from "./failure.ts";

/** Returns whether there are spaces or control characters, which the URL parser would silently drop or encode. */
const hasBlanks = (text: string): boolean => [...text].some((character) => character <= " " || character === "\u007f");

/** The field of the body that is checked, and what differs between fields. */
interface Field {
  /** JSON pointer. */
  readonly path: string;
  readonly example: string;
  /** The error for an address that is not HTTPS; without it, it is a fault of the field like any other. */
  readonly notHttps?: Extract<ErrorKey, "webhook_url_must_be_https">;
}

/**
 * Returns a check that refuses (400) an address that no request of this service may go to. The address is judged as
 * written, without a DNS look-up. Refused are: anything that is not a URL or not HTTPS, credentials, a fragment, and a port
 * or IP address that requests may not go to. A host name may resolve to an allowed network, where every port is allowed,
 * so it is judged when connecting.
 */
export function createAddressCheck(
  { allowedNetworks, allowedPorts }: Allowed,
  { path, example, notHttps }: Field,
): (text: string) => void {
  const ruleFor = createAddressRules({ allowedNetworks, allowedPorts });
  const refuse = (code: FaultCode, message: string): never => failWith([{ path, in: "body", code, message }]);
  return (text) => {
    const url =
      (hasBlanks(text) ? null : URL.parse(text)) ?? refuse("wrong_format", `must be a URL such as ${example}`);
    if (url.protocol !== "https:") {
      if (notHttps) fail(notHttps);
      refuse("wrong_format", "must begin with https://");
    }
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
