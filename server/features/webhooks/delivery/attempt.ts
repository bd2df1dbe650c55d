import type { Attempt } from "../../../../contract/endpoints/webhooks.ts";
import { limits } from "../../../../contract/limits.ts";
import { monotonicMs } from "../../../platform/clock.ts";
import {
  type Outbound,
  OutboundFailure,
  type OutboundResponse,
  retryAfterMs,
} from "../../../platform/outbound/index.ts";
import { redact } from "../../../platform/redact.ts";
import { type SigningKeys, signingKeys } from "../../../platform/webhook-signature.ts";
import type { Services } from "../../../services/index.ts";
import type { Claimed } from "./claim-store.ts";
import { requestHeaders } from "./request-headers.ts";

/** Bytes of a response that are read, so that a receiver may use the connection again; beyond them it is closed. */
const READ_BYTES = 64 * 1024;

export interface Attempted extends Omit<Attempt, "number"> {
  /** For how long the receiver asks for no further attempt, in milliseconds; 0: it does not. */
  readonly pauseMs: number;
}

/** These ask for a pause: too many requests, and out of service. */
const PAUSING: readonly number[] = [429, 503];
/** A receiver can put off an attempt by this at most, in milliseconds. */
const PAUSE_MS_MAX = 24 * 3_600_000;

/**
 * Sends a delivery once and returns the outcome; `interrupted` if `signal` ended it and the outcome is unknown. Never
 * throws.
 */
export function createAttempt({ config, clock, sealing, log }: Services, outbound: Outbound) {
  const keysOf = createKeyRing(sealing);
  const send = async (claimed: Claimed, startedAt: Date, signal: AbortSignal): Promise<OutboundResponse> => {
    const { webhookId, body } = claimed;
    const former = claimed.formerSecrets.filter(({ validUntil }) => startedAt <= validUntil);
    return outbound.send({
      url: claimed.url,
      method: "POST",
      headers: requestHeaders({
        event: claimed.event,
        deliveryId: claimed.id,
        at: startedAt,
        body,
        keys: [keysOf(webhookId, claimed.secret), ...former.map(({ secret }) => keysOf(webhookId, secret))],
      }),
      body,
      timeoutMs: config.webhookTimeoutSeconds * 1_000,
      readBytes: READ_BYTES,
      returnBytes: limits.webhookResponseKeptBytes,
      signal,
    });
  };

  return async (claimed: Claimed, signal: AbortSignal): Promise<Attempted> => {
    const startedAt = clock.now();
    const startedMs = monotonicMs();
    const ended = (response: OutboundResponse | null, error: Attempted["error"]): Attempted => ({
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(monotonicMs() - startedMs),
      ...loggedResponse(response),
      error,
      pauseMs: response ? pauseOf(response, clock.now()) : 0,
    });
    // Deactivating the webhook stops attempts under way, but not those requested by hand.
    if (!claimed.active && !claimed.byHand) {
      return ended(null, "webhook_inactive");
    }
    try {
      const response = await send(claimed, startedAt, signal);
      return ended(response, errorOf(response.status));
    } catch (error) {
      if (!(error instanceof OutboundFailure)) {
        log.error({ err: error, deliveryId: claimed.id }, "a webhook could not be sent");
        return ended(null, "internal");
      }
      if (error.reason === "aborted") return ended(null, "interrupted");
      if (error.reason === "dns" || error.reason === "blocked_address") {
        // Saying which of the two happened, and how long it took, would reveal names and addresses of the internal
        // network.
        log.debug({ reason: error.reason, deliveryId: claimed.id }, "a webhook's host has no usable address");
        return { ...ended(null, "no_usable_address"), durationMs: 0 };
      }
      return ended(error.partial, error.reason);
    }
  };
}

const pauseOf = (response: OutboundResponse, now: Date): number =>
  PAUSING.includes(response.status) ? Math.min(PAUSE_MS_MAX, retryAfterMs(response, now) ?? 0) : 0;

function errorOf(status: number): Attempted["error"] {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** Returns the part of a response that is logged, as text that the database can hold: no NUL, no lone surrogates. */
function loggedResponse(
  response: OutboundResponse | null,
): Pick<Attempted, "responseStatus" | "responseHeaders" | "responseBody"> {
  if (!response) return { responseStatus: null, responseHeaders: null, responseBody: null };
  return {
    responseStatus: response.status,
    responseHeaders: Object.fromEntries(
      Object.entries(loggedHeaders(response.headers)).map(([name, value]) => [name, storable(value)]),
    ),
    // A character that the limit cut in two is left out; any other invalid byte becomes U+FFFD.
    responseBody: storable(new TextDecoder().decode(response.body, { stream: true })),
  };
}

const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed();

/** Names of headers that may carry a credential: the log must not reveal them. */
const SECRET_NAME = /auth|cookie|token|secret|session|passw|credential|api-?key|csrf|xsrf|jwt|signature|nonce/i;

/**
 * Returns the response headers to keep in the log: none that may carry a credential, and as many of the others, in
 * order, as fit into `limits.webhookResponseKeptBytes`.
 */
export function loggedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  let room: number = limits.webhookResponseKeptBytes;
  const logged: [string, string][] = [];
  // Most have no credential: looking once for all is a fraction of the work.
  const all = Object.values(headers).join("\n");
  const isClean = redact(all) === all;
  for (const [name, given] of Object.entries(headers)) {
    if (SECRET_NAME.test(name)) continue;
    const value = isClean ? given : redact(given);
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(value);
    if (bytes > room) continue;
    room -= bytes;
    logged.push([name, value]);
  }
  return Object.fromEntries(logged);
}

/** The most decrypted secrets to keep; the least recently used is dropped first. */
const CACHED_SECRETS = 10_000;

/**
 * Decrypts the sealed secrets of webhooks and keeps them ready for signing, because decrypting one costs more than a
 * signature. The cache key is the sealed bytes: another secret, or the same one sealed again, is decrypted anew. Throws
 * if the bytes are not the webhook's.
 */
export function createKeyRing(
  sealing: Pick<Services["sealing"], "open">,
  most = CACHED_SECRETS,
): (webhookId: string, sealed: Uint8Array) => SigningKeys {
  const ring = new Map<string, SigningKeys>();
  return (webhookId, sealed) => {
    const name = `${webhookId} ${Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).toString("latin1")}`;
    const keys = ring.get(name) ?? signingKeys(sealing.open(sealed, webhookId));
    ring.delete(name);
    ring.set(name, keys);
    if (ring.size > most) ring.delete(ring.keys().next().value ?? "");
    return keys;
  };
}
