import type { ClipboardEvent } from "react";

/** Whether a change pasted or dropped a text, or left some of a pasted one. */
export function isPastedIn(
  { nativeEvent, currentTarget }: { readonly nativeEvent: Event; readonly currentTarget: { readonly value: string } },
  wasPasted: boolean,
): boolean {
  const { inputType } = nativeEvent as InputEvent;
  return inputType === "insertFromPaste" || inputType === "insertFromDrop" || (wasPasted && currentTarget.value !== "");
}

/**
 * Pastes cells that are below each other with spaces between them. Browsers would leave out the ends of lines, and make one
 * number of all.
 */
export function pasteApart(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData("text").trim();
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  const { currentTarget: input } = event;
  const { selectionStart, selectionEnd, value } = input;
  input.setRangeText(text.replace(/\s*[\r\n]\s*/g, " "), selectionStart ?? 0, selectionEnd ?? value.length, "end");
  input.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" }));
}
