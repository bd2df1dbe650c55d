import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What belongs to others and is not published: it changes without notice, and what relies on it breaks, or does harm. */
const kinds: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a private table of graphile-worker", /\b_private_\w*/],
  ["an underscore property", /(?<!\bthis)\??\.\s*_[A-Za-z]\w*|\[\s*["'`]_[A-Za-z]\w*["'`]\s*\]/],
  ["the inner state of a stream", /\b_(?:readable|writable)State\b/],
  ["a function of Node.js's HTTP parser", /\bparserOn[A-Z]\w*/],
  ["a symbol that is found by its name", /\bgetOwnPropertySymbols\b|\bkOn[A-Z]\w*/],
  ["the removal of others' listeners", /\bremoveAllListeners\s*\(/],
  ["a method that is replaced", /\.(?:destroySoon|resume|connect)\s*=(?![=>])/],
  ["a method that is replaced", /\b[A-Z]\w*\.prototype(?:\.\w+|\[[^\]\n]+\])\s*=(?![=>])/],
  [
    "a method that is replaced",
    /\bObject\.(?:assign|defineProperty)\([^;]*?(?:\b(?:destroySoon|resume|connect)\s*[:(]|["'](?:destroySoon|resume|connect)["']\s*,)/,
  ],
  ["the threads of this process", /\/proc\/self\/task\b/],
];

export interface Found {
  readonly line: number;
  readonly what: string;
  readonly text: string;
}

/** Returns the uses of private interfaces in a source file, at most one for each line, also of statements over several lines. */
export function findPrivate(source: string): Found[] {
  const lines = source.split("\n");
  const found = kinds.flatMap(([what, pattern]) =>
    [...source.matchAll(new RegExp(pattern, "g"))].map(({ index }) => {
      const line = source.slice(0, index).split("\n").length;
      return { line, what, text: (lines[line - 1] ?? "").trim() };
    }),
  );
  return found
    .filter(({ line }, at) => found.findIndex((other) => other.line === line) === at)
    .toSorted((a, b) => a.line - b.line);
}

/** They name what is looked for. */
const OWN = ["scripts/private-interfaces.ts", "tests/surface/private-interfaces.test.ts"];

/** Returns the uses in all files of the repository, as lines for people. */
export function findInRepository(): string[] {
  const files = execFileSync(
    "git",
    ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.js", "*.sql"],
    {
      encoding: "utf8",
    },
  )
    .split("\n")
    .filter((file) => file !== "" && !OWN.includes(file));
  return files.flatMap((file) =>
    findPrivate(readFileSync(file, "utf8")).map(({ line, what, text }) => `${file}:${line}: ${what}: ${text}`),
  );
}

if (import.meta.main) {
  const found = findInRepository();
  for (const line of found) console.error(line);
  if (found.length > 0) process.exitCode = 1;
}
