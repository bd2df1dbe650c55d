import type { ClipboardEvent, KeyboardEvent } from "react";

/** Keys that change nothing by themselves. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);

/**
 * Keeps keys, and texts that are pasted, while the input that they are for is under way, and presses them in their order
 * where the focus is then.
 */
export class HeldKeys {
  private held: (() => void)[] = [];
  private text = "";
  private isWaiting = false;
  private isReleasing = false;
  /** Whether the event that arrives is one of those that were kept. */
  private isPressing = false;

  /** Keeps what follows, until `release` or `end`. */
  begin(): void {
    this.isWaiting = true;
  }

  /** Keeps nothing any more, and returns the letters that were kept. */
  end(): string {
    const { text } = this;
    this.isWaiting = false;
    this.held = [];
    this.text = "";
    return text;
  }

  /** Presses what was kept, with what follows meanwhile. */
  async release(): Promise<void> {
    this.isWaiting = false;
    if (this.isReleasing) return;
    this.isReleasing = true;
    for (let press = this.held.shift(); press; press = this.isWaiting ? undefined : this.held.shift()) {
      this.isPressing = true;
      press();
      this.isPressing = false;
      // What it does shows before the next one is pressed.
      await new Promise((resolve) => setTimeout(resolve));
    }
    if (!this.isWaiting) this.text = "";
    this.isReleasing = false;
  }

  /** Keeps a key, if one is to be kept, so that nothing else takes it. */
  readonly takeKey = (event: KeyboardEvent): void => {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey } = event;
    const isPasting = (ctrlKey || metaKey) && key.toLowerCase() === "v";
    if (MODIFIERS.has(key) || isPasting) return;
    const isLetter = key.length === 1 && !ctrlKey && !metaKey;
    const init = { key, code, shiftKey, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true };
    this.take(event, isLetter ? key : "", () => {
      const isTaken = !focused().dispatchEvent(new window.KeyboardEvent("keydown", init));
      if (isTaken) return;
      if (isLetter) insert(key, "insertText");
      else if (key === "Backspace") insert("", "deleteContentBackward");
    });
  };

  /** Keeps a text that is pasted, if it is to be kept. */
  readonly takePaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text");
    this.take(event, text, () => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      const init = { clipboardData, bubbles: true, cancelable: true };
      if (focused().dispatchEvent(new window.ClipboardEvent("paste", init)))
        insert(text.replace(/[\r\n]+/g, ""), "insertFromPaste");
    });
  };

  private take(event: KeyboardEvent | ClipboardEvent, text: string, press: () => void): void {
    if (this.isPressing || !(this.isWaiting || this.isReleasing)) return;
    event.preventDefault();
    event.stopPropagation();
    this.held.push(press);
    this.text += text;
  }
}

const focused = () => document.activeElement ?? document.body;

/** Does in an input what the browser does for a key: a key that is pressed by a page does not. */
function insert(text: string, inputType: string): void {
  const input = focused();
  if (!(input instanceof HTMLInputElement)) return;
  const { selectionStart, selectionEnd, value } = input;
  const end = selectionEnd ?? value.length;
  const start = selectionStart ?? end;
  const last = [...value.slice(0, start)].at(-1)?.length ?? 0;
  input.setRangeText(text, text === "" && start === end ? start - last : start, end, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType, data: text }));
}
