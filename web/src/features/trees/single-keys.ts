const NAME = "single-keys";

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
    // It is valid until the page is left.
  }
}
