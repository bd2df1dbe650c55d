const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * Returns `text` if it has at most `length` UTF-16 units; otherwise its start with an ellipsis, of this length in all.
 * Characters that are shown as one are not split. Trackers count UTF-16 units or code points: of the latter there are
 * never more.
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text.slice(0, length + 100))) {
    if (index + segment.length > length - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").trim();
