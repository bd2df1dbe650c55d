/** How something ended: it succeeded, was refused for now (503), or failed, for instance because no response came. */
export type Ending = "done" | "refused" | "failed";

/** What became of something that an innocent user did: how long it took from when it was due, in milliseconds. */
export interface Ended {
  readonly ms: number;
  readonly ending: Ending;
}

/** Results of what innocent users did. */
export interface Fared {
  readonly p50: number;
  readonly p99: number;
  readonly sent: number;
  /** Those that were late, refused or failed. */
  readonly failed: number;
}

/** The time that a failed request counts as. */
export const TIMEOUT_MS = 10_000;

export function sumUp(all: readonly Ended[]): Fared {
  const times = all.map(({ ms, ending }) => (ending === "done" ? ms : TIMEOUT_MS)).sort((a, b) => a - b);
  const rank = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  return {
    p50: rank(0.5),
    p99: rank(0.99),
    sent: all.length,
    failed: all.filter(({ ending }) => ending !== "done").length,
  };
}

/**
 * Starts something every `everyMs` milliseconds for some seconds, regardless of earlier ones, and waits for the last to
 * end.
 */
export async function doSteadily(
  everyMs: number,
  seconds: number,
  act: (at: number) => Promise<Ending>,
): Promise<Ended[]> {
  const begin = performance.now();
  const begun: Promise<Ended>[] = [];
  for (let at = 0; at * everyMs < seconds * 1_000; at += 1) {
    const due = begin + at * everyMs;
    const earlyMs = due - performance.now();
    if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, earlyMs));
    begun.push(act(at).then((ending) => ({ ms: performance.now() - due, ending })));
  }
  return Promise.all(begun);
}

/** Serves the parent process: for each number of seconds received, it sends back what `work` returns. */
export function serve(work: (seconds: number) => Promise<Ended[]>): void {
  process.on("message", async ({ seconds }: { seconds: number }) => process.send?.(await work(seconds)));
  process.on("disconnect", () => process.exit(0));
  process.on("SIGINT", () => process.exit(0));
  process.send?.("ready");
}
