import { useSyncExternalStore } from "react";

const NAME = "single-keys";
const listeners = new Set<() => void>();

/**
 * Whether keys without Ctrl or Alt do something by themselves: `?`, `/`, and typing into a cell. Those who speak to their
 * computer, or often touch a key by accident, switch them off; kept in this browser.
 */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(NAME) !== "off";
  } catch {
    return true;
  }
}

export function keepSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, "off");
  } catch {
    // Where storage is forbidden, they stay on.
  }
  for (const listener of listeners) listener();
}

function watch(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The same while a component shows. */
export const useSingleKeys = (): boolean => useSyncExternalStore(watch, hasSingleKeys);
