import { flushSync } from "react-dom";

/** Keys that change nothing by themselves. */
const MODIFIERS = new Set(["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead", "Process", "Unidentified"]);

/**
 * Keeps keys, and texts that are pasted, while the input that they are for is under way, and presses them in their order
 * where the focus is then.
 */
export class HeldKeys {
  private held: (() => void)[] = [];
  private text = "";
  /** What is under way: an input for the cell that is typed into, or a new line with one. */
  private awaited: "input" | "line" | null = null;
  /** Whether the event that arrives is one of those that were kept. */
  private isPressing = false;

  /** Keeps what follows, until `release` or `end`. */
  begin(awaited: "input" | "line"): void {
    this.awaited = awaited;
  }

  /** Keeps nothing any more, if this is what was awaited, and returns the letters that were kept. */
  end(awaited: "input" | "line"): string {
    if (this.awaited !== awaited) return "";
    const { text } = this;
    this.awaited = null;
    this.held = [];
    this.text = "";
    return text;
  }

  /** Presses what was kept, up to what something has to be waited for again. */
  async release(): Promise<void> {
    if (this.awaited === null) return;
    // What shows the input is over.
    await null;
    this.awaited = null;
    this.isPressing = true;
    while (this.awaited === null) {
      const press = this.held.shift();
      if (!press) break;
      // What it does shows before the next one is pressed.
      flushSync(press);
    }
    this.isPressing = false;
    if (this.awaited === null) this.text = "";
  }

  /** Takes what is pressed in an element, and where nothing has the focus; returns how to end that. */
  readonly watch = (within: HTMLElement): (() => void) => {
    const ended = new AbortController();
    const options = { capture: true, signal: ended.signal };
    const isOurs = ({ target }: Event) => target === document.body || within.contains(target as Node);
    addEventListener("keydown", (event) => isOurs(event) && this.takeKey(event), options);
    addEventListener("paste", (event) => isOurs(event) && this.takePaste(event), options);
    return () => ended.abort();
  };

  private takeKey(event: KeyboardEvent): void {
    const { key, code, shiftKey, ctrlKey, metaKey, altKey } = event;
    const isCommand = ctrlKey || metaKey;
    if (MODIFIERS.has(key) || (isCommand && key.toLowerCase() === "v")) return;
    const isLetter = key.length === 1 && !isCommand;
    const init = { key, code, shiftKey, ctrlKey, metaKey, altKey, bubbles: true, cancelable: true };
    this.take(event, isLetter ? key : "", () => {
      const isTaken = !focused().dispatchEvent(new KeyboardEvent("keydown", init));
      if (isTaken) return;
      if (isLetter) replace(key, "insertText");
      else if (key === "Backspace") replace("", "deleteContentBackward", -1);
      else if (key === "Delete") replace("", "deleteContentForward", 1);
      else if (isCommand && key.toLowerCase() === "a") inputAt()?.select();
    });
  }

  private takePaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData("text") ?? "";
    this.take(event, text, () => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", text);
      const init = { clipboardData, bubbles: true, cancelable: true };
      if (focused().dispatchEvent(new ClipboardEvent("paste", init)))
        replace(text.replace(/[\r\n]+/g, ""), "insertFromPaste");
    });
  }

  private take(event: Event, text: string, press: () => void): void {
    if (this.isPressing || this.awaited === null) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.held.push(press);
    this.text += text;
  }
}

const focused = () => document.activeElement ?? document.body;

const inputAt = (): HTMLInputElement | null => {
  const at = focused();
  return at instanceof HTMLInputElement ? at : null;
};

/**
 * Puts a text in the place of what is selected in an input, or of the character before (-1) or behind (1): a browser does
 * nothing of it for keys that a page presses.
 */
function replace(text: string, inputType: string, beside: -1 | 0 | 1 = 0): void {
  const input = inputAt();
  if (!input) return;
  const { selectionStart, selectionEnd, value } = input;
  let end = selectionEnd ?? value.length;
  let start = selectionStart ?? end;
  if (start === end && beside < 0) start -= [...value.slice(0, start)].at(-1)?.length ?? 0;
  if (start === end && beside > 0) end += [...value.slice(end)].at(0)?.length ?? 0;
  input.setRangeText(text, start, end, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType, data: text }));
}
