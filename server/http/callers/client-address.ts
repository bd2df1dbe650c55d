import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Returns the address that a request comes from: the connection's; or, if that is a trusted proxy, the last address in
 * `X-Forwarded-For` that is not one. Ports and brackets are dropped. Nothing before an invalid entry is trusted: then
 * it is the connection's address. `trusted` are networks in CIDR notation.
 */
export function createClientAddress(trusted: readonly string[]) {
  const isTrusted = createTrust(trusted);
  return (connected: string | undefined, forwarded: string | string[] | undefined): string => {
    const own = plain(connected ?? "") ?? "";
    if (trusted.length === 0 || own === "" || !isTrusted(own)) return own;
    const hops = [forwarded ?? []].flat().join(",").split(",");
    for (let hop = hops.pop(), address = own; ; hop = hops.pop()) {
      if (hop === undefined) return address;
      const next = plain(hop.trim());
      if (next === null) return own;
      if (!isTrusted(next)) return next;
      address = next;
    }
  };
}

/**
 * Returns a function that says whether an address is in one of the networks in CIDR notation; false for invalid
 * addresses.
 */
function createTrust(trusted: readonly string[]): (address: string) => boolean {
  const networks: Network[] = trusted.map((network) => ipaddr.parseCIDR(network));
  return (address) => {
    if (networks.length === 0 || !ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  };
}

/**
 * Returns an address without port, brackets and zone, with mapped IPv4 addresses as IPv4; null if `text` is not an
 * address.
 */
function plain(text: string): string | null {
  if (isIP(text) === 4) return text;
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  const address = bare.split("%", 1)[0] ?? "";
  return isIP(address) === 0 ? null : ipaddr.process(address).toString();
}

/** Addresses that one caller can choose freely count as one: an IPv6 network of 64 bits, or an IPv4 address. */
export function addressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(":") : parsed.toString();
}
