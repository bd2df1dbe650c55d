/** A cache in memory, limited by bytes. */
export interface Memory<T> {
  find(key: string): T | undefined;
  /** Keeps a value, or updates its size. While it is in use it is not dropped. */
  hold(key: string, value: T): void;
  /** Ends the use of a value: from now on it may be dropped, the least recently used first. */
  release(key: string): void;
  /** Removes a value. */
  drop(key: string): void;
}

interface Entry<T> {
  readonly value: T;
  readonly bytes: number;
  readonly isInUse: boolean;
}

/**
 * Creates a cache for values of at most `bytesMax` bytes in all. A value in use is not dropped; it counts like the
 * others, unless it would not fit by itself.
 */
export function createMemory<T>(bytesMax: number, bytesOf: (value: T) => number): Memory<T> {
  const entries = new Map<string, Entry<T>>();

  const makeRoom = () => {
    let sum = 0;
    for (const [key, { bytes, isInUse }] of entries) {
      // A value that does not fit by itself must not displace all others.
      if (bytes <= bytesMax) sum += bytes;
      else if (!isInUse) entries.delete(key);
    }
    for (const [oldest, { bytes, isInUse }] of entries) {
      if (sum <= bytesMax) return;
      if (isInUse || bytes > bytesMax) continue;
      entries.delete(oldest);
      sum -= bytes;
    }
  };
  const enter = (key: string, value: T, isInUse: boolean) => {
    entries.delete(key);
    entries.set(key, { value, bytes: bytesOf(value), isInUse });
    makeRoom();
  };

  return {
    find: (key) => entries.get(key)?.value,
    hold: (key, value) => enter(key, value, true),
    release(key) {
      const entry = entries.get(key);
      if (entry) enter(key, entry.value, false);
    },
    drop: (key) => void entries.delete(key),
  };
}
