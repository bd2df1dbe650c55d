import { api } from "../../../api/client.ts";
import type { Known } from "../surroundings.ts";

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

/**
 * Whether the user made every revision after `since`, up to `last`: in tabs of this browser, or elsewhere, as the activity
 * of the estimation says.
 */
export async function isOwnSince(userId: string, id: string, since: Known, last: number): Promise<boolean> {
  const count = Math.min(last - since.revision, KEPT + 1);
  const revisions = Array.from({ length: count }, (_, index) => last - index);
  if (revisions.every((revision) => saves.has(nameOf(userId, id, revision)))) return true;
  try {
    const { data } = await api.listActivity({ params: { id } });
    // What can change the hours changes the content: all else, such as accepting a share, is not meant.
    const later = data.activity.filter(({ endedAt, hoursDelta }) => endedAt > since.at && hoursDelta !== null);
    return later.length > 0 && later.every(({ person }) => person.id === userId);
  } catch {
    return false;
  }
}
