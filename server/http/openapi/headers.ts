import type { Json } from "../../../contract/portable.ts";

const text = (description: string, example: string): Json => ({ description, schema: { type: "string" }, example });

/** Headers of responses that several operations share. */
export const headers = {
  RateLimitPolicy: text("The limit: units (`q`) per window of so many seconds (`w`)", '"default";q=1200;w=60'),
  RateLimit: text("What is left of it: units (`r`), and seconds until the window ends (`t`)", '"default";r=1199;t=60'),
  RetryAfter: {
    description: "Seconds to wait before the request is sent again",
    schema: { type: "integer", minimum: 0 },
    example: 12,
  },
  IdempotentReplayed: {
    description: "Present if the response is the stored one of an earlier request with the same `Idempotency-Key`",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  RequestId: text("Names the request in the log", "1f6d1b0a-6a5c-4f0c-9a53-0d3f0f4a7f11"),
  ETag: text("The revision of the record, for `If-Match` and `If-None-Match`", '"6"'),
  WwwAuthenticate: text("How to authenticate", "Bearer"),
} as const;

const NAMES: Readonly<Record<keyof typeof headers, string>> = {
  RateLimitPolicy: "RateLimit-Policy",
  RateLimit: "RateLimit",
  RetryAfter: "Retry-After",
  IdempotentReplayed: "Idempotent-Replayed",
  RequestId: "X-Request-Id",
  ETag: "ETag",
  WwwAuthenticate: "WWW-Authenticate",
};

type HeaderKey = keyof typeof headers;

/** Returns the `headers` of a response: those of every response, and `more`. */
export const headersWith = (more: readonly HeaderKey[] = []): Json =>
  Object.fromEntries(
    (["RateLimitPolicy", "RateLimit", "RequestId", ...more] as const).map((key) => [
      NAMES[key],
      { $ref: `#/components/headers/${key}` },
    ]),
  );
