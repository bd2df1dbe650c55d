/**
 * What an edit costs with the row of activity that it writes, against the same edit without it: two services on one
 * database, in one process, asked in turns. And what it costs while the estimation is under review, against the first.
 */
import { pino } from "pino";
import { createClient } from "../contract/client.ts";
import type { ApiParts } from "../server/api.ts";
import { startService } from "../server/app.ts";
import { loadConfig } from "../server/config.ts";
import { benchDatabase, median } from "./database.ts";

/** The most that an edit may cost, as a multiple of one without activity, and of one without a review. */
const MOST = 1.2;
const ROUNDS = 15;
const EDITS = 60;

const database = await benchDatabase();
const config = loadConfig({ DATA_DIR: database.dataDir, PORT: "0", RATE_LIMIT_PER_MINUTE: "1000000" });
const start = (adjust: (parts: ApiParts) => ApiParts) =>
  startService({
    ...{ config, connection: database.connection, log: pino({ level: "silent" }) },
    ...{ only: "api" as const, adjust },
  });
const withActivity = await start((parts) => parts);
const without = await start(({ handlers, mounting: { recordCall: _, ...mounting } }) => ({ handlers, mounting }));

let token: string | null = null;
const clients = [withActivity, without].map(({ url }) => createClient(url, () => token));
const [client] = clients as [(typeof clients)[number]];
const body = { email: "bench@example.com", password: "correct horse battery" };
token = (await client.registerUser({ body })).data.token;

/** An estimation of usual size, for each service its own. */
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
async function round(at: number, { id, options }: Awaited<ReturnType<typeof makeEstimation>>, select: boolean) {
  const from = performance.now();
  for (const optionId of options.slice(0, EDITS)) {
    const params = { id, optionId };
    if (select) await clients[at]?.selectOption({ params });
    else await clients[at]?.deselectOption({ params });
  }
  return (performance.now() - from) / EDITS;
}

const estimations = [await makeEstimation(), await makeEstimation(), await makeEstimation()] as const;
const reviewer = await client.registerUser({ body: { ...body, email: "reviewer@example.com" } });
const reviewerId = reviewer.data.user.id;
await client.requestReview({ params: { id: estimations[2].id }, body: { reviewerId } });

/** The service that each of the three is asked at; the last is the estimation under review. */
const SERVICES = [0, 1, 0] as const;
const times: [number[], number[], number[]] = [[], [], []];
for (let n = -2; n < ROUNDS; n += 1) {
  for (const at of n % 2 === 0 ? ([0, 1, 2] as const) : ([2, 1, 0] as const)) {
    const each = await round(SERVICES[at], estimations[at], n % 2 === 0);
    if (n >= 0) times[at].push(each);
  }
}

/** Prints how much more an edit costs than another one, and returns whether it may. */
function tell(what: string, [more, less]: readonly [number[], number[]]): boolean {
  const ratios = more.map((time, n) => time / (less[n] ?? 1));
  const ratio = median(ratios);
  console.log(
    `an edit: ${median(more).toFixed(2)} ms ${what}, ${median(less).toFixed(2)} ms without: ${ratio.toFixed(2)} times (rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; at most ${MOST})`,
  );
  return ratio <= MOST;
}

const fits = [
  tell("with its row of activity", [times[0], times[1]]),
  tell("while a review is open", [times[2], times[0]]),
];
for (const stop of [withActivity.stop, without.stop, database.stop]) await stop();
process.exitCode = fits.every(Boolean) ? 0 : 1;
