/**
 * What counting costs: requests a second of `GET /api/estimations`, and the processor time of each, with metrics that are read
 * every fifth second, three times as often as usual, against none. Both are served by one process, in turns: two processes of the
 * same program differ by more than what is measured here.
 */
import { benchDatabase, median } from "../database.ts";
import { fill, load, type Round, round, start } from "./stage.ts";

const ROUNDS = 30;
const SECONDS = 1;
const WARM_UP = 20_000;
/** In each of so many rounds, the metrics are read once. */
const SCRAPED = 5;
const MOST_COST = 0.02;
const TOKEN = "the-token-of-the-benchmark";

const database = await benchDatabase();
const settings = JSON.stringify([{}, { METRICS_TOKEN: TOKEN }]);
const both = await start("./service.ts", JSON.stringify(database.connection), database.dataDir, settings);
const [plain, measured] = (both.urls ?? []).map((url) => ({ process: both.process, url }));
if (!plain || !measured) throw new Error("the process has not both services");
const scraped: { ms: number; bytes: number }[] = [];
const scrape = async () => {
  const began = performance.now();
  const response = await fetch(`${measured.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  if (response.status !== 200) throw new Error(`/metrics returned ${response.status}`);
  scraped.push({ bytes: (await response.text()).length, ms: performance.now() - began });
};
try {
  const filled = await fill(plain.url, database.connection);
  for (const server of [plain, measured]) await load(server.url, filled, { amount: WARM_UP });
  const rounds = { plain: [] as Round[], measured: [] as Round[] };
  const play = async (which: "plain" | "measured") => {
    const server = which === "plain" ? plain : measured;
    const playing = round([server], filled, { dataDir: database.dataDir, seconds: SECONDS });
    if (which === "measured" && rounds.measured.length % SCRAPED === 0) await scrape();
    rounds[which].push(await playing);
  };
  for (let at = 0; at < ROUNDS; at += 1) {
    // Who is first alternates too.
    for (const which of at % 2 === 0 ? (["plain", "measured"] as const) : (["measured", "plain"] as const))
      await play(which);
  }
  const all = (which: keyof typeof rounds, field: keyof Round) => rounds[which].map((one) => one[field]);
  const show = (what: string, field: keyof Round, digits: number) =>
    `${what} ${median(all("measured", field)).toFixed(digits)} with metrics, ${median(all("plain", field)).toFixed(digits)} without`;
  const pairs = (field: keyof Round) =>
    all("measured", field).map((value, at) => value / (all("plain", field)[at] ?? 1));
  console.log(`GET /api/estimations: ${show("requests a second", "perSecond", 0)}`);
  console.log(`  ${show("milliseconds of the process for each", "nodeMs", 4)}`);
  const rate = median(pairs("perSecond"));
  const work = median(pairs("nodeMs"));
  console.log(
    `ratio of the rates, median of ${ROUNDS} pairs: ${rate.toFixed(3)}; of processor time: ${work.toFixed(3)}`,
  );
  console.log(
    `reading the metrics under this load: ${median(scraped.map(({ ms }) => ms)).toFixed(0)} ms, ${median(scraped.map(({ bytes }) => bytes))} bytes`,
  );
  // The processor time is what bounds the rate, and depends less on what else the machine does.
  if (Math.min(1 / rate, work) > 1 + MOST_COST) process.exitCode = 1;
} finally {
  both.process.kill();
  await database.stop();
}
