/**
 * The headers of a request: `Headers`, another object with `get`, or an object from names in any case to values, as in
 * Node.js, Express, Fastify and AWS Lambda.
 */
export type WebhookHeaders =
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** Finds a header by its name in lower case; undefined if it is missing. */
export type ReadHeader = (name: string) => string | undefined;

const isReader = (headers: WebhookHeaders): headers is { get(name: string): string | null | undefined } =>
  typeof headers.get === "function";

/**
 * Values of a name that is there several times are joined by a comma and a space, as `Headers` does it. No header of a
 * delivery is such a list, so a second value beside the right one makes it wrong. The one exception accepts nothing
 * that was not signed: of the signatures, separated by spaces, one must be right, and the last of the joined ones is
 * whole.
 */
export function headerReader(headers: WebhookHeaders): ReadHeader {
  if (typeof headers !== "object" || headers === null) {
    throw new TypeError("verify needs the headers of the request, as Headers or as an object");
  }
  if (isReader(headers)) return (name) => headers.get(name) ?? undefined;
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const before = values.get(key);
    const text = typeof value === "string" ? value : value.join(", ");
    values.set(key, before === undefined ? text : `${before}, ${text}`);
  }
  return (name) => values.get(name);
}
