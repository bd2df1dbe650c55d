import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { DeliveryHeader } from "../../contract/values/delivery-headers.ts";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** Returns a new signing secret, in the format of Standard Webhooks. */
export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

/** A secret, ready to sign with. */
export interface SigningKeys {
  /** The secret as shown to the user. */
  readonly own: KeyObject;
  /** The bytes that it encodes. */
  readonly standard: KeyObject;
}

export const signingKeys = (secret: string): SigningKeys => ({
  own: createSecretKey(secret, "utf8"),
  standard: createSecretKey(secret.slice(PREFIX.length), "base64"),
});

type SignatureHeader = Exclude<DeliveryHeader, "X-Service-Event" | "X-Service-Delivery">;

export interface Signed {
  readonly deliveryId: string;
  /** When the attempt starts. */
  readonly at: Date;
  /** The bytes to send. */
  readonly body: string;
  /** The current secret, then the replaced ones that still sign, the newest first. */
  readonly keys: readonly [SigningKeys, ...SigningKeys[]];
}

/**
 * Returns the headers that let a receiver check who sent a body and when: the service's own signature, keyed with the
 * secret as shown to the user, and those of Standard Webhooks 1.0, keyed with the bytes that each secret encodes.
 */
export function signatureHeaders({ deliveryId, at, body, keys }: Signed): Record<SignatureHeader, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const content = `${deliveryId}.${timestamp}.${body}`;
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", keys[0].own).update(body).digest("hex")}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys
      .map(({ standard }) => `v1,${createHmac("sha256", standard).update(content).digest("base64")}`)
      .join(" "),
  };
}
