const PREFIX = "tree-drafts ";

/** The name of this page among those that are open: a new one each time that it is loaded. */
export const pageName = Date.now().toString(36) + Math.random().toString(36).slice(2);

let isHeld = false;

/**
 * Returns the names of other pages that are still open: each saves by itself what it has kept. A page holds a lock for
 * as long as it lives. Browsers offer locks on HTTPS and on loopback only: elsewhere null, because it is not known.
 */
async function livePages(): Promise<Set<string> | null> {
  if (!("locks" in navigator)) return null;
  if (!isHeld) {
    isHeld = true;
    void navigator.locks.request(PREFIX + pageName, () => new Promise(() => {}));
  }
  const { held = [] } = await navigator.locks.query();
  const names = held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
  return new Set(names.filter((name) => name !== pageName));
}

/** Runs `work` in one page at a time, with the names of the other open pages. Returns null where browsers offer no locks. */
export async function alone<T>(work: (live: ReadonlySet<string>) => Promise<T>): Promise<T | null> {
  const live = await livePages();
  return live && navigator.locks.request("tree-drafts: take over", () => work(live));
}
