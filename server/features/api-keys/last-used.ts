import { every } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import { noteUses } from "./store.ts";

const FLUSH_INTERVAL_MS = 5_000;

/** Collects when keys were last used and writes it periodically, so that no request waits for it. */
export interface LastUsed {
  note(keyId: string, at: Date): void;
  /** Writes what was recorded. What cannot be written is written the next time; never rejects. */
  flush(): Promise<void>;
  /** Stops the periodic writing after a last one. */
  stop(): Promise<void>;
}

export function createLastUsed({ clock, pool, log }: Pick<Services, "clock" | "pool" | "log">): LastUsed {
  let noted = new Map<string, Date>();
  let flushing = Promise.resolve();

  const note = (keyId: string, at: Date) => {
    const before = noted.get(keyId);
    if (!before || before < at) noted.set(keyId, at);
  };

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await noteUses(pool, uses);
    } catch (error) {
      log.warn({ err: error, keys: uses.size }, "the last use of API keys was not written; it will be tried again");
      for (const [keyId, at] of uses) note(keyId, at);
    }
  }

  const flush = () => {
    flushing = flushing.then(write);
    return flushing;
  };
  const cancel = every(clock, FLUSH_INTERVAL_MS, flush);
  return {
    note,
    flush,
    stop() {
      cancel();
      return flush();
    },
  };
}
