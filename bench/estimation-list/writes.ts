/**
 * What an edit of an estimation takes, by how many readers and tags it has: each has the edit in the lists of all. Prints
 * milliseconds of a request that selects an option, and of one that changes the tags, and PostgreSQL's processor time for each,
 * which other work on the machine hardly changes.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createClient } from "../../contract/client/client.ts";
import { drizzleOver } from "../../server/db/database.ts";
import { relist } from "../../server/features/estimations/listing-store.ts";
import { benchDatabase, median } from "../database.ts";
import { startPostgresTime } from "../processor-time.ts";

const ROUNDS = 60;
const READERS = [1, 10, 100, 1_000];
const TAGS = [0, 3, 20];

const database = await benchDatabase();
const service = fork(
  fileURLToPath(new URL("../requests/service.ts", import.meta.url)),
  [JSON.stringify(database.connection), database.dataDir],
  { execArgv: ["--expose-gc"] },
);
try {
  const [{ url }] = (await once(service, "message")) as [{ url: string }];
  const pool = new pg.Pool(database.connection);
  pool.on("error", () => {});
  let token: string | null = null;
  const client = createClient(url, () => token);
  const body = { email: "bench@example.com", password: "correct horse battery" };
  token = (await client.registerUser({ body })).data.token;
  await pool.query(
    `insert into users (id, email, name, created_at)
     select 'usr_' || n, n || '@example.org', 'Reader', now() from generate_series(2, $1) n`,
    [READERS.at(-1)],
  );
  console.log(`medians of ${ROUNDS}, in ms; in brackets PostgreSQL's processor time`);
  for (const tags of TAGS) {
    for (const readers of READERS) {
      const names = Array.from({ length: tags }, (_, n) => `tag ${n}`);
      const { data } = await client.createEstimation({ body: { title: "Shared", tags: names } });
      const { id } = data.estimation;
      const nodes = [
        {
          title: "Part",
          kind: "single" as const,
          options: [
            { title: "One", hours: 1 },
            { title: "Two", hours: 2 },
          ],
        },
      ];
      const { tree } = (await client.replaceTree({ params: { id }, body: { nodes } })).data;
      const options = tree.nodes[0]?.options.map((option) => option.id) ?? [];
      await pool.query(
        "insert into estimation_readers (estimation_id, user_id, shared) select $1, 'usr_' || n, 'viewer' from generate_series(2, $2) n",
        [id, readers],
      );
      await relist(drizzleOver(pool), id);
      const edit = await timed((round) =>
        client.selectOption({ params: { id, optionId: options[round % 2] ?? "" } }).then(() => {}),
      );
      const retag = await timed((round) =>
        client
          .updateEstimation({ params: { id }, body: { tags: [...names.slice(1), `other ${round % 2}`] } })
          .then(() => {}),
      );
      console.log(`${tags} tags, ${readers} readers: an edit ${edit}, other tags ${retag}`);
    }
  }
  await pool.end();
} finally {
  service.kill();
  await database.stop();
}

/** The median of the milliseconds that `work` takes, after a few rounds that do not count, and PostgreSQL's mean. */
async function timed(work: (round: number) => Promise<void>): Promise<string> {
  const times: number[] = [];
  let postgresTime = startPostgresTime(database.dataDir);
  for (let round = -10; round < ROUNDS; round += 1) {
    if (round === 0) postgresTime = startPostgresTime(database.dataDir);
    const start = performance.now();
    await work(round + 10);
    if (round >= 0) times.push(performance.now() - start);
  }
  return `${median(times).toFixed(1)} (${(postgresTime() / ROUNDS).toFixed(2)})`;
}
