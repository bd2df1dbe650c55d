import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Returns whether a request may go to an IP address; false for anything that is not an IP address. */
export type AddressRule = (address: string) => boolean;

/** The only part of the IPv6 space that is routed globally (RFC 4291, 2.4): all IPv4-compatible ones lie outside. */
const GLOBAL_UNICAST: Network = [ipaddr.parse("2000::"), 3];

/**
 * Publicly routable by number, but served by the machine's provider: Azure's platform address (metadata, DNS, health).
 */
const PROVIDERS: readonly Network[] = [[ipaddr.parse("168.63.129.16"), 32]];

/** Additional addresses that requests may go to. */
export interface Allowed {
  /** Networks whose addresses are allowed on every port, in CIDR notation. */
  readonly allowedNetworks: readonly string[];
  /** Ports of public addresses. */
  readonly allowedPorts: readonly number[];
}

/**
 * Returns the rule for a port. On `allowedPorts` it allows what is publicly routable, and on every port the networks of
 * `allowedNetworks`. Everything else is refused: loopback,
 * private, link-local, shared (CGNAT), multicast, broadcast, documentation, benchmarking and reserved addresses, and
 * the IPv6 forms that lead to an IPv4 address by another way (mapped, compatible, NAT64, 6to4, Teredo), whatever that is.
 */
export function createAddressRules({ allowedNetworks, allowedPorts }: Allowed): (port: number) => AddressRule {
  const networks: readonly Network[] = allowedNetworks.map((network) => ipaddr.parseCIDR(network));
  const ports = new Set(allowedPorts);
  const isAllowed = (address: Address) => networks.some((network) => isIn(address, network));
  const onAnyPort = rule(isAllowed);
  const onAllowedPorts = rule((address) => isAllowed(address) || isPublic(address));
  return (port) => (ports.has(port) ? onAllowedPorts : onAnyPort);
}

const rule =
  (judge: (address: Address) => boolean): AddressRule =>
  (text) => {
    const address = parse(text);
    return address !== null && judge(address);
  };

/** Returns the IP address in the host of a URL, or null if the host is a name. */
export function literalAddress(hostname: string): string | null {
  const text = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return parse(text) === null ? null : text;
}

/**
 * Strict forms only: the URL parser has already converted decimal, octal, hexadecimal and short IPv4 to dotted decimal.
 */
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
