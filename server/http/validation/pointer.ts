/** Returns a JSON pointer (RFC 6901) made of its parts. */
export const pointer = (parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
