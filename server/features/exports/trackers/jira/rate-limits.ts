import { type OutboundResponse, retryAfterMs } from "../../../../platform/outbound/index.ts";

/** Where Jira refuses without saying for how long, in milliseconds. */
const UNSAID_MS = 60_000;
const PAUSE_MS_MIN = 1_000;
/** No response can stop a connection for longer. */
const PAUSE_MS_MAX = 24 * 3_600_000;

/**
 * Returns until when Jira takes no request, if a limit refused this one; null: something else did. Without a time in the
 * response, pauses grow. Source: Jira Cloud, "Rate limiting": 429 with `Retry-After` in seconds or `X-RateLimit-Reset`.
 */
export function limitOf(
  response: OutboundResponse,
  now: Date,
): { readonly until: Date; readonly grows: boolean } | null {
  if (response.status !== 429) return null;
  const until = retryAfter(response, now) ?? resetOf(response, now);
  return { until: until ?? later(now, UNSAID_MS), grows: until === null };
}

/** Returns until when a response asks for a pause, although no limit refused the request; null: it does not. */
export function pauseOf(response: OutboundResponse, now: Date): Date | null {
  if (response.status >= 500) return retryAfter(response, now);
  return response.headers["x-ratelimit-remaining"] === "0" ? resetOf(response, now) : null;
}

function retryAfter(response: OutboundResponse, now: Date): Date | null {
  const ms = retryAfterMs(response, now);
  return ms === null ? null : later(now, ms);
}

/** Reads `X-RateLimit-Reset`, a time by Jira's clock: only the difference to the time of the response counts. */
function resetOf({ headers }: OutboundResponse, now: Date): Date | null {
  const at = Date.parse(headers["x-ratelimit-reset"] ?? "");
  const theirs = Date.parse(headers.date ?? "");
  return Number.isNaN(at) ? null : later(now, at - (Number.isNaN(theirs) ? now.getTime() : theirs));
}

const later = (now: Date, delayMs: number): Date =>
  new Date(now.getTime() + Math.min(Math.max(delayMs, PAUSE_MS_MIN), PAUSE_MS_MAX));
