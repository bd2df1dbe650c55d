import type { Export } from "../../../contract/endpoints/exports.ts";
import { randoms } from "../../support/trackers/faults.ts";
import type { Finding } from "../finding.ts";
import { arm, type Disaster, disasterKinds, type Moment, type Workers } from "./disasters.ts";
import { goOnUntil, goOnWhile, isOver, makeEstimation, start } from "./exporting.ts";
import { describe, judge } from "./judge.ts";
import { type Stage, setStage } from "./stage.ts";
import { trackers } from "./trackers.ts";

export interface ExportStorySize {
  /** Decides everything that is left to chance. */
  readonly seed: number;
  /** Exports, each of an estimation of its own. */
  readonly rounds: number;
  /** Groups of a round's estimation, each with as many tasks below it. */
  readonly groups: number;
  /** Part of the requests that go wrong, 0 to 1. */
  readonly faulty: number;
  /** How often each disaster happens in a round; their order is random. */
  readonly disasters: Readonly<Record<Disaster, number>>;
  /**
   * `chance`: some disasters strike while issues are being made, others at any time. `shown_late`: all of them strike while
   * issues are being made which nobody says were made, and which lists show late. What is left to chance takes longer: where
   * a killed worker's request has made nothing, that is certain only when the request could do nothing any more.
   */
  readonly strikes: "chance" | "shown_late";
}

/**
 * Exports while requests fail, workers are killed and the database crashes, and returns the state of the tracker and
 * the ledger at the end.
 */
export async function tellExportStory(
  target: keyof typeof trackers,
  size: ExportStorySize,
  tell: (line: string) => void = () => {},
): Promise<Finding[]> {
  const tracker = await trackers[target]();
  const stage = await setStage(tracker);
  const { fake, name } = tracker;
  const findings: Finding[] = [];
  try {
    const chance = randoms(size.seed);
    const workers: Workers = { current: stage.worker(), next: stage.worker() };
    await workers.current.start();
    let struck = 0;
    for (let round = 0; round < size.rounds; round += 1) {
      tell(`export ${round + 1} of ${size.rounds} to ${name}, seed ${size.seed}`);
      const estimation = await makeEstimation(stage, `Shop ${round}`, size.groups, size.groups);
      const former = tracker.made();
      fake.faults.draw(size.seed + round, size.faulty, tracker.kinds);
      const disasters = shuffled(
        disasterKinds.flatMap((kind) => Array.from({ length: size.disasters[kind] }, () => kind)),
        chance,
      );
      const { id } = estimation;
      let exportId = "";
      const goOn = (holds: (run: Export) => boolean) => goOnUntil(stage, id, exportId, holds);
      const armed = (disaster: Disaster, moment: Moment) => arm(stage, workers, goOn, disaster, moment);
      // All of them before it begins: it may soon have nothing left to make.
      const early =
        size.strikes === "shown_late" ? disasters.map((one, at) => armed(one, shownLate(stage, at + 1))) : [];
      exportId = (await start(stage, id)).id;
      for (const [at, disaster] of disasters.entries()) {
        const { isDue, over } = early[at] ?? armed(disaster, anyMoment(stage, estimation.taskIds.length, chance));
        await goOnWhile(stage, id, exportId, (run) => !isDue() && !(run && isOver(run)));
        if (await over()) struck += 1;
      }
      const ended = await goOn(isOver);
      fake.faults.draw(0, 0, []);
      findings.push(...(await judge(stage, { estimation, former, ended })));
    }
    const hit = fake.asked.filter(({ fault }) => fault !== null).length;
    const all = disasterKinds.reduce((sum, kind) => sum + size.rounds * size.disasters[kind], 0);
    const least = size.strikes === "shown_late" ? all : 1;
    findings.push({ what: `requests to ${name} that went wrong`, measured: hit, least: size.rounds });
    findings.push({ what: `disasters while ${name} was asked`, measured: struck, least });
    findings.push({ what: `requests that ${name} does not know`, measured: fake.violations.length, exactly: 0 });
    findings.push({ what: "writes at the same time", measured: fake.writesAtOnce(), most: 1 });
    for (const violation of fake.violations) tell(violation);
    return findings;
  } catch (error) {
    throw new Error(`${String(error)}\n${await describe(stage)}`, { cause: error });
  } finally {
    await stage.close();
  }
}

/** The worker waits for the response to its `nth` request that makes issues, and never gets it. */
function shownLate({ tracker: { fake, creates } }: Stage, nth: number): Moment {
  fake.faults.next("late", creates);
  return { on: creates, nth, isExact: true };
}

/** Requests until a disaster at most, where it may strike at any of them: in Jira, one request makes 50 issues. */
const APART = 10;

function anyMoment({ tracker }: Stage, tasks: number, chance: () => number): Moment {
  if (chance() < 0.5) return { on: tracker.creates, nth: 1, isExact: true };
  return { on: /./, nth: 1 + Math.floor(chance() * Math.min(tasks, APART)), isExact: chance() < 0.5 };
}

/** Returns the list in an order that `chance` decides. */
const shuffled = <T>(list: readonly T[], chance: () => number): T[] =>
  list
    .map((item) => [chance(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
