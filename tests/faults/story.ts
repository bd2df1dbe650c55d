import { type Death, dieOneByOne } from "./deaths.ts";
import type { Finding } from "./finding.ts";
import { judge } from "./judge.ts";
import { crashDatabase } from "./outages.ts";
import { startOverdue } from "./overdue.ts";
import { type Stage, setStage } from "./stage.ts";
import { resume, takeOver } from "./takeover.ts";
import { watchUnderWay } from "./under-way.ts";

export interface StorySize {
  readonly deaths: readonly Death[];
  /** Events committed for each worker that is killed, and rounds of one kill at every step. */
  readonly perDeath: number;
  readonly deathRounds: number;
  /** Whether a worker is also killed, not only paused, while another one runs. */
  readonly killBesideAnother: boolean;
  /** How soon that one must have done the other's work, in milliseconds; null: at any time, for busy machines. */
  readonly takeoverMs: number | null;
  /** Events committed around each crash of the database. */
  readonly perCrash: number;
  readonly crashes: number;
  /** Deliveries that are overdue when a worker starts. */
  readonly overdue: number;
}

/** Causes every fault, one after the other, and returns the findings. Stops everything that it started. */
export async function tellStory(size: StorySize, tell: (line: string) => void = () => {}): Promise<Finding[]> {
  const { deathRounds, perDeath, takeoverMs } = size;
  const within = takeoverMs === null ? {} : { most: takeoverMs };
  const stage = await setStage();
  const underWay = watchUnderWay(stage);
  try {
    const findings: Finding[] = [];
    let scheduled = 0;
    for (let round = 0; round < deathRounds; round++) {
      tell(`workers die (${round + 1} of ${deathRounds})`);
      scheduled += await dieOneByOne(stage, underWay, size);
    }
    findings.push({ what: "retries that waited when a worker died", measured: scheduled, least: 1 });
    if (size.killBesideAnother) {
      tell("a worker is killed beside another one");
      const { held, ms, survivor } = await takeOver(stage, underWay, { signal: "SIGKILL", count: perDeath });
      findings.push({ what: "requests under way of a worker killed beside another one", measured: held, least: 1 });
      findings.push({ what: "ms from the kill until the other one has done its work", measured: ms, ...within });
      await survivor.stop();
    }
    tell("a worker is paused beyond its lease");
    const { held, ms, victim, survivor } = await takeOver(stage, underWay, { signal: "SIGSTOP", count: perDeath });
    findings.push({ what: "requests under way of a worker paused beside another one", measured: held, least: 1 });
    findings.push({ what: "ms from the pause until the other one has done its work", measured: ms, ...within });
    const changed = await resume(stage, victim);
    findings.push({ what: "outcomes changed by a worker that was paused", measured: Number(changed), exactly: 0 });
    tell("the database crashes");
    const next = stage.worker();
    await next.start();
    const workers = [next, survivor];
    const waited = await crashDatabase(stage, underWay, { ...size, workers });
    findings.push({ what: "retries that waited when the database crashed", measured: waited, least: 1 });
    findings.push(...(await judge(stage, underWay)));
    tell("a worker starts with overdue deliveries");
    for (const worker of workers) await worker.stop();
    findings.push(...(await startOverdue(stage, size.overdue)));
    return findings;
  } catch (error) {
    throw new Error(`${String(error)}\n${await describe(stage)}`, { cause: error });
  } finally {
    await stage.close();
  }
}

/** Returns the remaining deliveries and what is counted, to find the cause. */
async function describe({ pool }: Stage): Promise<string> {
  const { rows: deliveries } = await pool.query(
    "select status, lease is not null as leased, leased_until > now() as held, attempt_count, count(*), min(id) from webhook_deliveries group by 1, 2, 3, 4",
  );
  const { rows: health } = await pool.query("select * from webhook_health");
  const { rows: owners } = await pool.query("select * from webhook_owners");
  return [...deliveries, ...health, ...owners].map((row) => JSON.stringify(row)).join("\n");
}
