import { readFileSync } from "node:fs";

/**
 * A request that was made to an endpoint, and its responses by status: `data`, or a file by its media type.
 */
export interface Examples {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Where they are: `tests/surface/examples.test.ts` records them. */
export const EXAMPLES = new URL("./examples.gen.json", import.meta.url);

const NONE: Examples = { responses: {} };

let recorded: Readonly<Record<string, Examples>> | undefined;

/** Returns the recorded examples of endpoint `id`; there are none for one that is new. Reads the file at the first call. */
export function examplesOf(id: string): Examples {
  recorded ??= JSON.parse(readFileSync(EXAMPLES, "utf8")) as Readonly<Record<string, Examples>>;
  return recorded[id] ?? NONE;
}
