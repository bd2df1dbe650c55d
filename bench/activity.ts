/**
 * What an edit costs with the row of activity that it writes, against the same edit without it: two services on one
 * database, in one process, asked in turns.
 */
import { pino } from "pino";
import { createClient } from "../contract/client.ts";
import { type ApiParts, startService } from "../server/app.ts";
import { loadConfig } from "../server/config.ts";
import { benchDatabase, median } from "./database.ts";

/** The most that an edit may cost, as a multiple of one without activity. */
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

const estimations = [await makeEstimation(), await makeEstimation()] as const;
const times: [number[], number[]] = [[], []];
for (let n = -2; n < ROUNDS; n += 1) {
  for (const at of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
    const each = await round(at, estimations[at], n % 2 === 0);
    if (n >= 0) times[at].push(each);
  }
}
const ratios = times[0].map((time, n) => time / (times[1][n] ?? 1));
const ratio = median(ratios);
console.log(
  `an edit: ${median(times[0]).toFixed(2)} ms with its row of activity, ${median(times[1]).toFixed(2)} ms without: ${ratio.toFixed(2)} times (rounds ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}; at most ${MOST})`,
);
for (const stop of [withActivity.stop, without.stop, database.stop]) await stop();
process.exitCode = ratio > MOST ? 1 : 0;
