import { setTimeout as wait } from "node:timers/promises";
import { Interrupted } from "./failure.ts";

/** How a person ends the program. */
export interface Stop {
  /** Aborts, with `Interrupted`, what only waits or reads. */
  readonly signal: AbortSignal;
  /** From now on Ctrl-C is for another program, such as an editor. Returns how to take it back. */
  hold(): () => void;
}

/** Begins to heed Ctrl-C and `SIGTERM`: once to end in order, twice to end at once. */
export function heedSignals(): Stop {
  const stopping = new AbortController();
  let held = 0;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (signal === "SIGINT" && held > 0) return;
      if (stopping.signal.aborted) process.exit(130);
      stopping.abort(new Interrupted());
    });
  }
  return {
    signal: stopping.signal,
    hold() {
      held += 1;
      return () => {
        held -= 1;
      };
    },
  };
}

/** Waits; throws `Interrupted` as soon as the person has enough. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, signal && { signal }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error;
  });
}
