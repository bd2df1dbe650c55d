import { readStructure } from "../../../http/body/structure.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type Outbound, OutboundFailure, type OutboundResponse } from "../../../platform/outbound/index.ts";
import type { Access, Call } from "./reach.ts";
import { type Fault, TrackerFault } from "./tracker-fault.ts";

/** Failures that come before anything is sent: the request has certainly not been processed. */
const NOT_SENT: ReadonlySet<OutboundFailure["reason"]> = new Set([
  "dns",
  "blocked_address",
  "connection_refused",
  "certificate",
]);

/**
 * Returns what a request without a complete response means. A response that was cut off says nothing, whatever its status:
 * the issue may exist. Unknown names and internal addresses give the same fault: both have no usable address.
 */
export function faultOfFailure({ reason }: OutboundFailure): Fault {
  if (!NOT_SENT.has(reason)) return { kind: "unknown", reason };
  const unusable = reason === "dns" || reason === "blocked_address";
  return { kind: "not_sent", reason: unusable ? "no_usable_address" : reason };
}

/** Bytes of a tracker's response; a longer one is requested again in smaller parts, where possible. */
export const RESPONSE_BYTES = 4 * 1024 * 1024;
/** Values of such a response, counted by its commas and opening brackets; one with more counts as longer. */
export const RESPONSE_VALUES = 100_000;
/** For one request of an export to a tracker. */
export const TIMEOUT_SECONDS = 30;

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  /** Below the address of the tracker's interface. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A question that is sent by POST; it changes nothing. */
  readonly asks?: true;
  /** For everything together; by default `TIMEOUT_SECONDS`. */
  readonly timeoutSeconds?: number;
}

/**
 * A response that is not a fault by itself: 2xx with its JSON (null: it has none), or 3xx and 4xx with what the tracker
 * says.
 */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The time by the tracker's clock; by ours where it does not say. */
  readonly at: Date;
  readonly json: unknown;
  /** The tracker's words for a refusal; empty for a success. */
  readonly message: string;
  /** The response has too many bytes or values to be read; then `json` is null. */
  readonly tooLarge: boolean;
}

export type Send = (access: Access, request: ApiRequest, call?: Call) => Promise<ApiResponse>;

/** A response as a tracker's own rules judge it. */
export interface Judged {
  /** The tracker's words for a refusal; empty for a success. */
  readonly message: string;
  readonly now: Date;
  /** Whether the request may have changed something. */
  readonly writes: boolean;
  readonly access: Pick<Access, "baseUrl">;
}

/** How the APIs of trackers differ. */
export interface Dialect {
  /** The address of the interface, without a slash at the end. */
  readonly address: (access: Access) => string;
  readonly headers: (access: Access) => Readonly<Record<string, string>>;
  /** Returns the tracker's words in the JSON of a refusal, on one line and cut. */
  readonly words: (json: unknown) => string;
  /** Returns the meaning of responses that is specific to this tracker; null: none. */
  readonly faultOf?: (response: OutboundResponse, judged: Judged) => Fault | null;
  /** Returns the limit that refused a request; null: something else did. */
  readonly limitOf: (
    response: OutboundResponse,
    judged: Judged,
  ) => { readonly until: Date; readonly grows: boolean } | null;
  /** Returns until when a response asks for a pause, although no limit refused the request; null: it does not. */
  readonly pauseOf: (response: OutboundResponse, now: Date) => Date | null;
}

/**
 * Returns how to send one request to a tracker, once. Throws `TrackerFault` if there is no response, or if it is a limit
 * or a 5xx.
 */
export function createSend(
  { outbound, clock }: { readonly outbound: Outbound; readonly clock: Clock },
  dialect: Dialect,
): Send {
  return async (access, { method, path, query = {}, body, asks, timeoutSeconds }, { signal, onPause, onTime } = {}) => {
    const url = new URL(dialect.address(access) + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await outbound
      .send({
        url: url.href,
        method,
        headers: {
          ...dialect.headers(access),
          "User-Agent": "Estimation-Service/1.0",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: (timeoutSeconds ?? TIMEOUT_SECONDS) * 1_000,
        readBytes: RESPONSE_BYTES,
        // One byte more, to notice a larger response.
        returnBytes: RESPONSE_BYTES + 1,
        ...(signal ? { signal } : {}),
      })
      .catch((error: unknown) => {
        if (!(error instanceof OutboundFailure)) throw error;
        throw new TrackerFault(faultOfFailure(error), { cause: error });
      });
    const time = Date.parse(response.headers.date ?? "");
    if (!Number.isNaN(time)) onTime?.(new Date(time));
    const pause = dialect.pauseOf(response, clock.now());
    if (pause) onPause?.(pause);
    const at = Number.isNaN(time) ? clock.now() : new Date(time);
    const judged = { now: clock.now(), writes: method !== "GET" && !asks, access };
    return { ...read(response, dialect, judged, secretsOf(access)), at };
  };
}

/** Characters of the shortest secret that is looked for: tokens are longer, and shorter ones may be parts of words. */
const SECRET_LENGTH_LEAST = 8;

/**
 * Returns an expression that finds what nobody may see of the credentials of a request: the token, alone and with its user, as it
 * is, percent-encoded and in base64. null: the token is too short to be told from words.
 */
function secretsOf({ email, token }: Access): RegExp | null {
  if (token.length < SECRET_LENGTH_LEAST) return null;
  const forms = [token, `${token}:`, `${email ?? ""}:${token}`].flatMap((secret) => {
    const bytes = Buffer.from(secret);
    return [secret, bytes.toString("base64"), bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
  });
  const longestFirst = forms.flatMap((form) => [form, encodeURIComponent(form)]).sort((a, b) => b.length - a.length);
  // In any case: percent-encoding has both.
  return new RegExp([...new Set(longestFirst)].map((form) => RegExp.escape(form)).join("|"), "gi");
}

function read(
  response: OutboundResponse,
  dialect: Dialect,
  judged: Omit<Judged, "message">,
  secrets: RegExp | null,
): Omit<ApiResponse, "at"> {
  const { status, headers, body } = response;
  // Any server may respond: parsing as many tiny values as fit would block all users for a second.
  const tooLarge = body.length > RESPONSE_BYTES || readStructure(body, RESPONSE_VALUES).fault !== null;
  // A gateway may quote the request that it refuses, and a response to a write may refuse parts of it.
  const json = tooLarge || body.length === 0 ? null : parse(body, status < 300 && !judged.writes ? null : secrets);
  const message = status < 300 ? "" : dialect.words(json);
  const fault = faultOf(response, dialect, { message, ...judged });
  if (fault) throw new TrackerFault(fault);
  if (status < 300 && json === undefined) throw new TrackerFault({ kind: "unknown", reason: "unreadable_answer" });
  return { status, headers, json: json ?? null, message, tooLarge };
}

/** A gateway gave up waiting: a request that it has passed on may have been carried out. */
const GAVE_UP: readonly number[] = [408, 499];

/** Whether a response with this status leaves open what was done. */
export const leavesOpen = (status: number): boolean => status >= 500 || GAVE_UP.includes(status);

function faultOf(response: OutboundResponse, dialect: Dialect, judged: Judged): Fault | null {
  const { status } = response;
  const own = dialect.faultOf?.(response, judged);
  if (own) return own;
  if (status === 401) return { kind: "token_rejected" };
  const limit = dialect.limitOf(response, judged);
  if (limit) return { kind: "wait", ...limit };
  return leavesOpen(status) ? { kind: "unknown", reason: `status_${status}` } : null;
}

/** Reads JSON without these secrets, also where escapes hide them in the text. */
function parse(body: Buffer, secrets: RegExp | null): unknown {
  const text = body.toString("utf8");
  const hide = (words: string) => (secrets ? words.replace(secrets, "…") : words);
  try {
    return JSON.parse(
      hide(text),
      secrets ? (_, value) => (typeof value === "string" ? hide(value) : value) : undefined,
    );
  } catch {
    return undefined;
  }
}
