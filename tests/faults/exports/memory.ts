/**
 * Measures the memory of a worker that exports 100 tasks and of one that exports 1,000: `npm run measure:exports`. The peak is
 * that of the process (VmHWM of Linux), of a worker that has exported once before, so that what is loaded only then counts
 * for both.
 */
import { readFileSync } from "node:fs";
import type { WorkerProcess } from "../worker-process.ts";
import { exportAll, makeEstimation } from "./exporting.ts";
import { type Stage, setStage } from "./stage.ts";
import { trackers } from "./trackers.ts";

/** The most that the peak with ten times the tasks may be, as a multiple. */
const RATIO_MAX = 1.2;
/** Groups of an estimation, and options of each: together the tasks. */
const SIZES = { small: [4, 24], large: [25, 39] } as const;

const peakKib = ({ process: { pid } }: WorkerProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);

async function measure(stage: Stage, [groups, options]: readonly [number, number]) {
  const worker = stage.worker();
  await worker.start();
  await exportAll(stage, await makeEstimation(stage, "First", 2, 2));
  const estimation = await makeEstimation(stage, "Measured", groups, options);
  const begin = performance.now();
  const run = await exportAll(stage, estimation);
  const seconds = (performance.now() - begin) / 1_000;
  const tasks = estimation.taskIds.length;
  if (run.progress.created !== tasks) throw new Error(`${run.progress.created} of ${tasks} tasks were exported`);
  const peak = peakKib(worker);
  await worker.stop();
  console.log(`${String(tasks).padStart(5)} tasks: peak ${(peak / 1_024).toFixed(1)} MiB, ${seconds.toFixed(0)} s`);
  return peak;
}

const stage = await setStage(await trackers.github(0));
try {
  const ratio = (1 / (await measure(stage, SIZES.small))) * (await measure(stage, SIZES.large));
  console.log(`ratio ${ratio.toFixed(3)}, at most ${RATIO_MAX}`);
  if (ratio > RATIO_MAX) process.exitCode = 1;
} finally {
  await stage.close();
}
