import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Judges whether a request may go to an IP address; what is no IP address may not be gone to. */
export type AddressRule = (address: string) => boolean;

/** The only part of the IPv6 space that is routed globally (RFC 4291, 2.4): all IPv4-compatible ones lie outside. */
const GLOBAL_UNICAST: Network = [ipaddr.parse("2000::"), 3];

/** Routable on paper, but answered by the provider of the machine: Azure's platform address (metadata, DNS, health). */
const PROVIDERS: readonly Network[] = [[ipaddr.parse("168.63.129.16"), 32]];

/**
 * Allows what is publicly routable, and the networks of `allowedNetworks` (CIDR). Everything else is refused: loopback,
 * private, link-local, shared (CGNAT), multicast, broadcast, documentation, benchmarking and reserved addresses, and
 * the IPv6 forms that lead to an IPv4 address by another way (mapped, compatible, NAT64, 6to4, Teredo), whatever that is.
 */
export function createAddressRule(allowedNetworks: readonly string[]): AddressRule {
  const allowed: readonly Network[] = allowedNetworks.map((network) => ipaddr.parseCIDR(network));
  return (text) => {
    const address = parse(text);
    return address !== null && (allowed.some((network) => isIn(address, network)) || isPublic(address));
  };
}

/** The IP address that the host of a URL spells, or null where it is a name. */
export function literalAddress(hostname: string): string | null {
  const text = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return parse(text) === null ? null : text;
}

/** Strict forms only: the URL parser has already turned decimal, octal, hexadecimal and short IPv4 into dotted decimal. */
function parse(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : null;
}

function isPublic(address: Address): boolean {
  if (PROVIDERS.some((network) => isIn(address, network))) return false;
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isIn(address, GLOBAL_UNICAST);
}

const isIn = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network as [Address, number]);
