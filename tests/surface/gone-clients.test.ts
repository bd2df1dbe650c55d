import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "vitest";
import { endpoints } from "../../contract/endpoint.ts";
import { Shape } from "../../contract/shapes.ts";
import { setScene } from "../../server/features/timeline/testing/scene.ts";
import { request, start, until } from "../harness.ts";
import { serveEndpoints } from "../support/planted-endpoints.ts";

const app = await start();
const scene = await setScene(app);
await scene.setTimeline({ startDate: "2026-03-02" });
const rows = endpoints({
  watch: {
    method: "GET",
    path: "/api/lines",
    summary: "Watch",
    access: "estimations:read",
    response: { status: 200, stream: Shape({}) },
  },
});
const streams = await serveEndpoints(app.services, rows, {
  async watch() {
    async function* lines() {
      yield {};
    }
    return { stream: lines() };
  },
});

const WAITING =
  "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Sends a request on a connection of its own. */
async function open(url: string, path: string): Promise<Socket> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${scene.user.token}\r\n\r\n`);
  return socket;
}

test.each([
  ["reads of a tree", app.url, `${scene.path}/tree`, "estimations", 9],
  ["forecasts", app.url, `${scene.path}/milestones`, "estimations", 3],
  ["streams", streams.url, "/api/lines", "users", 5],
])("%s whose clients disconnect before their work begins hold no slots", async (_, url, path, table, all) => {
  const holder = await app.pool.connect();
  try {
    await holder.query("begin");
    await holder.query(`lock table ${table} in access exclusive mode`);
    const sockets = await Promise.all(Array.from({ length: all }, () => open(url, path)));
    await until(async () => (await app.pool.query(WAITING)).rows[0].n === all);
    for (const socket of sockets) socket.resetAndDestroy();
    // Once the service has responded to a later request, it knows that the clients are gone.
    await request(url, "GET", "/api/nothing");
  } finally {
    await holder.query("rollback");
    holder.release();
  }
  await until(async () => (await app.pool.query(WAITING)).rows[0].n === 0);
  const response = () => request(url, "GET", path, { token: scene.user.token });
  await until(async () => (await response()).status === 200);
});
