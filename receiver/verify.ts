import { bytesOf } from "./bytes.ts";
import { WebhookVerificationError } from "./error.ts";
import { readEvent, type WebhookEvent } from "./event.ts";
import { headerReader, type WebhookHeaders } from "./headers.ts";
import type { RawBody } from "./raw-body.ts";
import { keysOf } from "./secret.ts";
import { checkServiceSignature, checkStandardSignature, hasStandardHeaders } from "./signature.ts";

export interface VerifyOptions {
  /** How far the time of signing may differ from now, either way; default 300. */
  readonly toleranceSeconds?: number;
  /** The current time; default: the system's. If you verify later than you receive, pass the time of receipt. */
  readonly now?: () => Date;
  /**
   * Accepts a request that carries `X-Service-Signature` only, for instance because a proxy drops the other headers.
   * That signature covers no time and no id: somebody who once saw such a request can send it again for ever, under any
   * id. Default: false.
   */
  readonly acceptWithoutTimestamp?: boolean;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Checks that `rawBody` and `headers` are a delivery of the webhook with this `secret`, sent just now, and returns the
 * event. Of several secrets any may match, for the time while one replaces another.
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
  const body = bytesOf(rawBody, "verify");
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
