import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "vitest";
import { endpoints } from "../../contract/endpoint.ts";
import { limits } from "../../contract/limits.ts";
import { Shape } from "../../contract/shapes.ts";
import { setScene } from "../../server/features/timeline/testing/scene.ts";
import { request, start, until } from "../harness.ts";
import { serveRows } from "../support/planted-rows.ts";

const app = await start();
const scene = await setScene(app);
await scene.setTimeline({ startDate: "2026-03-02" });
// From now on the tree counts as large.
await app.pool.query("update decision_trees set bytes = $1", [limits.inProcessBytes + 1]);
const rows = endpoints({
  watch: {
    method: "GET",
    path: "/api/lines",
    summary: "Watch",
    access: "estimations:read",
    reply: { status: 200, lines: Shape({}) },
  },
});
const streams = await serveRows(app.services, rows, {
  async watch() {
    async function* lines() {
      yield {};
    }
    return { lines: lines() };
  },
});

/** Requests that may be under way on a connection. */
const MOST = limits.pipelinedRequests;

const WAITING =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Sends `count` requests on a connection of their own, all at once. */
async function open(url: string, path: string, count: number): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${scene.user.token}\r\n\r\n`.repeat(count),
  );
  return socket;
}

test.each([
  ["large requests", app.url, `${scene.path}/tree`, "estimations", [1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ["large requests, several on a connection", app.url, `${scene.path}/tree`, "estimations", [MOST, MOST, 1]],
  ["simulations", app.url, `${scene.path}/milestones`, "estimations", [1, 1, 1]],
  ["streams", streams.url, "/api/lines", "users", [1, 1, 1, 1, 1]],
  ["streams, several on a connection", streams.url, "/api/lines", "users", [MOST, 1]],
])("%s whose clients are gone before their work begins take no places", async (_, url, path, table, counts) => {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const holder = await app.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(`lock table ${table} in access exclusive mode`);
    const sockets = await Promise.all(counts.map((count) => open(url, path, count)));
    await until(async () => (await app.pool.query(WAITING)).rows[0].n === all);
    for (const socket of sockets) socket.resetAndDestroy();
    // Once the service has answered a later request, it knows that the clients are gone.
    await request(url, "GET", "/api/nothing");
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  await until(async () => (await app.pool.query(WAITING)).rows[0].n === 0);
  const answer = () => request(url, "GET", path, { token: scene.user.token });
  await until(async () => (await answer()).status === 200);
});
