import { isEscaped } from "../outline-text.ts";

/** Emphasis in Markdown and Org, the longest first. */
const EMPHASES = ["***", "___", "**", "__", "*", "_"];
const EMPTY_BOX = /^[☐□▢]\uFE0F?\s+/u;
const FULL_BOX = /^[☑☒✓✔✅]\uFE0F?\s+/u;
const BOX = /^\[[ xX]\] +/;

/** Returns the text of an item as outlines of the service have it, whatever program wrote it. */
export function tidied(written: string): string {
  const boxed = written.replace(EMPTY_BOX, "[ ] ").replace(FULL_BOX, "[x] ");
  const [box = ""] = BOX.exec(boxed) ?? [];
  return box + withoutEmphasis(boxed.slice(box.length));
}

/** The signs of emphasis around a whole title go, also where its colon is within them. */
function withoutEmphasis(text: string): string {
  const sign = EMPHASES.find((each) => text.startsWith(each));
  if (sign === undefined) return text;
  const end = text.indexOf(sign, sign.length);
  if (end <= sign.length || isEscaped(text, end)) return text;
  const inner = text.slice(sign.length, end);
  const rest = text.slice(end + sign.length);
  const isWhole = /^\s*(?:$|[:：(])/u.test(rest) || /[:：]$/u.test(inner);
  return isWhole && inner.trim() === inner ? inner + rest : text;
}
