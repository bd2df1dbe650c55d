/** Bytes of text that are searched for the cause: a hint is worth little of others' time. */
const SEARCHED = 64 * 1024;

/** Texts in quotes, so that what stands in them is not taken for structure, and commas before a closing bracket. */
const TEXT_OR_TRAILING_COMMA = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g;

/** What usually helps where `text` is not JSON: the line of a comma too many, or what the parser says about its place. */
export function hintForJson(text: string, parserMessage: string): string | undefined {
  const start = text.slice(0, SEARCHED);
  for (const match of start.matchAll(TEXT_OR_TRAILING_COMMA)) {
    if (match[0] !== ",") continue;
    const line = start.slice(0, match.index).split("\n").length;
    return `Line ${line}: leave out the comma before the closing bracket.`;
  }
  // Its other messages quote the body, which may contain a secret.
  const [, cause, at, line] = /^([^"]+?)(?: in JSON)? at position (\d+) \(line (\d+) /.exec(parserMessage) ?? [];
  if (Number(at) === text.length || parserMessage === "Unexpected end of JSON input")
    return "The body ends before its JSON does.";
  return cause === undefined ? undefined : `Line ${line}: ${cause}.`;
}
