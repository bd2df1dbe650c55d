import { Interrupted } from "../../jobs/job.ts";
import type { StepContext } from "./context.ts";
import { type Call, type Fault, TrackerFault } from "./trackers/tracker.ts";

/** What a call of the tracker brought: a result or a fault, and until when the tracker asks for no further request. */
export type Brought<R> = { readonly pause: Date | undefined } & (
  | { readonly result: R; readonly fault?: undefined }
  | { readonly fault: Fault; readonly result?: undefined }
);

/** Calls the tracker once. Throws `Interrupted` where the worker stops before anything is sent. */
export async function callTracker<R>(
  { signal }: Pick<StepContext, "signal">,
  work: (call: Call) => Promise<R>,
): Promise<Brought<R>> {
  if (signal.aborted) throw new Interrupted();
  let pause: Date | undefined;
  const onPause = (until: Date) => {
    if (pause === undefined || until > pause) pause = until;
  };
  try {
    return { result: await work({ signal, onPause }), pause };
  } catch (error) {
    if (!(error instanceof TrackerFault)) throw error;
    return { fault: error.fault, pause };
  }
}
