import { type OutboundResponse, retryAfterMs } from "../../../../platform/outbound/index.ts";

/** What GitHub says about the pace of requests. */
export interface RateLimit {
  /** No request before this. */
  readonly until: Date;
  /** It is a secondary limit, whose pauses have to grow as long as it is hit again. */
  readonly grows: boolean;
}

/** A pause that no header gives; GitHub asks for a minute at least. */
const UNSAID_MS = 60_000;
const PAUSE_MS_MIN = 1_000;
/** A header may not stop a connection for longer. */
const PAUSE_MS_MAX = 24 * 3_600_000;

/** GitHub's wordings of 403 for a limit, "abuse" being the older one. */
const LIMITED = /\brate limit|\babuse detection|\btemporarily blocked/i;
/** The message of a 422 that is not caused by the content of the request. */
const TOO_QUICKLY = /\bsubmitted too quickly/i;

/**
 * Returns the limit that refused a request; null: something else did. A 403 is one if a header or GitHub's message says
 * so. Source: GitHub's documentation, "Rate limits for the REST API" and "Best practices for using the REST API".
 */
export function limitOf(response: OutboundResponse, message: string, now: Date): RateLimit | null {
  if (response.status === 422 && TOO_QUICKLY.test(message)) return { until: later(now, UNSAID_MS), grows: true };
  if (response.status !== 429 && response.status !== 403) return null;
  const after = retryAfter(response, now);
  if (after) return { until: after, grows: !isUsedUp(response) };
  const reset = isUsedUp(response) ? resetOf(response, now) : null;
  if (reset) return { until: reset, grows: false };
  if (response.status === 429 || LIMITED.test(message)) return { until: later(now, UNSAID_MS), grows: true };
  return null;
}

/** Returns until when a response that no limit refused asks for a pause; null: it does not. */
export function pauseOf(response: OutboundResponse, now: Date): Date | null {
  return (
    (response.status >= 500 ? retryAfter(response, now) : null) ?? (isUsedUp(response) ? resetOf(response, now) : null)
  );
}

const isUsedUp = ({ headers }: OutboundResponse): boolean => headers["x-ratelimit-remaining"] === "0";

function retryAfter(response: OutboundResponse, now: Date): Date | null {
  const ms = retryAfterMs(response, now);
  return ms === null ? null : later(now, ms);
}

/** Reads `x-ratelimit-reset`: seconds since 1970 by the tracker's clock. */
function resetOf(response: OutboundResponse, now: Date): Date | null {
  const text = response.headers["x-ratelimit-reset"] ?? "";
  return /^\d{1,12}$/.test(text) ? later(now, Number(text) * 1_000 - theirs(response, now)) : null;
}

/** The tracker's time: its clock may differ from ours, so only differences between its own times count. */
function theirs(response: OutboundResponse, now: Date): number {
  const date = Date.parse(response.headers.date ?? "");
  return Number.isNaN(date) ? now.getTime() : date;
}

const later = (now: Date, delayMs: number): Date =>
  new Date(now.getTime() + Math.min(Math.max(delayMs, PAUSE_MS_MIN), PAUSE_MS_MAX));
