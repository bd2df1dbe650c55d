/** Keys that change nothing by themselves. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);

/**
 * Holds keys that are pressed where `isHeld` says so, as what they need is not there yet; `release` presses them in their order.
 * Keys pressed meanwhile follow. Returns how to end it without pressing them.
 */
export function holdKeys(isHeld: (target: Element) => boolean, begin: () => Promise<unknown>): () => void {
  const held: KeyboardEvent[] = [];
  let isBegun = false;
  const press = (event: KeyboardEvent) => {
    const isOurs = event.isTrusted && event.target instanceof Element && (held.length > 0 || isHeld(event.target));
    if (!isOurs || MODIFIERS.has(event.key) || event.isComposing) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    held.push(event);
    if (isBegun) return;
    isBegun = true;
    // Also where it cannot be loaded: then what is pressed says so.
    void begin()
      .catch(() => {})
      .then(release);
  };
  const end = () => removeEventListener("keydown", press, true);
  const release = async () => {
    for (let event = held[0]; event; event = held[0]) {
      pressAgain(event);
      // What it does shows before the next one is pressed.
      await new Promise((resolve) => setTimeout(resolve));
      held.shift();
    }
    end();
  };
  addEventListener("keydown", press, true);
  return end;
}

/** Presses a key where the focus is now: nothing but a letter does more than its handlers do. */
function pressAgain({ key, code, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  const target = document.activeElement ?? document.body;
  const init = { key, code, shiftKey, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true };
  const isTaken = !target.dispatchEvent(new KeyboardEvent("keydown", init));
  if (isTaken || key.length > 1 || ctrlKey || metaKey || !(target instanceof HTMLInputElement)) return;
  const { selectionStart, selectionEnd, value } = target;
  target.setRangeText(key, selectionStart ?? value.length, selectionEnd ?? value.length, "end");
  target.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: key }));
}
