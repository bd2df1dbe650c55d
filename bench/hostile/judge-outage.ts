import { median } from "../database.ts";
import { sumUp } from "./fared.ts";
import { type OutageOutcome, REQUEST_SECONDS } from "./play-outage.ts";

/** What a busy machine may add to a deadline, in seconds. */
const GRACE_SECONDS = 1;

/**
 * Judges the rounds of an outage. Requests may be refused while it lasts, but each has to be answered in time; afterwards
 * the service has to be as fast as before.
 *
 * @param mostRatio the largest allowed ratio of times afterwards to those before
 */
export function judgeOutage(outcomes: readonly OutageOutcome[], mostRatio: number): { lines: string[]; ok: boolean } {
  const during = outcomes.flatMap((one) => one.during);
  const refused = during.filter(({ ending }) => ending === "refused").length;
  const failed = during.filter(({ ending }) => ending === "failed").length;
  const longest = Math.max(...during.map(({ ms }) => ms)) / 1_000;
  const recoveries = outcomes.flatMap(({ recoverySeconds }) => recoverySeconds ?? []);
  const recovered = recoveries.length === outcomes.length;
  const [quiet, afterwards] = (["quiet", "afterwards"] as const).map((time) => {
    const all = outcomes.map((one) => sumUp(one[time]));
    return {
      p50: median(all.map(({ p50 }) => p50)),
      p99: median(all.map(({ p99 }) => p99)),
      failed: all.reduce((sum, one) => sum + one.failed, 0),
    };
  }) as [Times, Times];
  const p50 = afterwards.p50 / quiet.p50;
  const p99 = afterwards.p99 / quiet.p99;
  const others = outcomes.reduce((sum, one) => sum + one.others, 0);
  const survived = outcomes.every((one) => one.survived);
  const memory = (["memoryBefore", "memoryPeak"] as const).map((of) => Math.max(...outcomes.map((one) => one[of])));
  const lines = [
    `meanwhile: ${during.length} requests, ${refused} refused with 503, ${failed} failed otherwise; the longest took ${longest.toFixed(1)} s (at most ${REQUEST_SECONDS} s are promised)`,
    recovered
      ? `recovered ${Math.max(...recoveries).toFixed(1)} s after it ended (or began, if it ends by itself), at the latest`
      : "did not recover",
    `afterwards: p50 ×${p50.toFixed(1)} (${quiet.p50.toFixed(1)} to ${afterwards.p50.toFixed(1)} ms), p99 ×${p99.toFixed(1)} (${quiet.p99.toFixed(1)} to ${afterwards.p99.toFixed(1)} ms), ${afterwards.failed} failed`,
    `memory ${memory.map((mebibytes) => mebibytes.toFixed(0)).join(" to ")} MiB`,
    ...(survived ? [] : ["the service did not survive"]),
    ...(others === 0 ? [] : [`${others} more processes started on the same data`]),
  ];
  const inTime = during.length > 0 && refused > 0 && failed === 0 && longest <= REQUEST_SECONDS + GRACE_SECONDS;
  return {
    lines,
    ok:
      survived &&
      others === 0 &&
      inTime &&
      recovered &&
      afterwards.failed === 0 &&
      p50 <= mostRatio &&
      p99 <= mostRatio,
  };
}

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}
