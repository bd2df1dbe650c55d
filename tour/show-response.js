/**
 * `curl -i … | node tour/show-response.js ETag estimation.title`: prints of an response, from standard input, the status, the named
 * headers and the named parts of its data, a line each; of a refusal what it says. Runs on any Node.js, as the commands of
 * docs/tour.md do.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LONGEST_TEXT = 72;
/** Entries of a list that are shown. */
const FIRST = 2;

/**
 * Returns the lines to show of an response.
 *
 * @param {string} text the response as curl -i prints it
 * @param {readonly string[]} names headers, which begin with a capital letter, and paths in `data`: one that leads through a
 *   list names that part of each entry
 * @returns {string[]}
 */
export function responseLines(text, names) {
  const [head = "", body = ""] = text.split("\r\n\r\n").slice(-2);
  const [status = "", ...headers] = head.split("\r\n");
  const { data, ...rest } = JSON.parse(body);
  const told = rest.success
    ? names.map((name) => [name, /^[A-Z]/.test(name) ? headerIn(headers, name) : partOf(data, name.split("."))])
    : Object.entries(rest).filter(([name]) => ["message", "hint", "details", "errors"].includes(name));
  return [
    status.trim(),
    ...told.map(([name, value]) => `${name}: ${typeof value === "string" ? cut(value) : shown(value)}`),
  ];
}

/** @returns {string} */
const headerIn = (headers, name) =>
  headers.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2) ?? "";

function partOf(value, [name, ...path]) {
  if (name === undefined) return value;
  if (Array.isArray(value) && name !== "length") return value.flatMap((entry) => partOf(entry, [name, ...path]));
  return partOf(value?.[name], path);
}

/** @returns {string} */
function shown(value) {
  if (!Array.isArray(value)) return JSON.stringify(typeof value === "string" ? cut(value) : value);
  const rest = value.length - FIRST;
  return [...value.slice(0, FIRST).map(shown), ...(rest > 0 ? [`… ${rest} more`] : [])].join(", ");
}

const cut = (text) => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).trimEnd()}…` : text);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(responseLines(readFileSync(0, "utf8"), process.argv.slice(2)).join("\n"));
}
