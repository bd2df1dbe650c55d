/**
 * Deliveries a second through the whole path (committed, signed, posted over HTTPS, outcome recorded) against a bare loop
 * around undici that posts the same over the same TLS with the same concurrency, in turns; then the whole path with little
 * and with much in the log. Arguments: deliveries in a round, rounds, rows of the long log (0: without that part).
 */
import { report } from "../result.ts";
import { benchLongLog } from "./long-log.ts";
import { setStage } from "./stage.ts";
import { benchThroughput } from "./throughput.ts";

const LEAST_RATIO_OF_LONG_LOG = 0.9;
const [amount = 10_000, rounds = 5, rows = 1_000_000] = process.argv.slice(2).map(Number);
const list = (ratios: readonly number[]): string => ratios.map((ratio) => ratio.toFixed(2)).join(" ");

const stage = await setStage();
try {
  await stage.startWorker();
  for (const [endpoints, loops, leastRatio, called] of [
    [1, 32, 0.35, "1 endpoint"],
    [20, 400, 0.45, "20 endpoints"],
  ] as const) {
    const { service, bare, ratio, ratios } = await benchThroughput(stage, { endpoints, loops, amount, rounds });
    report({
      name: `deliveries to ${called}`,
      reference: `bare undici, ${loops} at once`,
      unit: "/s",
      ours: service.perSecond,
      theirs: bare.perSecond,
      ratio,
      target: { least: leastRatio },
    });
    console.log(
      `  rounds ${list(ratios)}; processor time for each: worker ${service.cpuMicroseconds.toFixed(0)} µs, bare loop ${bare.cpuMicroseconds.toFixed(0)} µs`,
    );
  }
} finally {
  await stage.close();
}

if (rows > 0) {
  const { short, long, ratio, ratios } = await benchLongLog(rows, amount, rounds);
  console.log(`log of 1,000 deliveries: ${short.toFixed(0)} a second; of ${rows}: ${long.toFixed(0)}`);
  console.log(`  ratio ${ratio.toFixed(2)} (at least ${LEAST_RATIO_OF_LONG_LOG} wanted); rounds ${list(ratios)}`);
  if (ratio < LEAST_RATIO_OF_LONG_LOG) process.exitCode = 1;
}
