import type { Endpoint } from "./endpoint.ts";
import { idPrefixes, idWords } from "./shapes.ts";

/** Returns what a parameter of a path means: what the endpoint says, or the id of what the segment before it lists. */
export function meaningOf({ path, params = {} }: Endpoint, name: string): string | undefined {
  if (params[name] !== undefined) return params[name];
  const list = new RegExp(`/([a-z-]+)/:${name}(/|$)`).exec(path)?.[1] ?? "";
  const noun = list.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const kind = kinds.find((kind) => noun === `${kind}s` || noun === kind.replace(/y$/, "ies"));
  return kind === undefined ? undefined : `Id of the ${idWords(kind)}`;
}

const kinds = Object.keys(idPrefixes) as (keyof typeof idPrefixes)[];
