import type { TSchema } from "typebox";

/** A parameter of a query that takes several values. */
interface ListParameter {
  readonly name: string;
  /** A value may contain a comma, so that only one that is not encoded separates. */
  readonly isFreeText: boolean;
}

/** Returns the parameters of an endpoint's query whose values are lists. */
export function listParametersOf(query: TSchema): ListParameter[] {
  const { properties = {} } = query as { properties?: Record<string, { type?: unknown; items?: Item }> };
  return Object.entries(properties)
    .filter(([, { type }]) => type === "array")
    .map(([name, { items }]) => ({ name, isFreeText: mayHaveComma(items) }));
}

type Item = { readonly enum?: unknown; readonly pattern?: string };

/** Whether a value with this schema may contain a comma: one of a list of values, or an id, does not. */
function mayHaveComma({ enum: values, pattern }: Item = {}): boolean {
  if (values !== undefined) return false;
  return pattern === undefined || new RegExp(pattern, "u").test("a,b");
}

/**
 * Replaces the texts of list parameters by lists of their values: `status=draft,exported`. Only the raw address shows
 * which commas separate: in a value that may contain one, such as a tag, a comma is sent as `%2C`.
 */
export function splitLists(query: Record<string, unknown>, url: string, lists: readonly ListParameter[]): void {
  for (const { name, isFreeText } of lists) {
    const text = query[name];
    if (typeof text !== "string") continue;
    query[name] = isFreeText && text.includes(",") ? rawValue(url, name).split(",").map(decoded) : text.split(",");
  }
}

/** Returns the text of a parameter as it is in the address. */
function rawValue(url: string, name: string): string {
  const parts = url.slice(url.indexOf("?") + 1).split("&");
  const part = parts.find((part) => decoded(part.split("=", 1)[0] ?? "") === name) ?? "";
  return part.slice(part.indexOf("=") + 1);
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll("+", " "));
