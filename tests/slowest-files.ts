import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 15;

/** Milliseconds that a file took: its imports, what it starts, and its tests. */
function durationOf(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  return environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration;
}

/** Lists the files that took longest after a run of many. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const rows = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: durationOf(module) / 1_000 }))
      .sort((a, b) => b.seconds - a.seconds);
    const total = rows.reduce((sum, { seconds }) => sum + seconds, 0);
    console.log(`\n The ${SHOWN} slowest of ${rows.length} files, in seconds (all: ${total.toFixed(0)})`);
    for (const { file, seconds } of rows.slice(0, SHOWN)) console.log(`${seconds.toFixed(1).padStart(7)}  ${file}`);
  }
}
