import { sleep } from "../platform/clock.ts";
import { isLackOfRoom } from "./embedded/start-failure.ts";

/** How {@link tryAgain} goes on after a failure. */
export interface Tries {
  /** Pause after the first failure, in milliseconds; it doubles with each further one, up to `longestPauseMs`. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Whether the reason of a failure may pass by itself. */
  mayPass(reason: Error): Promise<boolean>;
  /** Until when it is tried again, as the log says it: "it works". */
  readonly until: string;
  readonly log: (line: string) => void;
  /** Resolves when there is to be no further try. */
  readonly whenOver: Promise<unknown>;
}

/**
 * Tries until it succeeds, and logs each new reason why it did not. Throws the reason of the last failure if that cannot pass
 * by itself, or if there is to be no further try.
 */
export async function tryAgain<T>(
  work: () => Promise<T>,
  { firstPauseMs, longestPauseMs, mayPass, until, log, whenOver }: Tries,
): Promise<T> {
  let isOver = false;
  void whenOver.then(() => {
    isOver = true;
  });
  let told = "";
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      if (isOver || !(await mayPass(reason))) throw reason;
      if (reason.message !== told) log(`${reason.message}; trying again until ${until}`);
      told = reason.message;
      await Promise.race([sleep(pauseMs), whenOver]);
      if (isOver) throw reason;
    }
  }
}

/** Pause between two tries where there is no room, in milliseconds. */
const ROOM_PAUSE_MS = 4_000;

/**
 * Tries every four seconds for as long as there is no room on the disk. `mayWait` says of a failure whether room could help it
 * at all. What failed just before there was room again is tried once more: it may have failed for that.
 */
export async function untilThereIsRoom<T>(
  work: () => Promise<T>,
  { mayWait, log, whenOver }: Pick<Tries, "log" | "whenOver"> & { mayWait(reason: Error): Promise<boolean> | boolean },
): Promise<T> {
  let lackedRoom = false;
  return await tryAgain(work, {
    ...{ firstPauseMs: ROOM_PAUSE_MS, longestPauseMs: ROOM_PAUSE_MS, until: "there is room", log, whenOver },
    mayPass: async (reason) => {
      if (!(await mayWait(reason))) return false;
      const lackedBefore = lackedRoom;
      lackedRoom = isLackOfRoom(reason);
      return lackedRoom || lackedBefore;
    },
  });
}
