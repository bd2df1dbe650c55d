import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { fail } from "../failure.ts";
import type { Step, Wrap } from "../steps/step.ts";
import { addressGroup } from "./client-address.ts";

/** What a caller has left in the current window. */
interface Left {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/** Counts what callers use, in units. */
export interface RateCounter {
  readonly perWindow: number;
  readonly windowMs: number;
  /** Takes one unit if one is left; otherwise takes nothing. */
  take(caller: string): Left;
  /** Adds what a request cost beyond its first unit; a negative number gives units back. */
  charge(caller: string, units: number): void;
}

/** A caller's use in this process's memory, which is what decides. */
interface Window {
  /** Milliseconds since 1970. */
  endsAt: number;
  /** What all processes count, as far as it is known here. */
  used: number;
  /** What of it was counted here and is not stored. */
  unsent: number;
  /** How much of that is stored at once. */
  most: number;
}

/**
 * What a caller uses in a process is stored at once when it is this part of what the caller has left. So another process may
 * allow a thirty-second of the limit too much, and a caller who is far from the limit causes few statements.
 */
const PART = 32;
/** Most callers counted at the same time; beyond that, the least recently seen one is forgotten. */
const CALLERS_MAX = 200_000;

/**
 * Counts in memory, in windows that start with a caller's first request. Use beyond a window's units is taken from the next
 * window, but never all of it: who waits for the end of the window is let in. `whenDue` is called for callers whose use is to
 * be stored at once (`shared-counts.ts`).
 */
export function countInMemory(perWindow: number, windowMs: number, clock: Clock, whenDue: (caller: string) => void) {
  const windows = new Map<string, Window>();
  /** Callers with something to store. */
  const changed = new Set<string>();
  const bounded = (used: number) => Math.max(0, Math.min(used, 2 * perWindow - 1));
  const mostOf = (used: number) => Math.max(1, Math.floor((perWindow - used) / PART));

  function windowOf(caller: string): { window: Window; resetMs: number } {
    const now = clock.now().getTime();
    const window = windows.get(caller) ?? { endsAt: now + windowMs, used: 0, unsent: 0, most: mostOf(0) };
    if (window.endsAt <= now) {
      const ended = 1 + Math.floor((now - window.endsAt) / windowMs);
      window.used = Math.max(0, window.used - ended * perWindow);
      window.endsAt = now + windowMs;
      window.unsent = 0;
      window.most = mostOf(window.used);
    }
    windows.delete(caller);
    windows.set(caller, window);
    if (windows.size > CALLERS_MAX) windows.delete(windows.keys().next().value as string);
    return { window, resetMs: window.endsAt - now };
  }

  function count(caller: string, window: Window, units: number): void {
    const before = window.used;
    window.used = bounded(before + units);
    window.unsent += window.used - before;
    changed.add(caller);
    if (window.unsent >= window.most) whenDue(caller);
  }

  return {
    windows: windows as ReadonlyMap<string, Window>,
    changed,
    perWindow,
    windowMs,
    take(caller: string): Left {
      const { window, resetMs } = windowOf(caller);
      const allowed = window.used < perWindow;
      if (allowed) count(caller, window, 1);
      return { allowed, remaining: Math.max(0, perWindow - window.used), resetMs };
    },
    charge(caller: string, units: number): void {
      count(caller, windowOf(caller).window, units);
    },
    /**
     * Takes over what all processes counted, beside what was counted here since, unless it is less than what is known here:
     * where clocks differ by more than a window, each process counts alone. A window never gets longer by another's clock.
     */
    takeOver(window: Window, stored: Pick<Window, "used" | "endsAt">): void {
      window.used = Math.max(window.used, bounded(stored.used + window.unsent));
      window.endsAt = Math.min(window.endsAt, stored.endsAt);
      window.most = mostOf(window.used);
    },
  };
}

const REMEMBERED_MS = 600_000;
const REMEMBERED_MAX = 50_000;

/**
 * Remembers which user each credential had at its last look-up, only to know which caller a request counts for before
 * it costs a query. It grants no access. Stores hashes of the most recent credentials, for minutes.
 */
export interface KnownCredentials {
  recall(credential: string): KnownCredential;
}

interface KnownCredential {
  /** The user; null if the credential was refused; undefined if it is not remembered. */
  readonly userId: string | null | undefined;
  /** Remembers the result of a look-up. */
  note(userId: string | null): void;
}

export function createKnownCredentials(clock: Clock): KnownCredentials {
  const known = new Map<string, { readonly userId: string | null; readonly at: number }>();
  return {
    recall(credential) {
      const digest = hash("sha256", credential, "base64");
      const found = known.get(digest);
      return {
        userId: found && clock.now().getTime() - found.at < REMEMBERED_MS ? found.userId : undefined,
        note(userId) {
          known.delete(digest);
          known.set(digest, { userId, at: clock.now().getTime() });
          if (known.size > REMEMBERED_MAX) known.delete(known.keys().next().value as string);
        },
      };
    },
  };
}

/** A request counts once, once more for each this many bytes of body and response, … */
export const REQUEST_UNIT_BYTES = 128 * 1024;
/** … once more for each this many milliseconds that it takes, … */
export const REQUEST_UNIT_MS = 100;
/** … and once more for each this many milliseconds of long computations, so that a user gets a tenth of a processor. */
export const COMPUTED_UNIT_MS = 5;

declare module "fastify" {
  interface FastifyRequest {
    /** The caller that the request was counted for; null for none. */
    countedFor: string | null;
    /** Bytes of the body that were read. */
    bodyBytes: number;
    /** Bytes of lines that were sent; other responses have a `Content-Length`. */
    streamedBytes: number;
    /** Milliseconds that its handler took, without waiting for its turn. */
    spentMs: number;
    /** Milliseconds of long computations for it, of the processor or of a worker thread. */
    computedMs: number;
  }
}

/** Counts requests per user, whatever the credential, and per address if the user is not known. */
export interface RateLimit {
  /** Counts a request for a user, or for its address (null). Refuses it (429) if nothing is left. */
  count(request: FastifyRequest, reply: FastifyReply, userId: string | null): Promise<void>;
  /** Moves an already counted request to another caller. Never refuses: the request has already cost its query. */
  countInstead(request: FastifyRequest, reply: FastifyReply, userId: string | null): Promise<void>;
}

/**
 * A request costs one unit when it arrives, and afterwards the rest of its cost: for its bytes and its time. Headers
 * follow the IETF draft (draft-ietf-httpapi-ratelimit-headers): policy, units left, seconds to the reset.
 */
export function createRateLimit(counter: RateCounter): RateLimit {
  const callerOf = (request: FastifyRequest, userId: string | null) => userId ?? addressGroup(request.clientAddress);
  const tell = teller("default", counter);
  return {
    async count(request, reply, userId) {
      const caller = callerOf(request, userId);
      const left = counter.take(caller);
      const seconds = tell(reply, left);
      if (!left.allowed) fail("rate_limited", { headers: { "retry-after": String(seconds) } });
      request.countedFor = caller;
    },
    async countInstead(request, reply, userId) {
      if (request.countedFor !== null) counter.charge(request.countedFor, -1);
      const caller = callerOf(request, userId);
      const left = counter.take(caller);
      if (!left.allowed) counter.charge(caller, 1);
      tell(reply, left);
      request.countedFor = caller;
    },
  };
}

/** Returns what writes a policy and what is left of it into the headers; that returns the seconds to the reset. */
function teller(name: string, { perWindow, windowMs }: RateCounter) {
  const policy = `"${name}";q=${perWindow};w=${windowMs / 1000}`;
  return (reply: FastifyReply, { remaining, resetMs }: Left): number => {
    const seconds = Math.ceil(resetMs / 1000);
    reply.header("ratelimit-policy", policy);
    reply.header("ratelimit", `"${name}";r=${remaining};t=${seconds}`);
    return seconds;
  };
}

/** Counts the requests of each user to one endpoint. Refuses (429) what is beyond the counter's window, with this limit's headers. */
export function createEndpointLimit(counter: RateCounter) {
  const tell = teller("endpoint", counter);
  return async (reply: FastifyReply, userId: string): Promise<void> => {
    const left = counter.take(userId);
    if (!left.allowed) fail("rate_limited", { headers: { "retry-after": String(tell(reply, left)) } });
  };
}

/** Charges every request of `app` for its cost, once its response is sent. */
export function chargeForCost(app: FastifyInstance, counter: RateCounter): void {
  app.decorateRequest("countedFor", null);
  app.decorateRequest("bodyBytes", 0);
  app.decorateRequest("spentMs", 0);
  app.decorateRequest("computedMs", 0);
  app.decorateRequest("streamedBytes", 0);
  app.addHook("onResponse", async (request, reply) => {
    const { countedFor, spentMs, computedMs } = request;
    if (countedFor === null) return;
    const sent = Number(reply.getHeader("content-length") ?? request.streamedBytes);
    const bytes = bytesOf(request) + Math.max(request.plainBytes, sent);
    const units =
      Math.floor(bytes / REQUEST_UNIT_BYTES) +
      Math.floor(spentMs / REQUEST_UNIT_MS) +
      Math.floor(computedMs / COMPUTED_UNIT_MS);
    if (units > 0) counter.charge(countedFor, units);
  });
}

/** Returns the bytes of a request's body, including those that its sender goes on sending after a refusal. */
const bytesOf = ({ headers, bodyBytes, routeOptions }: FastifyRequest): number =>
  Math.max(bodyBytes, Math.min(Number(headers["content-length"] ?? 0), 2 * (routeOptions.bodyLimit ?? 0)));

/** Measures how long the work takes, to charge its user. Waiting for a lock or for admission does not count. */
export const measureTime: Step<Wrap> =
  (_, { services: { clock } }) =>
  async (exchange, next) => {
    const begin = clock.now().getTime();
    try {
      return await next(exchange);
    } finally {
      exchange.request.spentMs = Math.max(0, clock.now().getTime() - begin);
    }
  };
