import { makeSecret } from "../../server/platform/webhook-signature.ts";
import { type VerifyOptions, verify, WebhookVerificationError } from "../index.ts";
import { DELIVERY_ID, type Delivery, SENT_AT_MS, sign } from "./deliveries.ts";

export const secret = makeSecret();
/** A delivery with a bare body. */
export const generated = (): Delivery =>
  sign("estimation.tasks_generated", '{"estimationId":"est_1","taskCount":3}', secret);
/** The same in an envelope. */
export const envelope = (): Delivery =>
  sign(
    "estimation.tasks_generated",
    JSON.stringify({
      id: DELIVERY_ID,
      event: "estimation.tasks_generated",
      createdAt: "2026-01-31T09:29:59.000Z",
      data: { estimationId: "est_1", taskCount: 3 },
    }),
    secret,
  );

/** The clock, `seconds` after the deliveries were signed. */
export const at = (seconds: number): VerifyOptions => ({ now: () => new Date(SENT_AT_MS + seconds * 1000) });
export const check = (delivery: Delivery, options: VerifyOptions = at(0)) =>
  verify(delivery.body, delivery.headers, delivery.secret, options);

/** The code with which a verification is refused, any other error, or what was accepted. */
export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (event) => ({ accepted: event }),
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : error),
  );

/** `delivery` with headers set, or left out where they are undefined. */
export function withHeaders(delivery: Delivery, changed: Record<string, string | undefined>): Delivery {
  const headers = Object.entries({ ...delivery.headers, ...changed }).filter(([, value]) => value !== undefined);
  return { ...delivery, headers: Object.fromEntries(headers) as Record<string, string> };
}

/** `delivery` with nothing but the specified headers. */
export const timeless = (delivery: Delivery): Delivery =>
  withHeaders(delivery, { "webhook-id": undefined, "webhook-timestamp": undefined, "webhook-signature": undefined });
