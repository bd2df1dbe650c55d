import { limits } from "../../../../contract/limits.ts";
import type { Attempt } from "../../../../contract/webhooks.ts";
import { monotonicMs } from "../../../platform/clock.ts";
import { type Outbound, OutboundFailure, type OutboundResponse } from "../../../platform/outbound/index.ts";
import type { Services } from "../../../services/index.ts";
import type { Claimed } from "./claim-store.ts";
import { createKeyRing } from "./key-ring.ts";
import { requestHeaders } from "./request-headers.ts";
import { keptHeaders } from "./response-headers.ts";

/** Bytes of a response that are read, so that a receiver may use the connection again; beyond them it is closed. */
const READ_BYTES = 64 * 1024;

export type Attempted = Omit<Attempt, "number">;

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
      keptBytes: limits.webhookResponseKeptBytes,
      signal,
    });
  };

  return async (claimed: Claimed, signal: AbortSignal): Promise<Attempted> => {
    const startedAt = clock.now();
    const startedMs = monotonicMs();
    const ended = (response: OutboundResponse | null, error: Attempted["error"]): Attempted => ({
      startedAt: startedAt.toISOString(),
      durationMs: Math.round(monotonicMs() - startedMs),
      ...keptResponse(response),
      error,
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

function errorOf(status: number): Attempted["error"] {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** Returns the part of a response that is kept, as text that the database can hold: no NUL, no lone surrogates. */
function keptResponse(
  response: OutboundResponse | null,
): Pick<Attempted, "responseStatus" | "responseHeaders" | "responseBody"> {
  if (!response) return { responseStatus: null, responseHeaders: null, responseBody: null };
  return {
    responseStatus: response.status,
    responseHeaders: Object.fromEntries(
      Object.entries(keptHeaders(response.headers)).map(([name, value]) => [name, storable(value)]),
    ),
    // A character that the limit cut in two is left out; any other invalid byte becomes U+FFFD.
    responseBody: storable(new TextDecoder().decode(response.body, { stream: true })),
  };
}

const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed();
