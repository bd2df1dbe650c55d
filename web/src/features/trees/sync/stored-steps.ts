import { inStore } from "./browser-store.ts";
import type { Step } from "./content.ts";
import type { TreeSync } from "./tree-sync.ts";

/** What can be undone and redone, as it is stored in this browser. */
export interface Steps {
  readonly past: readonly Step[];
  readonly future: readonly Step[];
}

interface StoredSteps extends Steps {
  readonly key: string;
  /** In milliseconds of this browser's clock. */
  readonly storedAt: number;
}

/** Steps of one estimation, and estimations: the oldest go. */
const STEPS_MAX = 50;
const ESTIMATIONS_MAX = 20;
const RETENTION_MS = 7 * 24 * 3_600_000;
const PAUSE_MS = 300;

/** Undo is a comfort: without room, or where storage is forbidden, it ends with the page. */
const inSteps = <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) =>
  inStore("steps", mode, work).catch(() => undefined);

/** Keeps what a user can undo in an estimation. Equal parts of its trees are stored once. */
async function storeSteps(userId: string, id: string, { past, future }: Steps): Promise<void> {
  const stored: StoredSteps = {
    key: `${userId} ${id}`,
    storedAt: Date.now(),
    past: past.slice(-STEPS_MAX),
    future: future.slice(-STEPS_MAX),
  };
  await inSteps("readwrite", (store) => {
    const request = store.put(stored);
    const counted = store.count();
    counted.onsuccess = () => {
      let extra = counted.result - ESTIMATIONS_MAX;
      const cursor = store.index("storedAt").openCursor();
      cursor.onsuccess = () => {
        const { result } = cursor;
        if (!result || (extra <= 0 && (result.key as number) > Date.now() - RETENTION_MS)) return;
        extra -= 1;
        result.delete();
        result.continue();
      };
    };
    return request;
  });
}

/** Removes what all users of this browser could undo. */
export const dropSteps = () => inSteps("readwrite", (store) => store.clear());

async function loadSteps(userId: string, id: string): Promise<Steps | null> {
  const stored: StoredSteps | undefined = await inSteps("readonly", (store) => store.get(`${userId} ${id}`));
  return stored && stored.storedAt > Date.now() - RETENTION_MS ? stored : null;
}

/** Lets undo and redo go on where they were after a reload. */
export function keepStepsOf(sync: TreeSync, userId: string, id: string): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { past } = sync.current();
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    void storeSteps(userId, id, sync.current());
  };
  void loadSteps(userId, id).then((steps) => {
    if (steps) sync.recall(steps);
    ({ past } = sync.current());
    sync.subscribe(() => {
      const now = sync.current();
      if (now.past === past) return;
      past = now.past;
      clearTimeout(timer);
      timer = setTimeout(keep, PAUSE_MS);
    });
  });
  addEventListener("pagehide", () => timer !== undefined && keep());
}
