/** The secret that signs the examples. No webhook uses it. */
export const EXAMPLE_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD4Ho5HRPLu3A=";

/** The headers of a delivery that a receiver reads, with their meaning. */
export const deliveryHeaders = {
  "X-Service-Event": { description: "Name of the event" },
  "X-Service-Delivery": {
    description: "Id of the delivery, the same on every attempt, so that a receiver can recognise duplicates",
  },
  "X-Service-Signature": {
    description: "`sha256=` and the HMAC-SHA256 of the body in hexadecimal, keyed with the secret as it was shown",
  },
  "webhook-id": {
    description: "The same as `X-Service-Delivery`, as Standard Webhooks names it",
  },
  "webhook-timestamp": { description: "When the attempt began, in seconds since 1970" },
  "webhook-signature": {
    description:
      "Signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 in base64 of id, timestamp and body, joined by full stops",
  },
} as const;

export type DeliveryHeader = keyof typeof deliveryHeaders;
