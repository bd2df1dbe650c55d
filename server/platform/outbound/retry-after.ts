import type { OutboundResponse } from "./failure.ts";

/**
 * Returns for how long a response asks for a pause by `Retry-After`, in milliseconds, never negative; null: it does not. The
 * header has seconds, or an HTTP date by the sender's clock, which may differ from ours: only the difference to the time of
 * the response counts. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs({ headers }: Pick<OutboundResponse, "headers">, now: Date): number | null {
  const text = headers["retry-after"]?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  const [at, date] = [httpDate(text), httpDate(headers.date?.trim() ?? "")];
  return at === null ? null : Math.max(0, at - (date ?? now.getTime()));
}

/** Only what looks like a date: `Date.parse` takes other texts as well, such as `-1` or `1.5`, as years. */
function httpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return null;
  // The oldest of the three forms has no zone, and means the same.
  const at = Date.parse(text.endsWith(" GMT") ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : at;
}
