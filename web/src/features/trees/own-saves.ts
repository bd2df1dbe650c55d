// Saves by other tabs of this browser are the reader's own: nothing is said about them as about those of others.

const KEPT = 100;
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("tree-saves") : null;
const saves = new Set<string>();

const note = (save: string): void => {
  saves.add(save);
  const [oldest] = saves;
  if (saves.size > KEPT && oldest !== undefined) saves.delete(oldest);
};

channel?.addEventListener("message", ({ data }) => note(String(data)));

const nameOf = (userId: string, id: string, revision: number) => `${userId} ${id} ${revision}`;

/** Tells other tabs that this one made a revision. */
export function tellSave(userId: string, id: string, revision: number): void {
  note(nameOf(userId, id, revision));
  channel?.postMessage(nameOf(userId, id, revision));
}

/** Whether tabs of this browser made every revision after `since`, up to `last`. */
export function isOwnSince(userId: string, id: string, since: number, last: number): boolean {
  const revisions = Array.from({ length: Math.min(last - since, KEPT + 1) }, (_, index) => last - index);
  return revisions.every((revision) => saves.has(nameOf(userId, id, revision)));
}
