/** The parts of a request that are in its URL. */
export interface UrlParts {
  readonly params?: unknown;
  readonly query?: unknown;
}

/** Returns the path of a request with its query: lists are separated by commas, and what is undefined is left out. */
export function urlOf(pattern: string, { params, query }: UrlParts): string {
  const values = (params ?? {}) as Record<string, string>;
  const path = pattern.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  const given = Object.entries((query ?? {}) as object).filter(([, value]) => value !== undefined);
  const search = given.map(([name, value]) => `${name}=${[value].flat().map(encodeURIComponent).join(",")}`);
  return search.length === 0 ? path : `${path}?${search.join("&")}`;
}
