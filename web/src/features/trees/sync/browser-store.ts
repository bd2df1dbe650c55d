type Store = "drafts" | "steps";

/** Opens the database of a store, whose entries have a `key`, and `storedAt`, in milliseconds of this browser's clock. */
function open(store: Store): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(`unsaved-${store}`, 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(store, { keyPath: "key" }).createIndex("storedAt", "storedAt");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Runs `work` in a transaction of the browser's IndexedDB, after those that were begun before, and returns what its request
 * returns. Throws where there is no room, or storage is forbidden.
 */
export async function inStore<T>(
  name: Store,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open(name);
  try {
    const transaction = database.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return request.result;
  } finally {
    database.close();
  }
}
