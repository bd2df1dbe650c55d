import { API_KEY_PREFIX } from "../actor.ts";
import { failWith } from "../failure.ts";
import { pointer } from "../pointer.ts";
import { isStorable } from "../storable.ts";
import { type Check, nothing, type Step } from "./step.ts";

/** Refuses (400) a query that breaks the row's schema; converts text to numbers and fills in defaults. */
export const checkQuery: Step<Check> = (endpoint, { validation }) => {
  const check = validation.query(endpoint.query ?? nothing);
  return (request) => {
    if (!isDecodable(request.url))
      failWith([{ path: "", in: "query", code: "wrong_format", message: "must be percent-encoded UTF-8" }]);
    const query = request.query as Record<string, unknown>;
    refuseKeys(query);
    check(query);
    for (const [name, value] of Object.entries(query)) {
      if (typeof value === "string" && !isStorable(value))
        failWith([
          { path: pointer([name]), in: "query", code: "unstorable", message: "must not hold a NUL character" },
        ]);
    }
  };
};

/** Returns whether the query of an address can be decoded; the parser leaves invalid escapes unchanged. */
function isDecodable(url: string): boolean {
  const at = url.indexOf("?");
  if (at < 0 || !url.includes("%", at)) return true;
  try {
    decodeURIComponent(url.slice(at));
    return true;
  } catch {
    return false;
  }
}

/**
 * Addresses are stored in histories, logs and referrers: an API key in one is refused without a look-up, and not
 * repeated in the response.
 */
function refuseKeys(query: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(query)) {
    const inName = name.includes(API_KEY_PREFIX);
    if (!inName && !String(value).includes(API_KEY_PREFIX)) continue;
    const message = "holds an API key, which belongs in the Authorization header only; rotate it";
    failWith([{ path: inName ? "" : pointer([name]), in: "query", code: "secret_in_address", message }]);
  }
}
