import { limits } from "../../../../../contract/limits.ts";
import { reasonIn } from "../../../../../domain/exports/jira/bulk.ts";
import { oneLine } from "../../../../../domain/exports/words.ts";
import type { Clock } from "../../../../platform/clock.ts";
import { type Outbound, type OutboundAnswer, OutboundFailure } from "../../../../platform/outbound/index.ts";
import { faultOfFailure } from "../faults.ts";
import { textIn } from "../json.ts";
import { type Access, type Call, type Fault, TrackerFault } from "../tracker.ts";
import { siteUrl } from "./address.ts";
import { problems } from "./problems.ts";
import { limitOf, pauseOf } from "./rate-limits.ts";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT";
  /** Below `/rest/api/3`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A question that is sent by POST; it changes nothing. */
  readonly asks?: true;
}

/** An answer that is no fault by itself: 2xx with its JSON (null: it has none), or 3xx and 4xx with what Jira says. */
export interface ApiAnswer {
  readonly status: number;
  /** The time by Jira's clock; by ours where it does not say. */
  readonly at: Date;
  readonly json: unknown;
  /** Jira's words for a refusal. */
  readonly message: string;
  /** The answer has more than the bytes that are read; then `json` is null. */
  readonly tooLarge: boolean;
}

export type Send = (access: Access, request: ApiRequest, call?: Call) => Promise<ApiAnswer>;

interface Parts {
  readonly outbound: Outbound;
  readonly clock: Clock;
}

/** Returns how to send one request to Jira, once. Throws `TrackerFault` where the answer is none, a limit, or a 5xx. */
export function createSend({ outbound, clock }: Parts): Send {
  return async (access, { method, path, query = {}, body, asks }, { signal, onPause, onTime } = {}) => {
    const url = new URL(`${siteUrl(access)}/rest/api/3${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const credentials = Buffer.from(`${access.email ?? ""}:${access.token}`).toString("base64");
    const answer = await outbound
      .send({
        url: url.href,
        method,
        headers: {
          Accept: "application/json",
          Authorization: `Basic ${credentials}`,
          "User-Agent": "Estimation-Service/1.0",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: limits.trackerTimeoutSeconds * 1_000,
        readBytes: limits.trackerAnswerBytes,
        // One more tells a larger answer from one that fits.
        keptBytes: limits.trackerAnswerBytes + 1,
        ...(signal ? { signal } : {}),
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutboundFailure)) throw error;
        throw new TrackerFault(faultOfFailure(error), { cause: error });
      });
    const time = Date.parse(answer.headers.date ?? "");
    if (!Number.isNaN(time)) onTime?.(new Date(time));
    const pause = pauseOf(answer, clock.now());
    if (pause) onPause?.(pause);
    const writes = method !== "GET" && !asks;
    return { ...read(answer, clock.now(), { writes }), at: Number.isNaN(time) ? clock.now() : new Date(time) };
  };
}

function read(answer: OutboundAnswer, now: Date, { writes }: { readonly writes: boolean }): Omit<ApiAnswer, "at"> {
  const { status, body } = answer;
  const tooLarge = body.length > limits.trackerAnswerBytes;
  const json = tooLarge || body.length === 0 ? null : parse(body);
  const said = oneLine(textIn(json, "message") ?? "");
  const fault = faultOfAnswer(answer, { said, now, writes });
  if (fault) throw new TrackerFault(fault);
  if (status < 300 && json === undefined) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  const message = status < 300 ? "" : said || reasonIn(json);
  return { status, json: json ?? null, message, tooLarge };
}

/** A gateway gave up waiting for one side or the other: what it has passed on may have been done. */
const GAVE_UP: readonly number[] = [408, 499];
/** Jira answers some requests with a refused token as if nobody had signed in, and says so in this header only. */
const SIGN_IN_FAILED = /AUTHENTICAT(?:ED_FAILED|ION_DENIED)/;

function faultOfAnswer(
  answer: OutboundAnswer,
  { said, now, writes }: { readonly said: string; readonly now: Date; readonly writes: boolean },
): Fault | null {
  const { status, headers } = answer;
  if (status === 401 && /scope/i.test(said)) return { kind: "blocked", problem: problems.scope_missing(said) };
  const isAnonymous = SIGN_IN_FAILED.test(headers["x-seraph-loginreason"] ?? "");
  // What the public may do was done.
  if (isAnonymous && writes && status < 300) return { kind: "unknown", reason: "sign_in_failed" };
  if (status === 401 || isAnonymous) return { kind: "token_rejected" };
  const limit = limitOf(answer, now);
  if (limit) return { kind: "wait", ...limit };
  return status >= 500 || GAVE_UP.includes(status) ? { kind: "unknown", reason: `status_${status}` } : null;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}
