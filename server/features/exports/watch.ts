import { setImmediate as nextTurn } from "node:timers/promises";
import type { Export } from "../../../contract/endpoints/exports.ts";
import { pause } from "../../platform/clock.ts";
import type { Services } from "../../services/index.ts";
import { estimationLookUp } from "../estimations/index.ts";
import { presentExport } from "./present.ts";
import { findRun } from "./store.ts";

/** How often a stream looks for news, in milliseconds: two look-ups by key. The worker may be another process. */
const LOOK_MS = 1_000;

interface Watched {
  readonly exportId: string;
  readonly userId: string;
  readonly estimation: { readonly id: string };
  readonly signal: AbortSignal;
}

/** Yields a run whenever it has changed, from its present state to its end; ends when the user may not read it any more. */
export async function* watch(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  { exportId, userId, estimation, signal }: Watched,
): AsyncGenerator<Export> {
  let last = "";
  const isOver = aborted(signal);
  while (!signal.aborted) {
    if (!(await estimationLookUp.find(pool, estimation.id, userId, "read"))) return;
    const run = await findRun(pool, estimation.id, exportId);
    if (!run) return;
    const shown = presentExport(run, userId);
    const text = JSON.stringify(shown);
    if (text !== last) yield shown;
    last = text;
    if (run.status !== "queued" && run.status !== "running") return;
    await Promise.race([pause(clock, LOOK_MS), isOver]);
    await nextTurn();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
