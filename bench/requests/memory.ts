/**
 * What compressed responses cost: requests a second of `GET /api/estimations` with them against those without, in turns; and the
 * memory of the process before and after 100,000 requests.
 */
import { once } from "node:events";
import { benchDatabase, median } from "../database.ts";
import { fill, load, round, type Server, start } from "./stage.ts";

const ROUNDS = 5;
const REQUESTS = 100_000;
/** Requests before anything is measured, until compiled code runs. */
const WARM_UP = 20_000;
/** Compressing may cost a client that asks for it 3 % of the requests a second. */
const LEAST_CODED_RATIO = 0.97;
const MOST_GROWTH = 1.1;

async function memory({ process }: Server): Promise<{ heapUsed: number; rss: number }> {
  process.send("memory");
  const [usage] = (await once(process, "message")) as [{ heapUsed: number; rss: number }];
  return usage;
}

const database = await benchDatabase();
const service = await start("./service.ts", JSON.stringify(database.connection), database.dataDir);
try {
  const filled = await fill(service.url, database.connection);
  await load(service.url, filled, { amount: WARM_UP });
  const perSecond = async (coding?: string): Promise<number> =>
    (await round([service], filled, { dataDir: database.dataDir, coding })).perSecond;

  // What browsers and most clients send, and what few clients send.
  for (const coding of ["gzip, deflate, br", "br"]) {
    const compressed: number[] = [];
    for (let at = 0; at < ROUNDS; at += 1) compressed.push((await perSecond(coding)) / (await perSecond()));
    console.log(
      `with "Accept-Encoding: ${coding}": ${median(compressed).toFixed(2)} of the requests without (at least ${LEAST_CODED_RATIO} wanted for gzip); rounds ${compressed.map((ratio) => ratio.toFixed(2)).join(" ")}`,
    );
    if (coding !== "br" && median(compressed) < LEAST_CODED_RATIO) process.exitCode = 1;
  }

  const before = await memory(service);
  await load(service.url, filled, { amount: REQUESTS });
  const after = await memory(service);
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  console.log(
    `memory over ${REQUESTS} requests: heap ${mebibytes(before.heapUsed)} to ${mebibytes(after.heapUsed)} MiB (ratio ${(after.heapUsed / before.heapUsed).toFixed(2)}), resident ${mebibytes(before.rss)} to ${mebibytes(after.rss)} MiB (ratio ${(after.rss / before.rss).toFixed(2)}; within ${MOST_GROWTH} wanted)`,
  );
  if (after.heapUsed > before.heapUsed * MOST_GROWTH || after.rss > before.rss * MOST_GROWTH) process.exitCode = 1;
} finally {
  service.process.kill();
  await database.stop();
}
