import { describe, expect, test } from "vitest";
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

test("a stream shows each change of an export, from its current state to its end", async () => {
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

test("a stream sends heartbeats", async () => {
  const { see, text, isOver } = await watched();
  await see(() => text().includes(": alive\n\n"));
  expect(isOver()).toBe(false);
});

describe("a stream ends within two seconds", () => {
  /** Lets two seconds pass in steps, and waits for what they cause. */
  const twoSeconds = async (isOver: () => boolean) => {
    await app.clock.advance(1_000);
    await app.clock.advance(1_000);
    // A check that was under way in between is followed by another one.
    await until(async () => isOver() || null, 5_000).catch(() => app.clock.advance(1_000));
    await until(async () => isOver() || null);
  };

  test("of the end of all sessions", async () => {
    const { call, isOver, events } = await watched();
    await call("POST", "/api/auth/logout");
    await twoSeconds(isOver);
    expect(events()).toHaveLength(1);
  });

  test("of the expiry of its session token", async () => {
    const { token, isOver } = await watched();
    const { exp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    await app.clock.advance(exp * 1_000 - app.clock.now().getTime() - 500);
    await twoSeconds(isOver);
  });

  test.each([
    ["is revoked", async (path: string, token: string) => void (await app.request("DELETE", path, { token }))],
    [
      "loses the scope",
      async (path: string, token: string) => void (await app.request("PATCH", path, { token, body: { scopes: [] } })),
    ],
    ["expires", async () => app.clock.advance(10_000)],
  ])("of the moment when its key %s", async (_, change) => {
    const { path, id, token, call } = await watched();
    const expiresAt = new Date(app.clock.now().getTime() + 10_000).toISOString();
    const body = { name: "CI", scopes: ["tasks:export", "tasks:read"], expiresAt };
    const { data } = await call("POST", "/api/api-keys", body);
    const { body: stream } = await fetch(`${app.url}${path}/exports/${id}/progress`, {
      headers: { authorization: `Bearer ${data.plaintext}` },
    });
    let isOver = false;
    void (async () => {
      for await (const _ of stream ?? []);
      isOver = true;
    })();
    await app.clock.advance(1_000);
    expect(isOver).toBe(false);
    await change(`/api/api-keys/${data.apiKey?.id}`, token);
    await twoSeconds(() => isOver);
  });
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
