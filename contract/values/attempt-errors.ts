/** Why an attempt failed. These names do not change. */
export const attemptErrors = {
  timeout: "No complete response within the timeout",
  no_usable_address:
    "The host name could not be resolved, or deliveries may not go to its address or port; nothing was sent",
  connection_refused: "Nothing listens at the address",
  connection_failed: "The connection could not be made, or broke before the response came",
  certificate: "The certificate is not valid for the host, or not trusted",
  tls: "The TLS handshake failed",
  invalid_response: "The response is not HTTP, or its headers are too large",
  redirect: "The response was a redirect, which is never followed",
  status: "The response's status was not 2xx",
  webhook_inactive: "The webhook was deactivated meanwhile; nothing was sent",
  interrupted:
    "This service was stopped or crashed meanwhile; it is not known whether the request arrived. It does not count against the allowed attempts",
  internal: "A fault of this service; nothing was sent",
} as const;
export type AttemptError = keyof typeof attemptErrors;
