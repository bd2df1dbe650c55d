import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createFakeClock } from "../../tests/fake-clock.ts";
import { start, until } from "../../tests/harness.ts";
import { atEndOfFile } from "../../tests/support/end-of-file.ts";
import { createListener } from "./listen-store.ts";

const app = await start();

/** A way to the database that can be cut without a word, for the connections that are open then. */
async function startWay() {
  const pairs = new Set<readonly [Socket, Socket]>();
  const server = createServer((from) => {
    const to = database.startsWith("/") ? connect(`${database}/.s.PGSQL.${port}`) : connect(port, database);
    for (const socket of [from, to]) socket.on("error", () => {});
    from.pipe(to).pipe(from);
    pairs.add([from, to]);
  });
  const { host: database = "127.0.0.1", port = 5432 } = app.connection;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  atEndOfFile(async () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    server.close();
  });
  const cut = () => {
    for (const [from, to] of pairs) {
      from.unpipe(to);
      to.unpipe(from);
    }
    return pairs.size;
  };
  return { port: typeof address === "object" && address ? address.port : 0, count: () => pairs.size, cut };
}

test("a connection that does not answer is made anew, and what was missed is looked for", async () => {
  const way = await startWay();
  const clock = createFakeClock();
  const listener = createListener({ ...app.connection, host: "127.0.0.1", port: way.port }, app.services.log, clock);
  atEndOfFile(() => listener.stop());
  const heard: string[] = [];
  let missed = 0;
  listener.on(
    "spoken",
    (payload) => heard.push(payload),
    () => {
      missed += 1;
    },
  );
  const say = (word: string) => app.pool.query("select pg_notify('spoken', $1)", [word]);
  await until(() => missed === 1);
  await say("first");
  await until(() => heard.includes("first"));
  // One that answers stays.
  const tried = "select from pg_stat_activity where datname = current_database() and query = 'select 1 as listening'";
  await clock.advance(15_000);
  await until(async () => (await app.pool.query(`${tried} and state = 'idle'`)).rowCount === 1);
  way.cut();
  await say("second");
  await until(async () => {
    await clock.advance(5_000);
    return missed === 2;
  });
  await say("third");
  await until(() => heard.includes("third"));
  expect([heard, way.count()]).toEqual([["first", "third"], 2]);
});
