import type { FaultKind } from "../trackers/faults.ts";
import type { Done } from "../trackers/server.ts";

export const words = (status: number, message: string, headers: Record<string, string> = {}): Done => ({
  status,
  json: { message, documentation_url: "https://docs.github.com/rest", status: String(status) },
  headers,
});

interface Headers {
  readonly retryAfterSeconds: number;
  /** Headers which say that the budget of this hour is used up. */
  readonly usedUp: Record<string, string>;
}

/** Returns the response with which a fault refuses a request; null: it does not refuse. */
export function refusalOf(fault: FaultKind | null, { retryAfterSeconds, usedUp }: Headers): Done | "reset" | null {
  const retry = { "retry-after": String(retryAfterSeconds) };
  switch (fault) {
    case "error_before":
      return words(500, "Server Error");
    case "unavailable":
      return words(503, "Service Unavailable", retry);
    case "reset_before":
      return "reset";
    case "retry_after_429":
      return words(429, "Too many requests", retry);
    case "retry_after_403":
      return words(
        403,
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        retry,
      );
    case "used_up":
      return words(403, "API rate limit exceeded for user ID 1.", usedUp);
    case "secondary":
      return words(
        403,
        "You have exceeded a secondary rate limit and have been temporarily blocked from content creation.",
      );
    case "too_quickly":
      return {
        ...words(422, "Validation Failed"),
        json: {
          message: "Validation Failed",
          errors: [{ resource: "Issue", code: "unprocessable", field: "data", message: "was submitted too quickly" }],
        },
      };
    case "invalid":
      return words(422, "Validation Failed");
    case "unauthorized":
      return words(401, "Bad credentials");
    default:
      return null;
  }
}
