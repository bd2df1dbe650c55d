/** Reads the query of an address: a text for each name, or several if the name occurs several times. */
export function readSearch(query: string): Record<string, string | string[]> {
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** Writes what `readSearch` reads; what is undefined is left out. */
export function writeSearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined) params.append(name, String(one));
  return params.size === 0 ? "" : `?${params}`;
}
