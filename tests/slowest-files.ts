import type { Reporter, TestModule } from "vitest/node";

const SHOWN = 15;

/** What a file took: its imports, what it starts, and its tests. */
interface Cost {
  readonly file: string;
  readonly seconds: number;
  /** Of the processor, without PostgreSQL and other programs. Other work on the machine does not change it much. */
  readonly cpuSeconds: number;
}

function costOf(module: TestModule): Cost {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic();
  const ms = environmentSetupDuration + prepareDuration + setupDuration + collectDuration + duration;
  const { cpuSeconds = 0 } = module.meta() as Partial<Cost>;
  return { file: module.relativeModuleId, seconds: ms / 1_000, cpuSeconds };
}

/** Lists the files that took longest after a run of many. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length <= SHOWN) return;
    const costs = modules.map(costOf).sort((a, b) => b.seconds - a.seconds);
    const sum = (of: "seconds" | "cpuSeconds") => costs.reduce((total, cost) => total + cost[of], 0).toFixed(0);
    console.log(`\n The ${SHOWN} slowest of ${costs.length} files, in seconds (all: ${sum("seconds")}),`);
    console.log(` and the processor's seconds of their own process (all: ${sum("cpuSeconds")})`);
    for (const { file, seconds, cpuSeconds } of costs.slice(0, SHOWN))
      console.log(`${seconds.toFixed(1).padStart(7)} ${cpuSeconds.toFixed(1).padStart(7)}  ${file}`);
  }
}
