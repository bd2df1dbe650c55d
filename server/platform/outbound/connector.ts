import type { LookupAddress, LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import type { SecureContext } from "node:tls";
import { buildConnector } from "undici";
import { type AddressRule, literalAddress } from "./addresses.ts";
import { OutboundFailure } from "./failure.ts";

/** Resolves a host name to all of its addresses, like `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Opens a connection; returns its socket, which is still connecting, where it got that far. */
export type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Duplex | undefined;

export interface ConnectorOptions {
  /** Returns the rule that addresses are judged by for a port. */
  readonly ruleFor: (port: number) => AddressRule;
  readonly resolve: Resolve;
  /** Asked once per new connection. */
  readonly authorities: () => SecureContext;
}

/**
 * Opens connections for undici, HTTP/1.1 only. An address is judged three times: as the URL spells it, in every result
 * of the resolver (one bad address means that none is used), and on the connected socket, which is what counts.
 */
export function createConnector({ ruleFor, resolve, authorities }: ConnectorOptions): Connect {
  const build = (secureContext: SecureContext, mayGoTo: AddressRule) => {
    const lookup = guardLookup(resolve, mayGoTo);
    const options = { lookup, secureContext, timeout: 0, allowH2: false, rejectUnauthorized: true };
    // undici's types leave out that the socket is returned.
    return buildConnector(options) as Connect;
  };
  let trusted = authorities();
  /** Made once, because each remembers TLS sessions. */
  let connectors = new Map<AddressRule, Connect>();
  return (options, callback) => {
    const mayGoTo = ruleFor(Number(options.port || (options.protocol === "https:" ? 443 : 80)));
    const literal = literalAddress(options.hostname);
    if (literal !== null && !mayGoTo(literal)) {
      callback(new OutboundFailure("blocked_address"), null);
      return undefined;
    }
    const current = authorities();
    if (current !== trusted) {
      trusted = current;
      connectors = new Map();
    }
    const connect = connectors.get(mayGoTo) ?? build(trusted, mayGoTo);
    connectors.set(mayGoTo, connect);
    return connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      if (mayGoTo(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(new OutboundFailure("blocked_address"), null);
    });
  };
}

function guardLookup(resolve: Resolve, mayGoTo: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(new OutboundFailure("dns", { cause: error }), []);
      const [first] = addresses;
      if (first === undefined) return callback(new OutboundFailure("dns"), []);
      if (!addresses.every(({ address }) => mayGoTo(address)))
        return callback(new OutboundFailure("blocked_address"), []);
      if (options.all) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
