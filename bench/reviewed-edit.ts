/** What an edit costs while a review of the estimation is open, against the same edit without one. */
import { pino } from "pino";
import { createClient } from "../contract/client/client.ts";
import { startService } from "../server/app.ts";
import { loadConfig } from "../server/config.ts";
import { benchDatabase, median } from "./database.ts";

/** The most that an edit may cost, as a multiple of one without a review. */
const MOST = 1.2;
const ROUNDS = 15;
const EDITS = 60;

const database = await benchDatabase();
const config = loadConfig({ DATA_DIR: database.dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000" });
const service = await startService({
  ...{ config, connection: database.connection, log: pino({ level: "silent" }), only: "api" },
});

let token: string | null = null;
const client = createClient(service.url, () => token);
const body = { email: "bench@example.com", password: "correct horse battery" };
token = (await client.registerUser({ body })).data.token;

/** An estimation of usual size. */
async function makeEstimation() {
  const { data } = await client.createEstimation({ body: { title: "Checkout" } });
  const params = { id: data.estimation.id };
  const nodes = Array.from({ length: 20 }, (_, n) => ({
    title: `Question ${n}`,
    kind: "multi" as const,
    options: Array.from({ length: 3 }, (__, o) => ({ title: `Answer ${o}`, hours: 4 + o })),
  }));
  const { tree } = (await client.replaceTree({ params, body: { nodes } })).data;
  return { id: params.id, options: tree.nodes.flatMap(({ options }) => options.map(({ id }) => id)) };
}

/** Milliseconds that an edit takes, on average of a round: each selects or deselects an option. */
async function round({ id, options }: Awaited<ReturnType<typeof makeEstimation>>, select: boolean) {
  const from = performance.now();
  for (const optionId of options.slice(0, EDITS)) {
    const params = { id, optionId };
    if (select) await client.selectOption({ params });
    else await client.deselectOption({ params });
  }
  return (performance.now() - from) / EDITS;
}

const plain = await makeEstimation();
const reviewed = await makeEstimation();
const reviewer = await client.registerUser({ body: { ...body, email: "reviewer@example.com" } });
await client.requestReview({ params: { id: reviewed.id }, body: { reviewerId: reviewer.data.user.id } });

const times = new Map([plain, reviewed].map((each) => [each, [] as number[]]));
for (let n = -2; n < ROUNDS; n += 1) {
  for (const each of n % 2 === 0 ? [plain, reviewed] : [reviewed, plain]) {
    const time = await round(each, n % 2 === 0);
    if (n >= 0) times.get(each)?.push(time);
  }
}

const [less, more] = [plain, reviewed].map((each) => times.get(each) ?? []) as [number[], number[]];
const ratios = more.map((time, n) => time / (less[n] ?? 1));
const ratio = median(ratios);
console.log(
  `an edit: ${median(more).toFixed(2)} ms while a review is open, ${median(less).toFixed(2)} ms without: ${ratio.toFixed(2)} times (rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; at most ${MOST})`,
);
for (const stop of [service.stop, database.stop]) await stop();
process.exitCode = ratio <= MOST ? 0 : 1;
