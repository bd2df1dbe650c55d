/** A place in a file whose line is asked for, or that is on the way to one. */
interface Place {
  /** By the name of the member, or its number in a list. */
  readonly members: Map<string, Place>;
  /** Where its value starts in the text; null if the text has no such value. */
  offset: number | null;
}

interface Container {
  readonly closing: "]" | "}";
  /** Null: nothing below is asked for. */
  readonly place: Place | null;
  /** Members so far. */
  count: number;
}

/**
 * Scans a JSON text without recursion, and notes the offsets of the places that are asked for. Names are read only beside
 * those, so that the work grows with the length of the text, however long names are and however deep they are nested.
 * Returns the offset of the first syntax error, or null if the text is JSON.
 */
function scan(text: string, root: Place | null): number | null {
  const stack: Container[] = [];
  let at = skipSpace(text, 0);
  let place = root;
  for (;;) {
    // A value starts here.
    if (place) place.offset = at;
    const first = text.charAt(at);
    if (first === "{" || first === "[") {
      stack.push({
        closing: first === "{" ? "}" : "]",
        place: place && place.members.size > 0 ? place : null,
        count: 0,
      });
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
      const start = at;
      if (top.closing === "}") {
        const end = text.charAt(at) === '"' ? endOfString(text, at) : null;
        if (end === null) return at;
        at = skipSpace(text, end);
        if (text.charAt(at) !== ":") return at;
        place = top.place?.members.get(JSON.parse(text.slice(start, end)) as string) ?? null;
        at = skipSpace(text, at + 1);
      } else {
        place = top.place?.members.get(String(top.count)) ?? null;
      }
      top.count += 1;
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
  const place = scan(text, null);
  return place === null ? null : (linesAt(text, [place])[0] ?? 1);
}

/**
 * Returns the line, counted from 1, where each JSON pointer's value starts in a JSON text. For a pointer to nothing,
 * such as a missing field, it is the line of the deepest existing value on its path.
 */
export function linesOf(text: string, pointers: readonly string[]): number[] {
  const root: Place = { members: new Map(), offset: null };
  const ways = pointers.map((pointer) => wayTo(root, pointer));
  scan(text, root);
  const deepest = ways.map((way) => way.findLast(({ offset }) => offset !== null)?.offset ?? 0);
  return linesAt(text, deepest);
}

/** Returns the places on the way to what a pointer names, outermost first, and adds those that are new. */
function wayTo(root: Place, pointer: string): Place[] {
  const way = [root];
  let place = root;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = place.members.get(name) ?? { members: new Map<string, Place>(), offset: null };
    place.members.set(name, next);
    way.push(next);
    place = next;
  }
  return way;
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
