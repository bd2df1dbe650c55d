/** Why a request is not a trustworthy delivery. */
export const REASONS = {
  missing_header: "A header that a delivery carries is not there",
  invalid_timestamp: "webhook-timestamp is not a number of seconds",
  timestamp_too_old: "It was signed too long ago: an old delivery sent again, or a clock that is fast here",
  timestamp_too_new: "It was signed in the future: a clock that is slow here",
  signature_mismatch:
    "No signature matches: the body is not byte for byte the one that was sent (parsed and serialised again?), " +
    "or the secret is another webhook's, or has been rotated",
  invalid_body: "The body is signed but is not a JSON object",
  id_mismatch: "The headers and the signed content name different deliveries",
  event_mismatch: "X-Service-Event names another event than the signed envelope",
  data_mismatch: "The body does not carry what the named event carries",
} as const;

/** The reasons of a refusal, in words that stay the same. */
export type WebhookVerificationCode = keyof typeof REASONS;

/** The request is not trustworthy: respond with 400 and do nothing. `code` gives the reason for programs. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, detail?: string) {
    super(detail === undefined ? REASONS[code] : `${REASONS[code]}: ${detail}`);
    this.code = code;
  }
}
