import type { LookupAddress, LookupOptions } from "node:dns";
import { type LookupFunction, Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { buildConnector } from "undici";
import type { Clock } from "../clock.ts";
import { type AddressRule, literalAddress } from "./addresses.ts";
import { OutboundFailure } from "./failure.ts";

/** Resolves a host name to all of its addresses, like `dns.lookup`. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface ConnectorOptions {
  readonly mayGoTo: AddressRule;
  readonly resolve: Resolve;
  /** Asked once per new connection. */
  readonly authorities: () => SecureContext;
  readonly clock: Clock;
  /** Bound of a connection attempt that begins now, in milliseconds, so that an abandoned one does not linger. */
  readonly timeoutMs: () => number;
}

/**
 * Opens connections for undici, HTTP/1.1 only. An address is judged three times: as the URL spells it, in every answer
 * of the resolver (one bad address spoils the whole answer), and on the connected socket, which is what counts.
 */
export function createConnector({
  mayGoTo,
  resolve,
  authorities,
  clock,
  timeoutMs,
}: ConnectorOptions): buildConnector.connector {
  const lookup = guardLookup(resolve, mayGoTo);
  const build = (secureContext: SecureContext) =>
    buildConnector({ lookup, secureContext, timeout: 0, allowH2: false, rejectUnauthorized: true });
  let trusted = authorities();
  let connect = build(trusted);
  return (options, callback) => {
    const literal = literalAddress(options.hostname);
    if (literal !== null && !mayGoTo(literal)) return callback(new OutboundFailure("blocked_address"), null);
    const current = authorities();
    if (current !== trusted) {
      trusted = current;
      connect = build(trusted);
    }
    let opening: unknown;
    const cancel = clock.after(timeoutMs(), () => {
      if (opening instanceof Socket) opening.destroy(new OutboundFailure("timeout"));
    });
    // The socket is answered although undici's types leave that out.
    opening = connect(options, (...[error, socket]) => {
      cancel();
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
