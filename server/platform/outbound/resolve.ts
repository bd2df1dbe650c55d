import { type LookupAddress, lookup, Resolver } from "node:dns";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { promisify } from "node:util";
import { createTurns } from "../turns.ts";
import type { Resolve } from "./connector.ts";

export interface ResolveOptions {
  /** `address:port` of the name servers; the system's by default. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
  /** The first wait for a response of a name server, in milliseconds; the second is about twice as long. */
  readonly timeoutMs?: number;
  /** The system's way, for names that the name servers do not know. */
  readonly system?: (hostname: string) => Promise<LookupAddress[]>;
}

const HOSTS_FILE = process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Of the four threads of the process, which files and passwords need as well. */
const SYSTEM_THREADS = 2;
const SYSTEM_WAITING = 200;
/** No such name, or no name server: the system may know more (search domains, mDNS, NIS). */
const UNKNOWN = new Set(["ENOTFOUND", "ECONNREFUSED"]);

const LOCALHOST: readonly LookupAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

/**
 * Resolves names without blocking a thread: the system's own call blocks one of the process's few threads while a name
 * server does not respond, so that a handful of such names would stop every other delivery. The hosts file comes first,
 * with RFC 6761 for `localhost` where it has no entry; then the name servers are asked for IPv4 and IPv6 at once. Names
 * that they do not know are left to the system, a few at a time.
 */
export function createResolve(options: ResolveOptions = {}): Resolve {
  const { servers, hostsFile = HOSTS_FILE, timeoutMs = TIMEOUT_MS } = options;
  const { system = (hostname: string) => promisify(lookup)(hostname, { all: true }) } = options;
  const takeTurn = createTurns({ atOnce: SYSTEM_THREADS, waitingMax: SYSTEM_WAITING });

  const find = async (name: string): Promise<readonly LookupAddress[]> => {
    const hostname = name.toLowerCase().replace(/\.$/, "");
    const written = readHosts(hostsFile, hostname);
    if (written.length > 0) return written;
    if (/(^|\.)localhost$/.test(hostname)) return LOCALHOST;
    try {
      return await ask(hostname, servers, timeoutMs);
    } catch (error) {
      if (!UNKNOWN.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      return takeTurn(() => system(hostname));
    }
  };

  return (hostname, _, callback) => {
    find(hostname).then(
      (addresses) => callback(null, [...addresses]),
      (error) => callback(error as NodeJS.ErrnoException, []),
    );
  };
}

/** Asks the name servers. Uses a new resolver each time: it follows changed settings, and caches nothing. */
async function ask(
  hostname: string,
  servers: readonly string[] | undefined,
  timeoutMs: number,
): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const [four, six] = await Promise.allSettled([
    promisify(resolver.resolve4.bind(resolver) as Query)(hostname),
    promisify(resolver.resolve6.bind(resolver) as Query)(hostname),
  ]);
  const addresses = [four, six].flatMap((response, at) =>
    response.status === "fulfilled" ? response.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
  );
  if (addresses.length > 0 || four.status === "fulfilled") return addresses;
  throw four.reason;
}

type Query = (hostname: string, callback: (error: Error | null, addresses: string[]) => void) => void;

/** Returns the hosts file's entry for a name, read anew each time, as the system does. */
function readHosts(file: string, hostname: string): LookupAddress[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((name) => name.toLowerCase() === hostname) ? [{ address, family }] : [];
  });
}
