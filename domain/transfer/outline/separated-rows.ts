/** A row of separated values, and the line where it begins. */
export interface SeparatedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Yields the rows of separated values. A cell in quotation marks may have separators, lines and doubled quotation marks. */
export function* separatedRows(text: string, separator: string): Generator<SeparatedRow> {
  const whole = text.replace(/\r\n?/g, "\n");
  let line = 1;
  let at = 0;
  /** Behind a quotation mark without an end, they are characters as any others. */
  let hasQuotes = true;
  while (at <= whole.length) {
    const end = endOf(whole, "\n", at);
    const cells: string[] = [];
    let [lines, stop] = [1, end];
    while (at <= stop) {
      const quoted = hasQuotes && whole.charAt(at) === '"' ? quotedAt(whole, at) : null;
      if (hasQuotes && whole.charAt(at) === '"' && quoted === null) hasQuotes = false;
      if (quoted !== null && quoted.end > stop) stop = endOf(whole, "\n", quoted.end);
      const from = quoted === null ? at : quoted.end;
      const close = Math.min(indexWithin(whole, separator, from, stop), stop);
      cells.push((quoted === null ? "" : quoted.value) + whole.slice(from, close));
      if (quoted !== null) lines += quoted.value.split("\n").length - 1;
      at = close + 1;
    }
    yield { line, cells };
    line += lines;
    at = stop + 1;
  }
}

function endOf(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

/** Searches within a line only: a separator that is rare would be sought in all of the text again and again. */
function indexWithin(text: string, separator: string, from: number, stop: number): number {
  for (let at = from; at < stop; at += 1) if (text.charAt(at) === separator) return at;
  return stop;
}

function quotedAt(text: string, at: number): { readonly value: string; readonly end: number } | null {
  let from = at + 1;
  let value = "";
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0) return null;
    value += text.slice(from, close);
    if (text.charAt(close + 1) !== '"') return { value, end: close + 1 };
    value += '"';
    from = close + 2;
  }
}
