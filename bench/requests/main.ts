/**
 * Requests a second of `GET /api/estimations` (API key, 20 of 10,000 rows) in one process, against bare `node:http` and
 * `pg` doing the same two queries in the same run, in turns, with the processor time that each request takes of the process
 * and of PostgreSQL; the same with compressed responses; and the memory of the process before and after 100,000 requests.
 */
import { once } from "node:events";
import { benchDatabase, median } from "../database.ts";
import { fill, load, type Round, round, type Server, start } from "./stage.ts";

const ROUNDS = 5;
const CODED_ROUNDS = 5;
const REQUESTS = 100_000;
/** Requests before anything is measured, until both run compiled code. */
const WARM_UP = 20_000;
const LEAST_RATIO = 0.75;
/** Compressing may cost a client that asks for it 3 % of the requests a second. */
const LEAST_CODED_RATIO = 0.97;
const MOST_GROWTH = 1.1;

const perSecond = async (server: Server, key: string, coding?: string): Promise<number> =>
  (await round(server, key, { dataDir: database.dataDir, coding })).perSecond;

async function memory({ process }: Server): Promise<{ heapUsed: number; rss: number }> {
  process.send("memory");
  const [usage] = (await once(process, "message")) as [{ heapUsed: number; rss: number }];
  return usage;
}

const sumOf = ({ nodeMs, postgresMs }: Round): number => nodeMs + postgresMs;

const database = await benchDatabase();
const connection = JSON.stringify(database.connection);
const service = await start("./service.ts", connection, database.dataDir);
const reference = await start("./reference-server.ts", connection);
try {
  const key = await fill(service.url, database.connection);
  for (const server of [service, reference]) await load(server.url, key, { amount: WARM_UP });
  const ours: Round[] = [];
  const theirs: Round[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    ours.push(await round(service, key, database));
    theirs.push(await round(reference, key, database));
  }
  const typical = (rounds: readonly Round[], field: keyof Round) => median(rounds.map((one) => one[field]));
  const ratios = ours.map((one, at) => one.perSecond / (theirs[at]?.perSecond ?? 1));
  console.log(
    `GET /api/estimations: ${typical(ours, "perSecond").toFixed(0)} a second; bare node:http + pg: ${typical(theirs, "perSecond").toFixed(0)} a second`,
  );
  console.log(
    `ratio ${median(ratios).toFixed(2)} (at least ${LEAST_RATIO} wanted); rounds ${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}`,
  );
  const shown = (rounds: readonly Round[]) =>
    `${typical(rounds, "nodeMs").toFixed(3)} + ${typical(rounds, "postgresMs").toFixed(3)}`;
  const work = ours.map((one, at) => sumOf(theirs[at] ?? one) / sumOf(one));
  console.log(
    `processor time of a request, of the process + of PostgreSQL: ${shown(ours)} ms; bare: ${shown(theirs)} ms; bare / ours ${median(work).toFixed(2)}`,
  );

  if (median(ratios) < LEAST_RATIO) process.exitCode = 1;

  // What browsers and most clients send, and what few clients send.
  for (const coding of ["gzip, deflate, br", "br"]) {
    const compressed: number[] = [];
    for (let at = 0; at < CODED_ROUNDS; at += 1) {
      compressed.push((await perSecond(service, key, coding)) / (await perSecond(service, key)));
    }
    console.log(
      `with "Accept-Encoding: ${coding}": ${median(compressed).toFixed(2)} of the requests without (at least ${LEAST_CODED_RATIO} wanted for gzip); rounds ${compressed.map((ratio) => ratio.toFixed(2)).join(" ")}`,
    );
    if (coding !== "br" && median(compressed) < LEAST_CODED_RATIO) process.exitCode = 1;
  }

  const before = await memory(service);
  await load(service.url, key, { amount: REQUESTS });
  const after = await memory(service);
  const mebibytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
  console.log(
    `memory over ${REQUESTS} requests: heap ${mebibytes(before.heapUsed)} to ${mebibytes(after.heapUsed)} MiB (ratio ${(after.heapUsed / before.heapUsed).toFixed(2)}), resident ${mebibytes(before.rss)} to ${mebibytes(after.rss)} MiB (ratio ${(after.rss / before.rss).toFixed(2)}; within ${MOST_GROWTH} wanted)`,
  );
  if (after.heapUsed > before.heapUsed * MOST_GROWTH || after.rss > before.rss * MOST_GROWTH) process.exitCode = 1;
} finally {
  service.process.kill();
  reference.process.kill();
  await database.stop();
}
