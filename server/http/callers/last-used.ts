import type { Logger } from "pino";
import { type Clock, every } from "../../platform/clock.ts";

const FLUSH_INTERVAL_MS = 5_000;

/** Collects when credentials were last used and writes it periodically, so that no request waits for it. */
export interface LastUsed {
  note(id: string, at: Date): void;
  /** Writes what was recorded. What cannot be written is written the next time; never rejects. */
  flush(): Promise<void>;
  /** Stops the periodic writing after a last one. */
  stop(): Promise<void>;
}

/** `write` stores the last uses by the ids of the credentials; `what` names these in the log. */
export function createLastUsed(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  what: string,
  write: (uses: ReadonlyMap<string, Date>) => Promise<void>,
): LastUsed {
  let noted = new Map<string, Date>();
  let flushing = Promise.resolve();

  const note = (id: string, at: Date) => {
    const before = noted.get(id);
    if (!before || before < at) noted.set(id, at);
  };

  async function writeNoted(): Promise<void> {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await write(uses);
    } catch (error) {
      log.warn({ err: error, uses: uses.size }, `the last use of ${what} was not written; it will be tried again`);
      for (const [id, at] of uses) note(id, at);
    }
  }

  const flush = () => {
    flushing = flushing.then(writeNoted);
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
