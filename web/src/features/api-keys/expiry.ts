const DAY_MS = 86_400_000;

/** How long a new key may be valid, in days. */
const DAYS = { days7: 7, days30: 30, days90: 90, days365: 365 } as const;

export type Expiry = keyof typeof DAYS | "date" | "never";

/**
 * Returns when a key expires, in ISO 8601; null: never. `lastDay` is a day such as 2027-01-31, at the end of which the
 * key expires where the reader is. Returns undefined if that is no day.
 */
export function expiryOf(choice: Expiry, lastDay: string, now = Date.now()): string | null | undefined {
  if (choice === "never") return null;
  if (choice !== "date") return new Date(now + DAYS[choice] * DAY_MS).toISOString();
  const end = new Date(`${lastDay}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

export type KeyState = "valid" | "expired" | "revoked";

export function stateOf(
  { revokedAt, expiresAt }: { readonly revokedAt: string | null; readonly expiresAt: string | null },
  now = Date.now(),
): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && Date.parse(expiresAt) <= now ? "expired" : "valid";
}
