import { limits } from "../../../../../contract/limits.ts";
import { oneLine } from "../../../../../domain/exports/words.ts";
import type { Clock } from "../../../../platform/clock.ts";
import { type Outbound, type OutboundAnswer, OutboundFailure } from "../../../../platform/outbound/index.ts";
import { faultOfFailure } from "../faults.ts";
import { fieldOf, listIn, textIn } from "../json.ts";
import { type Access, type Call, type Fault, TrackerFault } from "../tracker.ts";
import { apiUrl } from "./address.ts";
import { limitOf, pauseOf } from "./rate-limits.ts";

/** Installations of one's own know no later version. */
const API_VERSION = "2022-11-28";

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH";
  /** Below the address of the API. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** An answer that is no fault by itself: 2xx with its JSON, or 3xx and 4xx with what GitHub says. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  /** GitHub's words for a refusal; empty for a success. */
  readonly message: string;
  /** The answer has more than the bytes that are read; then `json` is null. */
  readonly tooLarge: boolean;
}

export type Send = (access: Access, request: ApiRequest, call?: Call) => Promise<ApiAnswer>;

interface Parts {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** Returns how to send one request to GitHub, once. Throws `TrackerFault` where the answer is none, a limit, or a 5xx. */
export function createSend({ outbound, clock, publicUrl }: Parts): Send {
  return async (access, { method, path, query = {}, body }, { signal, onPause, onTime } = {}) => {
    const url = new URL(apiUrl(access, publicUrl) + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const answer = await outbound
      .send({
        url: url.href,
        method,
        headers: {
          Accept: "application/vnd.github+json",
          Authorization: `Bearer ${access.token}`,
          "User-Agent": "Estimation-Service/1.0",
          "X-GitHub-Api-Version": API_VERSION,
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
    return read(answer, clock.now());
  };
}

function read(answer: OutboundAnswer, now: Date): ApiAnswer {
  const { status, headers, body } = answer;
  const tooLarge = body.length > limits.trackerAnswerBytes;
  const json = tooLarge ? undefined : parse(body);
  const message = status < 300 ? "" : messageIn(json);
  const fault = faultOfAnswer(answer, message, now);
  if (fault) throw new TrackerFault(fault);
  if (status < 300 && json === undefined && !tooLarge)
    throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  return { status, headers, json: json ?? null, message, tooLarge };
}

/** A gateway gave up waiting for one side or the other: what it has passed on may have been done. */
const GAVE_UP: readonly number[] = [408, 499];

function faultOfAnswer(answer: OutboundAnswer, message: string, now: Date): Fault | null {
  if (answer.status === 401) return { kind: "token_rejected" };
  const limit = limitOf(answer, message, now);
  if (limit) return { kind: "wait", ...limit };
  return answer.status >= 500 || GAVE_UP.includes(answer.status)
    ? { kind: "unknown", reason: `status_${answer.status}` }
    : null;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Returns GitHub's words for a refusal: its message, then what it says of each field. */
function messageIn(json: unknown): string {
  const details = listIn(json, "errors").map((error) =>
    typeof error === "string"
      ? error
      : (textIn(error, "message") ?? [fieldOf(error, "field"), fieldOf(error, "code")].filter(Boolean).join(" ")),
  );
  return oneLine([textIn(json, "message") ?? "", ...details].filter((part) => part !== "").join("; "));
}
