import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import { isRefusal } from "../../db/failures.ts";
import { every } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import { countInMemory, type RateCounter } from "./rate-limit.ts";
import { addCounts } from "./shared-counts-store.ts";

/** Counters of one process, which tell those of the same name in other processes what they count. */
export interface RateCounters {
  /** Returns the counter of the limit `name`, which is the same in every process. */
  of(name: string, perWindow: number, windowMs: number): RateCounter;
  /** Tries once to store what is still to be stored. */
  stop(): Promise<void>;
}

/** How often everything that was counted is stored, in milliseconds. */
const STORE_MS = 5_000;
/** Most rows of one statement. */
const ROWS_MAX = 1_000;

type Parts = Pick<Services, "clock" | "log" | "pool" | "throttleKey">;

/**
 * Counters that hold across processes and restarts. A process decides by its own memory, so that no request waits for another
 * statement; it adds what it counted to a row of each caller in the background, and reads there what others did. So each further
 * process may allow a part of the limit too much (`PART` in `rate-limit.ts`), and what it accepts while one statement runs, which
 * in a burst waits for a connection as requests do. Without the database each process counts alone meanwhile. Windows start with a caller's first request in any process.
 */
export function createRateCounters(parts: Parts): RateCounters {
  // What is stored belongs to no request: neither its deadline nor its end.
  const detached = AsyncLocalStorage.snapshot();
  const all = new Map<string, ReturnType<typeof createRateCounter>>();
  return {
    of(name, perWindow, windowMs) {
      const one = all.get(name) ?? createRateCounter(parts, { name, perWindow, windowMs }, (work) => detached(work));
      all.set(name, one);
      return one.counter;
    },
    async stop() {
      await Promise.all([...all.values()].map((one) => one.stop()));
    },
  };
}

function createRateCounter(
  { clock, log, pool, throttleKey }: Parts,
  { name, perWindow, windowMs }: { readonly name: string; readonly perWindow: number; readonly windowMs: number },
  detached: (work: () => void) => void,
): { readonly counter: RateCounter; stop(): Promise<void> } {
  let urgent = new Set<string>();
  let storing: Promise<void> | null = null;
  /** The database did not take it: nothing is urgent before the next regular time. */
  let isWaiting = false;
  const counter = countInMemory(perWindow, windowMs, clock, (caller) => {
    if (isWaiting) return;
    urgent.add(caller);
    if (storing === null) detached(() => void storeUrgent());
  });
  const { changed, windows } = counter;
  /** No address or user id is stored. */
  const keyOf = (caller: string) =>
    createHmac("sha256", throttleKey)
      .update(JSON.stringify([name, caller]))
      .digest();

  /** Stores until nothing is urgent; what becomes urgent meanwhile is stored next. */
  function storeUrgent(): Promise<void> {
    storing ??= (async () => {
      while (urgent.size > 0 && !isWaiting) {
        const callers = [...urgent];
        urgent = new Set();
        // Those that are not tried in an outage stay in `changed`.
        for (let at = 0; at < callers.length && !isWaiting; at += ROWS_MAX)
          await store(callers.slice(at, at + ROWS_MAX));
      }
    })().finally(() => {
      storing = null;
    });
    return storing;
  }

  /** Adds what was counted here to the rows of these callers, and takes over what they contain. Never rejects. */
  async function store(callers: readonly string[]): Promise<void> {
    const now = clock.now();
    const sent = callers.flatMap((caller) => {
      changed.delete(caller);
      const window = windows.get(caller);
      if (window === undefined || window.unsent === 0 || window.endsAt <= now.getTime()) return [];
      const { unsent: units, endsAt } = window;
      window.unsent = 0;
      return [{ caller, window, key: keyOf(caller), units, endsAt }];
    });
    if (sent.length === 0) return;
    try {
      const rows = await addCounts(pool, sent, { perWindow, windowMs, now });
      const stored = new Map(rows.map((row) => [row.key.toString("base64"), row]));
      for (const { window, key, endsAt } of sent) {
        const row = stored.get(key.toString("base64"));
        // Otherwise the window has ended meanwhile.
        if (row && window.endsAt === endsAt) counter.takeOver(window, row);
      }
    } catch (error) {
      isWaiting = true;
      log.warn({ err: error, limit: name }, "counts of requests were not stored; each process counts alone meanwhile");
      for (const { caller, window, units, endsAt } of sent) {
        // Otherwise only the response may have been lost: no caller is refused because something was added twice.
        if (!isRefusal(error) || window.endsAt !== endsAt) continue;
        window.unsent += units;
        changed.add(caller);
      }
    }
  }

  const storeAll = async () => {
    isWaiting = false;
    urgent = new Set(changed);
    await storeUrgent();
  };
  const cancel = every(clock, STORE_MS, storeAll);
  return {
    counter,
    async stop() {
      cancel();
      await storeAll();
    },
  };
}
