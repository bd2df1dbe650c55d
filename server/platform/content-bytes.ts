/** Records whose content is remembered; beyond that, the least recently noted one is forgotten. */
const REMEMBERED = 20_000;

const remembered = new Map<string, number>();

/** Notes how many bytes of a record's content were loaded or stored; of several contents, the largest counts. */
export function noteContent(id: string, bytes: number): void {
  const most = Math.max(bytes, remembered.get(id) ?? 0);
  remembered.delete(id);
  remembered.set(id, most);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value as string);
}

/**
 * Returns the bytes of a record's largest content that this process has seen, so that what a request may load is known before
 * it is loaded; undefined if it has seen none.
 */
export const contentBytes = (id: string): number | undefined => remembered.get(id);
