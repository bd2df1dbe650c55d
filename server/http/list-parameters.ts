import type { TSchema } from "typebox";

/** A parameter of a query that takes several values. */
interface ListParameter {
  readonly name: string;
  /** No value has a comma of its own, so that an encoded one separates as well. */
  readonly isChoice: boolean;
}

/** Returns the parameters of a row's query whose values are lists. */
export function listParametersOf(query: TSchema): ListParameter[] {
  const { properties = {} } = query as { properties?: Record<string, { type?: unknown; items?: { enum?: unknown } }> };
  return Object.entries(properties)
    .filter(([, { type }]) => type === "array")
    .map(([name, { items }]) => ({ name, isChoice: items?.enum !== undefined }));
}

/**
 * Replaces the texts of list parameters by lists of their values: `status=draft,exported`. Only the raw address shows
 * which commas separate: in a value that may have any character, such as a tag, a comma is sent as `%2C`.
 */
export function splitLists(query: Record<string, unknown>, url: string, lists: readonly ListParameter[]): void {
  for (const { name, isChoice } of lists) {
    const text = query[name];
    if (typeof text !== "string") continue;
    query[name] = isChoice || !text.includes(",") ? text.split(",") : rawValue(url, name).split(",").map(decoded);
  }
}

/** Returns the text of a parameter as it is in the address. */
function rawValue(url: string, name: string): string {
  const parts = url.slice(url.indexOf("?") + 1).split("&");
  const part = parts.find((part) => decoded(part.split("=", 1)[0] ?? "") === name) ?? "";
  return part.slice(part.indexOf("=") + 1);
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
