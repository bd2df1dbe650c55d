import { Interrupted } from "../../jobs/job.ts";
import type { StepContext } from "./context.ts";
import type { Call } from "./trackers/reach.ts";
import { type Fault, TrackerFault } from "./trackers/tracker-fault.ts";

/** What the tracker says in addition to a result or a fault. */
export interface TrackerHints {
  /** It asks for a pause until this time. */
  readonly pause: Date | undefined;
  /** The time of its first response by its own clock; undefined: there was none. */
  readonly at: Date | undefined;
}

/** The outcome of a call of the tracker. */
export type TrackerResult<R> = TrackerHints &
  ({ readonly result: R; readonly fault?: undefined } | { readonly fault: Fault; readonly result?: undefined });

/** Calls the tracker once. Throws `Interrupted` if the worker stops before anything is sent. */
export async function callTracker<R>(
  { signal }: Pick<StepContext, "signal">,
  work: (call: Call) => Promise<R>,
): Promise<TrackerResult<R>> {
  if (signal.aborted) throw new Interrupted();
  let pause: Date | undefined;
  const onPause = (until: Date) => {
    if (pause === undefined || until > pause) pause = until;
  };
  let at: Date | undefined;
  const onTime = (time: Date) => {
    at ??= time;
  };
  try {
    return { result: await work({ signal, onPause, onTime }), pause, at };
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    return { fault: error.fault, pause, at };
  }
}
