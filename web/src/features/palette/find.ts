/** Something that can be found by what it says. */
export interface Findable {
  readonly label: string;
  /** What stands beside it, and is searched too. */
  readonly detail?: string;
}

/** How many are shown; typing more narrows the search. */
export const FOUND_MOST = 50;

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/**
 * Returns the items that have every word of the query, those first whose label begins with it, then those where a word
 * of the label does; else in their order.
 */
export function find<Item extends Findable>(items: readonly Item[], query: string, most = FOUND_MOST): Item[] {
  const words = wordsOf(query);
  const [first = ""] = words;
  const ranked: [Item, number][] = [];
  for (const item of items) {
    const label = item.label.toLowerCase();
    const all = `${label} ${item.detail?.toLowerCase() ?? ""}`;
    if (!words.every((word) => all.includes(word))) continue;
    const at = label.indexOf(first);
    ranked.push([item, at === 0 ? 0 : at > 0 && /\W/.test(label.charAt(at - 1)) ? 1 : 2]);
  }
  return ranked
    .sort(([, one], [, other]) => one - other)
    .slice(0, most)
    .map(([item]) => item);
}
