import { said } from "../words.ts";

/** Jira's response about one issue of a bulk request. */
export type BulkOutcome = { readonly outcome: "made" } | { readonly outcome: "refused"; readonly reason: string };

interface ElementError {
  readonly failedElementNumber?: unknown;
  readonly elementErrors?: unknown;
}

/**
 * Returns the outcome of each of `count` issues: which were refused, in Jira's words, by their number in the request; the
 * others were made. null: the response does not say so for each, so nothing is known.
 *
 * @param made issues that the response names
 */
export function outcomesOf(count: number, made: number, errors: readonly unknown[]): readonly BulkOutcome[] | null {
  const refused = refusalsIn(count, made, errors);
  if (refused.size !== errors.length || made + refused.size !== count) return null;
  return Array.from({ length: count }, (_, at) => {
    const reason = refused.get(at);
    return reason === undefined ? { outcome: "made" } : { outcome: "refused", reason };
  });
}

/**
 * Returns Jira's words for each issue whose refusal has its number. Empty where issues and errors are not as many as were sent:
 * such a response is invalid.
 *
 * @param made issues that the response names
 */
export function refusalsIn(count: number, made: number, errors: readonly unknown[]): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  if (made + errors.length !== count) return refused;
  for (const error of errors) {
    const { failedElementNumber: number, elementErrors } = (error ?? {}) as ElementError;
    if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number < count)
      refused.set(number, reasonIn(elementErrors));
  }
  return refused;
}

/** Returns Jira's words in an error: those about the whole, then those about each field. */
export function reasonIn(error: unknown): string {
  const { errorMessages, errors } = (error ?? {}) as { errorMessages?: unknown; errors?: unknown };
  const general = (Array.isArray(errorMessages) ? errorMessages : []).filter((one) => typeof one === "string");
  const byField = typeof errors === "object" && errors !== null && !Array.isArray(errors) ? Object.entries(errors) : [];
  const words = [
    ...general,
    ...byField.map(([field, said]) => `${field}: ${typeof said === "string" ? said : JSON.stringify(said, flat)}`),
  ];
  return said(words.join("; ")) || "Jira gave no reason.";
}

/** Leaves out levels below the first: untrusted JSON may be too deep to be serialised. */
const flat = (name: string, value: unknown): unknown =>
  name === "" || typeof value !== "object" || value === null ? value : "…";
