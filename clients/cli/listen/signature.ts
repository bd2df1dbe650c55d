import { createHmac, timingSafeEqual } from "node:crypto";

/** The parts of a request that a receiver gets, and what it needs to check it. */
export interface Signed {
  /** The body's bytes, before anything has parsed them. */
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The webhook's secret as it was given out, `whsec_` included. */
  readonly secret: string;
  readonly now: Date;
}

const TOLERANCE_SECONDS = 300;

/**
 * Judges a webhook request as a receiver does, by both of its signatures, with nothing of the service's own code. Returns
 * what is wrong with it, or null where it is genuine and fresh.
 */
export function faultOf({ body, headers, secret, now }: Signed): string | null {
  const own = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  if (!equal(headers["x-service-signature"], own)) return "X-Service-Signature does not match the body";

  // Standard Webhooks: the key is what the secret encodes, and the id and the time are signed as well.
  const { "webhook-id": id = "", "webhook-timestamp": timestamp = "", "webhook-signature": given = "" } = headers;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  if (!given.split(" ").some((signature) => equal(signature, `v1,${signed}`)))
    return "webhook-signature does not match";
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  return ageSeconds <= TOLERANCE_SECONDS ? null : "webhook-timestamp is too far from now";
}

function equal(given: string | undefined, wanted: string): boolean {
  const [left, right] = [Buffer.from(given ?? ""), Buffer.from(wanted)];
  return left.length === right.length && timingSafeEqual(left, right);
}
