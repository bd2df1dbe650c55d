import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new signing secret, in the form of Standard Webhooks. */
export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString("base64");

export interface Signed {
  readonly deliveryId: string;
  /** When the attempt begins. */
  readonly at: Date;
  /** The bytes to send. */
  readonly body: string;
  /** The current secret. */
  readonly secret: string;
}

/**
 * The headers that let a receiver tell who sent a body and when: the service's own signature, keyed with the secret as it
 * was given out, and those of Standard Webhooks 1.0, keyed with the bytes that it encodes.
 */
export function signatureHeaders({ deliveryId, at, body, secret }: Signed): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  const standard = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.${body}`).digest("base64");
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard}`,
  };
}
