import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, until } from "../../../tests/harness.ts";

const app = await start();
const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Build server", hours: 8 }] }];

/** An export that no worker runs, and the events of its stream as they come. */
async function watched() {
  const { token } = await app.signUp();
  const call = (method: string, path: string, body?: object) => app.request(method, path, { token, body });
  const { data } = await call("POST", "/api/estimations", { title: "Shop" });
  const path = `/api/estimations/${data.estimation?.id}`;
  await call("PUT", `${path}/tree`, { nodes });
  await call("POST", `${path}/tasks/generate`);
  const connection = await call("POST", "/api/connections", { target: "github", name: "x", token: "ghp_x" });
  const started = await call("POST", `${path}/tasks/export`, {
    target: "github",
    connectionId: connection.data.connection?.id,
    repository: "acme/shop",
  });
  const id = String(started.data.export?.id);
  const open = () =>
    fetch(`${app.url}${path}/exports/${id}/progress`, { headers: { authorization: `Bearer ${token}` } });
  const response = await open();
  let text = "";
  let isOver = false;
  void (async () => {
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
    isOver = true;
  })();
  const change = (set: string) => app.pool.query(`update export_runs set ${set} where id = $1`, [id]);
  /** Lets the time go on, second by second, until something is seen. */
  const see = (condition: () => boolean) =>
    until(async () => {
      if (condition()) return true;
      await app.clock.advance(1_000);
      return null;
    });
  const events = () =>
    text
      .split("\n\n")
      .filter((part) => part.startsWith("event: progress\ndata: "))
      .map((part) => JSON.parse(part.slice("event: progress\ndata: ".length)));
  await until(() => events().length === 1);
  return { token, path, id, call, response, change, see, events, text: () => text, isOver: () => isOver, open };
}

test("a stream shows each change of an export, from its present state to its end", async () => {
  const { response, change, see, events, isOver } = await watched();
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(events()[0]).toMatchObject({ status: "queued", progress: { created: 0 } });
  await change("status = 'running', total = 2, created = 1");
  await see(() => events().length === 2);
  await change("status = 'completed', created = 2, ended_at = now()");
  await see(isOver);
  expect(events().map(({ status, progress }) => [status, progress.created])).toEqual([
    ["queued", 0],
    ["running", 1],
    ["completed", 2],
  ]);
});

test("a stream shows that it is alive, and ends when the token is revoked", async () => {
  const { call, see, text, isOver, events } = await watched();
  await see(() => text().includes(": alive\n\n"));
  await call("POST", "/api/auth/logout");
  await see(isOver);
  expect(events()).toHaveLength(1);
});

test("a stream ends when the access ends", async () => {
  const { path, call, see, isOver, events } = await watched();
  await call("DELETE", path);
  await see(isOver);
  expect(events()).toHaveLength(1);
});

test("the number of streams that a user reads at the same time is limited", async () => {
  const { open } = await watched();
  const others = await Promise.all(Array.from({ length: limits.streamsPerUser }, open));
  expect(others.map(({ status }) => status).sort()).toEqual([...Array(limits.streamsPerUser - 1).fill(200), 429]);
  for (const { body } of others) await body?.cancel();
});
