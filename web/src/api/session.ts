import { useSyncExternalStore } from "react";
import { limits } from "../../../contract/limits.ts";

/** The signed-in user, the same in all tabs: `docs/decisions/session-storage.md`. */
export interface Session {
  readonly token: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly isVerified: boolean;
  readonly isAdministrator: boolean;
  /** When this browser received the token, in milliseconds of its own clock, which may differ from the server's. */
  readonly receivedAt: number;
}

const KEY = "estimation-session";
const LIFETIME_MS = limits.sessionSeconds * 1_000;

export const ageOf = ({ receivedAt }: Session): number => Date.now() - receivedAt;

function read(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(KEY) ?? "null") as Session | null;
    return session !== null && ageOf(session) < LIFETIME_MS ? session : null;
  } catch {
    return null;
  }
}

let current = read();
/** Whether storage has it, as far as this tab knows. */
let isStored = true;
let endedBecause: "signed-out" | "expired" = "signed-out";
const listeners = new Set<() => void>();

function change(next: Session | null): void {
  current = next;
  for (const listener of listeners) listener();
}

// Another tab signed in or out, or renewed the token.
addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) change(read());
});

export const currentSession = (): Session | null => current;

/** Why the last session ended, for the page that asks to sign in again. */
export const reasonOfEnd = (): typeof endedBecause => endedBecause;

/** Reads what another tab may have stored a moment ago, whose notice has not arrived yet. */
export function rereadSession(): Session | null {
  if (!isStored) return current;
  const stored = read();
  if (stored?.token !== current?.token) change(stored);
  return current;
}

export function keepSession(session: Session): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(session));
    isStored = true;
  } catch {
    isStored = false;
    // Storage is full or forbidden: the session then lasts until this tab is closed.
  }
  change(session);
}

export function endSession(because: typeof endedBecause): void {
  endedBecause = because;
  try {
    localStorage.removeItem(KEY);
  } catch {}
  change(null);
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, currentSession);
