import { median } from "../database.ts";
import { report } from "../result.ts";
import { setStage } from "../webhooks/stage.ts";
import { drainBacklog } from "../webhooks/throughput.ts";

const ENDPOINTS = 20;
const COUNTS = [1, 2] as const;
const MOST = 1.1;

type Drained = Awaited<ReturnType<typeof drainBacklog>>;

/** Prints the processor time of a delivery, of the workers and of PostgreSQL apart, with one and with two workers, in turns. */
export async function compareWorkers(rounds: number, amount: number): Promise<void> {
  const stages = [];
  try {
    for (const count of COUNTS) {
      const stage = await setStage();
      stages.push(stage);
      for (let started = 0; started < count; started += 1) await stage.startWorker();
    }
    const endpoints = await Promise.all(stages.map((stage) => stage.createEndpoints(ENDPOINTS)));
    const drained = COUNTS.map(() => [] as Drained[]);
    // The first round is for compilers and connections.
    for (let at = -1; at < rounds; at += 1)
      for (const [place, stage] of stages.entries()) {
        const created = endpoints[place];
        if (created === undefined) continue;
        const one = await drainBacklog(stage, created, amount);
        if (at >= 0) drained[place]?.push(one);
      }
    const [single = [], double = []] = drained;
    const typical = (all: readonly Drained[], field: keyof Drained) => median(all.map((one) => one[field])) / amount;
    const rates = [single, double].map((all) => (1_000 / typical(all, "ms")).toFixed(0));
    console.log(`deliveries a second: ${rates.join(" with 1 worker, ")} with 2`);
    for (const [field, of] of [
      ["cpuMs", "the workers"],
      ["postgresMs", "PostgreSQL"],
    ] as const)
      report({
        name: `a delivery: processor time of ${of}, 2 workers`,
        reference: "1 worker",
        unit: "ms",
        ours: typical(double, field),
        theirs: typical(single, field),
        ratio: median(double.map((one, at) => one[field] / (single[at]?.[field] ?? 1))),
        target: { most: MOST },
      });
  } finally {
    for (const stage of stages) await stage.close();
  }
}
