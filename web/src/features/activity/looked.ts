/** How far somebody has seen the activity of each estimation, kept in this browser for each user. */

/** The newest of what was seen: the number of an entry, and when the last edit was made, as the server says. */
export interface Looked {
  readonly number: number;
  readonly at: string;
}

/** Of how many estimations it is kept: those that were looked at last. */
const KEPT = 200;

const nameOf = (userId: string): string => `activity-looked ${userId}`;

function lookedBy(userId: string): Record<string, Looked> {
  try {
    return JSON.parse(localStorage.getItem(nameOf(userId)) ?? "{}") as Record<string, Looked>;
  } catch {
    // Storage can be forbidden, and what is stored can be damaged.
    return {};
  }
}

/** Returns how far the user has seen the activity of an estimation; null for not at all. */
export const lastLooked = (userId: string, id: string): Looked | null => lookedBy(userId)[id] ?? null;

/** Keeps how far the user has seen the activity of an estimation. */
export function keepLooked(userId: string, id: string, looked: Looked): void {
  const { [id]: _, ...others } = lookedBy(userId);
  const kept = [...Object.entries(others), [id, looked] as const].slice(-KEPT);
  try {
    localStorage.setItem(nameOf(userId), JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Then nothing is marked as new.
  }
}
