/** The headers of a delivery that a receiver reads, with their meaning. */
export const deliveryHeaders = {
  "X-Service-Event": { description: "Name of the event", example: "webhook.test" },
  "X-Service-Delivery": {
    description: "Id of the delivery, the same on every attempt: what was received before can be recognised by it",
    example: "wd_01k6z0c9v3e8rbt5w2yq4nmhxd",
  },
  "X-Service-Signature": {
    description: "`sha256=` and the HMAC-SHA256 of the body in hexadecimal, keyed with the secret as it was shown",
    example: "sha256=6c5f1f3a5e1b1d1d8b2f5a0f0f5b7c9e1a2d3c4b5a69788796a5b4c3d2e1f00f",
  },
  "webhook-id": {
    description: "The same as `X-Service-Delivery`, as Standard Webhooks names it",
    example: "wd_01k6z0c9v3e8rbt5w2yq4nmhxd",
  },
  "webhook-timestamp": { description: "When the attempt began, in seconds since 1970", example: "1769851800" },
  "webhook-signature": {
    description:
      "Signatures of Standard Webhooks, separated by spaces: `v1,` and the HMAC-SHA256 in base64 of id, timestamp and body, joined by full stops",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
} as const;

export type DeliveryHeader = keyof typeof deliveryHeaders;
