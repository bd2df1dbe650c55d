import { keptName } from "../../api/kept-texts.ts";

/** What a user chose last in the palette, kept in this browser until they sign out. */
export interface Recent {
  readonly id: string;
  readonly label: string;
  readonly detail?: string | undefined;
  /** Where it leads; left out for a command, which shows only where it can be run. */
  readonly to?: string | undefined;
}

/** So many are kept. */
const RECENT_MOST = 12;

const nameOf = (userId: string): string => keptName(userId, "recent");

const isRecent = (value: unknown): value is Recent => {
  const { id, label, detail = "", to = "/" } = (value ?? {}) as Record<string, unknown>;
  // Only an address of this application: what is stored may have been written by something else.
  const isAddress = typeof to === "string" && /^\/(?![/\\])/.test(to);
  return typeof id === "string" && typeof label === "string" && typeof detail === "string" && isAddress;
};

/** Returns what the user chose, the last first. */
export function readRecent(userId: string): readonly Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(nameOf(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent).slice(0, RECENT_MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps what the user chose as the last. */
export function keepRecent(userId: string, { id, label, detail, to }: Recent): void {
  const others = readRecent(userId).filter((one) => one.id !== id);
  try {
    const kept = [{ id, label, detail, to }, ...others].slice(0, RECENT_MOST);
    localStorage.setItem(nameOf(userId), JSON.stringify(kept));
  } catch {
    // Where storage is full or forbidden, nothing is kept.
  }
}
