import { WebhookVerificationError } from "./error.ts";
import { readEvent, type WebhookEvent } from "./event.ts";
import { headerReader, type WebhookHeaders } from "./headers.ts";
import { keysOf } from "./secret.ts";
import { checkServiceSignature, checkStandardSignature, hasStandardHeaders } from "./signature.ts";

/** The body as received. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export interface VerifyOptions {
  /** How far the time of signing may differ from now, either way; default 300. */
  readonly toleranceSeconds?: number;
  /** The current time; default: the system's. If you verify later than you receive, pass the time of receipt. */
  readonly now?: () => Date;
  /**
   * Accepts a request that carries `X-Service-Signature` only, for instance because a proxy drops the other headers. That
   * signature covers no time and no id: whoever once saw such a request can send it again for ever, under any id. False.
   */
  readonly acceptWithoutTimestamp?: boolean;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Checks that `rawBody` and `headers` are a delivery of the webhook with this `secret`, sent just now, and returns the
 * event. Several secrets are accepted alike, which serves while one replaces another.
 *
 * It checks the signature of Standard Webhooks, which covers the id, the time and the body.
 *
 * @throws {WebhookVerificationError} where the request is not to be trusted; its `code` says why.
 * @throws {TypeError} where it is called wrongly: without the raw bytes of the body, or with something that is no secret.
 */
export async function verify(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const header = headerReader(headers);
  const keys = keysOf(secret);
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = () => new Date(), acceptWithoutTimestamp } = options;
  if (!(toleranceSeconds >= 0)) throw new TypeError("toleranceSeconds is not a number of seconds");
  const nowSeconds = Math.floor(now().getTime() / 1000);
  if (Number.isNaN(nowSeconds)) throw new TypeError("now gives no valid time");
  if (hasStandardHeaders(header)) {
    await checkStandardSignature(body, header, keys, { nowSeconds, toleranceSeconds });
  } else if (acceptWithoutTimestamp === true) {
    await checkServiceSignature(body, header, keys);
  } else {
    throw new WebhookVerificationError("missing_header", "webhook-id, webhook-timestamp and webhook-signature");
  }
  return readEvent(body, header);
}

/** A copy of the bytes: what is read afterwards is what was verified, whatever the caller does to its own meanwhile. */
function bytesOf(body: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  // By its tag, because a buffer may come from another realm.
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body).slice();
  throw new TypeError(
    "verify needs the raw bytes of the body, as text, Uint8Array or ArrayBuffer: what was parsed and is serialised again " +
      "no longer has the bytes that were signed",
  );
}
