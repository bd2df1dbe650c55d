import type { Client } from "../../contract/client/client.ts";
import { idPrefixes } from "../../contract/shapes.ts";
import { Failure, UsageError } from "./failure.ts";
import { clean } from "./screen/text.ts";

const idOf = (kind: keyof typeof idPrefixes) => new RegExp(`\\b${idPrefixes[kind]}_[0-9a-z]{26}\\b`);
const ESTIMATION = idOf("estimation");
const OPTION = idOf("option");

const same = (title: string, given: string) => title.trim().toLowerCase() === given.trim().toLowerCase();

/** How many are looked at, and how many are named where several fit. */
const LOOKED_AT = 100;
const NAMED = 8;

/**
 * Returns the id of the estimation that a person means: by its id, the address of its page, or its title or a part of it. Throws `Failure`
 * (4) if there is none, and `UsageError` if several fit.
 */
export async function findEstimation(client: Client, given: string): Promise<string> {
  const id = ESTIMATION.exec(given)?.[0];
  if (id !== undefined) return id;
  const { data } = await client.listEstimations({ query: { q: given, limit: LOOKED_AT } });
  const exact = data.estimations.filter(({ title }) => same(title, given));
  const found = exact.length > 0 ? exact : data.estimations;
  const [one] = found;
  if (one === undefined) throw new Failure(`no estimation has "${clean(given)}" in its title: estimate list`, 4);
  if (found.length === 1) return one.id;
  throw new UsageError(
    severalOf(
      found.map(({ id, title }) => `${id}  ${title}`),
      given,
    ),
  );
}

/** An option that a person can name, with the titles above it. */
export interface Named {
  readonly id: string;
  /** Such as `Payment / Card`. */
  readonly path: string;
  readonly title: string;
}

interface Node {
  readonly title: string;
  readonly options: readonly Option[];
}
interface Option {
  readonly id: string;
  readonly title: string;
  readonly nodes: readonly Node[];
}

const BETWEEN = " / ";

/** Returns the options of a tree in order, each with its path. */
export function namedOptions(nodes: readonly Node[], above: readonly string[] = []): Named[] {
  return nodes.flatMap((node) =>
    node.options.flatMap(({ id, title, nodes }) => {
      const path = [...above, node.title, title];
      return [{ id, title, path: path.join(BETWEEN) }, ...namedOptions(nodes, path)];
    }),
  );
}

/**
 * Returns the option that a person means: by its id, its title, or the end of its path. Throws `Failure` (4) if there is none, and
 * `UsageError` if several fit.
 */
export function findOption(options: readonly Named[], given: string): Named {
  const id = OPTION.exec(given)?.[0];
  const byPath = (path: string) =>
    same(path, given) || path.toLowerCase().endsWith(`${BETWEEN}${given.trim().toLowerCase()}`);
  const found = [
    options.filter((option) => option.id === id),
    options.filter(({ title }) => same(title, given)),
    options.filter(({ path }) => byPath(path)),
    options.filter(({ title }) => title.toLowerCase().includes(given.trim().toLowerCase())),
  ].find((some) => some.length > 0);
  const [one] = found ?? [];
  if (found === undefined || one === undefined)
    throw new Failure(`no option is called ${clean(given)}: estimate show lists them`, 4);
  if (found.length === 1) return one;
  throw new UsageError(
    severalOf(
      found.map(({ id, path }) => `${id}  ${path}`),
      given,
    ),
  );
}

function severalOf(lines: readonly string[], given: string): string {
  const more = lines.length > NAMED ? [`  and ${lines.length - NAMED} more`] : [];
  return [`several fit ${clean(given)}:`, ...lines.slice(0, NAMED).map((line) => `  ${clean(line)}`), ...more].join(
    "\n",
  );
}
