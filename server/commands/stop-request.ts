import { monotonicMs } from "../platform/clock.ts";

/** Whether this process was asked to stop, by Ctrl-C, by SIGTERM, or by the end of its terminal. */
export interface StopRequest {
  readonly requested: boolean;
  /** Resolves with the signal, once. */
  readonly whenRequested: Promise<NodeJS.Signals>;
  /** Ends the watch: signals do what they do by default again. */
  dispose(): void;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** npm passes on a Ctrl-C that the terminal has already sent to this process: two signals for one request. */
const sameRequestMs = 1_000;

/**
 * Watches for signals that ask this process to stop. The first one is a request to stop; one that comes more than a
 * second later calls `insist`.
 */
export function watchForStop(insist: () => void): StopRequest {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let firstAtMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMs = monotonicMs();
    if (firstAtMs === undefined) {
      firstAtMs = nowMs;
      resolve(signal);
    } else if (nowMs - firstAtMs > sameRequestMs) {
      insist();
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    get requested() {
      return firstAtMs !== undefined;
    },
    whenRequested: promise,
    dispose: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}
