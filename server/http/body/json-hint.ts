/** Bytes of text that are searched for the cause: a hint must not take much time from others. */
const SEARCHED = 64 * 1024;

/**
 * Patterns that show the cause if they are outside of a text: a comma before a closing bracket, a single quote, a
 * comment, a word. Complete texts are matched first, so that their content is not taken for structure; a lone double
 * quote is a text without an end, after which nothing can be recognised.
 */
const CAUSE =
  /"(?:[^"\\\n]|\\.)*"|(?<=:\s*-?\d+),\d+(?=\s*[,}\]])|,(?=\s*[}\]])|'|\/[/*]|(?<![\w.])[A-Za-z_$][\w$]*|"/g;

/** Words of programming languages, and what JSON uses instead. */
const WORDS: Readonly<Record<string, string>> = {
  True: "write true, not True.",
  False: "write false, not False.",
  None: "write null, not None.",
  undefined: "JSON has no undefined: write null, or leave the field out.",
  NaN: "JSON has no NaN: write a number or null.",
  Infinity: "JSON has no Infinity: write a number or null.",
};

const QUOTES = 'put names and texts in double quotes, and write \\" for a double quote in a text.';

/** What usually helps if `text` is not JSON: the cause with its line, or the parser's message about the position. */
export function hintForJson(text: string, parserMessage: string): string | undefined {
  if (text.startsWith("\ufeff")) return "The body begins with a byte order mark (BOM): send it without one.";
  const start = text.slice(0, SEARCHED);
  if (/^\s*[\w.%+-]+=/.test(start)) return 'Send JSON, such as {"name": "value"}, not the fields of a form.';
  for (const match of start.matchAll(CAUSE)) {
    const isCut = start.length < text.length && match.index + match[0].length === start.length;
    if (match[0] === '"' || isCut) break;
    const advice = adviceFor(match[0]);
    if (advice === undefined) continue;
    const line = start.slice(0, match.index).split("\n").length;
    return `Line ${line}: ${advice}`;
  }
  // Its other messages quote the body, which may contain a secret.
  const [, cause, at, line] = /^([^"]+?)(?: in JSON)? at position (\d+) \(line (\d+) /.exec(parserMessage) ?? [];
  if (Number(at) === text.length || parserMessage === "Unexpected end of JSON input")
    return "The body ends before its JSON does.";
  return cause === undefined ? undefined : `Line ${line}: ${cause}.`;
}

function adviceFor(part: string): string | undefined {
  if (/^,\d/.test(part)) return "write numbers with a point, such as 1.5 instead of 1,5.";
  if (part === ",") return "leave out the comma before the closing bracket.";
  if (part === "'") return "put names and texts in double quotes, not in single ones.";
  if (part.startsWith("/")) return "JSON has no comments.";
  if (part.startsWith('"') || part === "true" || part === "false" || part === "null") return undefined;
  return Object.hasOwn(WORDS, part) ? WORDS[part] : QUOTES;
}
