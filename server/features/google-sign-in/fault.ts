import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";

/** What may be logged about a failure: errors of the OpenID client contain codes, tokens and claims, which may not. */
export function faultOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    return { message: error.message, response: error.error.slice(0, 100) };
  }
  if (!(error instanceof Error)) return { message: "unknown" };
  const code = codeOf(error) ?? codeOf(error.cause);
  return { message: error.message, ...(code ? { code } : {}) };
}

/** Returns whether the provider was unreachable or unable to respond, so that a later try may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AuthorizationResponseError) {
    return error.error === "server_error" || error.error === "temporarily_unavailable";
  }
  if (error instanceof ResponseBodyError) return error.status >= 500;
  if (error instanceof ClientError) {
    if (error.code === "OAUTH_TIMEOUT") return true;
    return error.cause instanceof Response && error.cause.status >= 500;
  }
  // What `fetch` throws if the connection fails; the cause is the system's error.
  return error instanceof TypeError && error.cause !== undefined && codeOf(error) === undefined;
}

function codeOf(value: unknown): string | undefined {
  const code = value instanceof Error && "code" in value ? value.code : undefined;
  return typeof code === "string" ? code : undefined;
}
