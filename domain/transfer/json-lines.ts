/**
 * Values nested deeper are scanned but not reported: no valid file is that deep, and the pointers would fill the
 * memory.
 */
const TOLD_DEPTH = 64;

interface Container {
  readonly closing: "]" | "}";
  readonly pointer: string;
  /** Members so far. */
  count: number;
}

/**
 * Scans a JSON text without recursion. Calls `visit` with the JSON pointer and the offset of each value down to
 * `TOLD_DEPTH`. Returns the offset of the first syntax error, or null if the text is JSON.
 */
function scan(text: string, visit: (pointer: string, place: number) => void): number | null {
  const stack: Container[] = [];
  let at = skipSpace(text, 0);
  let pointer = "";
  for (;;) {
    // A value starts here.
    if (stack.length <= TOLD_DEPTH) visit(pointer, at);
    const first = text.charAt(at);
    if (first === "{" || first === "[") {
      stack.push({ closing: first === "{" ? "}" : "]", pointer, count: 0 });
      at = skipSpace(text, at + 1);
    } else {
      const end = first === '"' ? endOfString(text, at) : endOfWord(text, at);
      if (end === null) return at;
      at = skipSpace(text, end);
    }
    // Close what ends here, until another member starts.
    for (;;) {
      const top = stack.at(-1);
      if (!top) return at < text.length ? at : null;
      if (text.charAt(at) === top.closing) {
        stack.pop();
        at = skipSpace(text, at + 1);
        continue;
      }
      if (top.count > 0) {
        if (text.charAt(at) !== ",") return at;
        at = skipSpace(text, at + 1);
      }
      let name = String(top.count);
      if (top.closing === "}") {
        const end = text.charAt(at) === '"' ? endOfString(text, at) : null;
        if (end === null) return at;
        name = (JSON.parse(text.slice(at, end)) as string).replaceAll("~", "~0").replaceAll("/", "~1");
        at = skipSpace(text, end);
        if (text.charAt(at) !== ":") return at;
        at = skipSpace(text, at + 1);
      }
      top.count += 1;
      pointer = stack.length <= TOLD_DEPTH ? `${top.pointer}/${name}` : "";
      break;
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}

/** Returns the offset after the string that starts at `from`; null if there is none. */
function endOfString(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return null;
    if (code !== 0x5c) continue;
    const isCode = /^u[0-9a-fA-F]{4}/.test(text.slice(at + 1, at + 6));
    if (!isCode && !'"\\/bfnrt'.includes(text.charAt(at + 1) || " ")) return null;
    at += isCode ? 5 : 1;
  }
  return null;
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Returns the offset after a number, true, false or null; null if there is none. */
function endOfWord(text: string, from: number): number | null {
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : null;
}

/** Returns the line, counted from 1, of the first syntax error in `text`; null if the text is JSON. */
export function lineOfSyntaxFault(text: string): number | null {
  const place = scan(text, () => {});
  return place === null ? null : (linesAt(text, [place])[0] ?? 1);
}

/**
 * Returns the line, counted from 1, where each JSON pointer's value starts in a JSON text. For a pointer to nothing,
 * such as a missing field, it is the line of the deepest existing value on its path.
 */
export function linesOf(text: string, pointers: readonly string[]): number[] {
  const wanted = new Set(pointers.flatMap(prefixesOf));
  const places = new Map<string, number>();
  scan(text, (pointer, place) => {
    if (wanted.has(pointer)) places.set(pointer, place);
  });
  const deepest = pointers.map((pointer) => places.get(prefixesOf(pointer).find((way) => places.has(way)) ?? "") ?? 0);
  return linesAt(text, deepest);
}

/** Returns a pointer and all its prefixes, longest first. */
function prefixesOf(pointer: string): string[] {
  const names = pointer.split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/"));
}

/** Returns the lines of several offsets in a text. */
function linesAt(text: string, places: readonly number[]): number[] {
  const lines = new Map<number, number>();
  let line = 1;
  let from = 0;
  for (const place of places.toSorted((a, b) => a - b)) {
    for (let at = text.indexOf("\n", from); at >= 0 && at < place; at = text.indexOf("\n", from)) {
      line += 1;
      from = at + 1;
    }
    lines.set(place, line);
  }
  return places.map((place) => lines.get(place) ?? 1);
}
