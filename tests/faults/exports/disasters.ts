import type { Export } from "../../../contract/endpoints/exports.ts";
import type { WorkerProcess } from "../worker-process.ts";
import { isOver } from "./exporting.ts";
import type { Stage } from "./stage.ts";

/**
 * `kill`: of the worker. `crash`: of the database. `pause`: the worker is suspended until another one has taken over
 * its job, and then continues beside it.
 */
export const disasterKinds = ["kill", "crash", "pause"] as const;
export type Disaster = (typeof disasterKinds)[number];

/** When a disaster strikes. */
export interface Moment {
  /** The request by which the moment is chosen: … */
  readonly on: RegExp;
  /** … the first of these, the second … */
  readonly nth: number;
  /** It strikes while the worker waits for the response to that request, and not some time later. */
  readonly isExact: boolean;
}

/** The worker, and the one that takes over from it. */
export interface Workers {
  current: WorkerProcess;
  next: WorkerProcess;
}

/** Waits until the run under way is in a state. */
type GoOn = (holds: (run: Export) => boolean) => Promise<unknown>;

/** A disaster that waits for its moment. */
export interface Armed {
  readonly isDue: () => boolean;
  /** Strikes if it has not yet, and restarts what was hit. Returns whether it struck while a response was sent. */
  over(): Promise<boolean>;
}

/** Lets a disaster strike at a moment. */
export function arm(
  stage: Stage,
  workers: Workers,
  goOn: GoOn,
  disaster: Disaster,
  { on, nth, isExact }: Moment,
): Armed {
  let isDue = false;
  let recover: (() => Promise<void>) | null = null;
  const forget = stage.tracker.fake.onRequest(
    () => {
      isDue = true;
      // A worker that is suspended in a transaction keeps everybody waiting until it is given up.
      if (isExact || disaster === "pause") recover = strike(stage, workers, goOn, disaster);
    },
    on,
    nth,
  );
  return {
    isDue: () => isDue,
    async over() {
      forget();
      const struck = recover !== null;
      if (struck || disaster !== "pause") await (recover ?? strike(stage, workers, goOn, disaster))();
      return struck;
    },
  };
}

/** Strikes at once, and returns a function that restarts what was hit. */
function strike(stage: Stage, workers: Workers, goOn: GoOn, disaster: Disaster): () => Promise<void> {
  if (disaster === "crash") {
    stage.crashDatabase();
    return stage.restartDatabase;
  }
  const { process: struck, gone } = workers.current;
  struck.kill(disaster === "kill" ? "SIGKILL" : "SIGSTOP");
  return async () => {
    if (disaster === "kill") await gone;
    const { asked } = stage.tracker.fake;
    const before = asked.length;
    workers.current = workers.next;
    await workers.current.start();
    workers.next = stage.worker();
    if (disaster === "kill") return;
    await goOn((run) => isOver(run) || asked.length > before + 3);
    struck.kill("SIGCONT");
  };
}
