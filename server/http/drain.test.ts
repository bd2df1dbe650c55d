import { once } from "node:events";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { start, until } from "../../tests/harness.ts";
import { runAnother } from "../../tests/support/another-process.ts";
import { atEndOfFile } from "../../tests/support/end-of-file.ts";
import { patient } from "../../tests/support/patience.ts";

const app = await start({ proxyIdleMs: patient(150_000) });

/** A client with one connection, which it keeps open as a proxy does, unless it should not. */
function makeClient({ keepAlive = true, url = app.url } = {}) {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
  atEndOfFile(async () => agent.destroy());
  return async (path: string, { token = "", body = "" } = {}) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request(url + path, { agent, headers, method: body === "" ? "GET" : "POST" });
    sent.end(body);
    const [response] = await once(sent, "response");
    return { text: await text(response), end: [response.statusCode, response.headers.connection] };
  };
}

const untilClosed = (url: string) =>
  until(() =>
    makeClient({ keepAlive: false, url })("/healthz").then(
      () => false,
      ({ code }) => code === "ECONNREFUSED",
    ),
  );

test("a service without a proxy closes idle connections at once when it stops", async () => {
  const service = await runAnother(app, ["serve", "--only", "api"]);
  const url = await service.url();
  const user = makeClient({ url });
  expect((await user("/healthz")).end).toEqual([200, "keep-alive"]);
  service.send("SIGTERM");
  await untilClosed(url);
  await expect(user("/healthz")).rejects.toThrow();
  expect(await service.exitCode).toBe(0);
});

test("a stopping service closes connections that a proxy keeps for too long", async () => {
  const impatient = await start({ proxyIdleMs: 100 });
  const user = makeClient({ url: impatient.url });
  expect((await user("/healthz")).end).toEqual([200, "keep-alive"]);
  await impatient.stop();
  await expect(user("/healthz")).rejects.toThrow();
});

test("a stopping service ends its worker while a proxy still has connections", async () => {
  const both = await start({ worker: true, proxyIdleMs: patient(150_000) });
  const agent = new Agent({ keepAlive: true });
  atEndOfFile(async () => agent.destroy());
  const [response] = await once(request(`${both.url}/healthz`, { agent }).end(), "response");
  await text(response);
  const isListening = `select from pg_stat_activity where query like 'LISTEN "jobs:insert"%' and datname = current_database()`;
  const untilListening = (count: number) => until(async () => (await both.pool.query(isListening)).rowCount === count);
  await untilListening(1);
  const stopped = both.stop();
  await untilListening(0);
  agent.destroy();
  await stopped;
});

test("a stopping service takes no new connection, is not ready, and responds on those that a proxy keeps", async () => {
  const [probe, user, stream] = [makeClient(), makeClient(), makeClient()];
  const account = { email: "ada@example.com", password: "correct horse battery" };
  const { token } = JSON.parse((await user("/api/auth/register", { body: JSON.stringify(account) })).text).data;
  expect((await probe("/readyz")).end).toEqual([200, "keep-alive"]);
  const streaming = stream("/api/live", { token });
  await until(async () => (await app.pool.query("select from live_streams")).rowCount === 1);
  const stopped = app.stop();
  await untilClosed(app.url);
  // Ends, so that its reader opens it elsewhere.
  expect((await streaming).end).toEqual([200, "keep-alive"]);
  expect((await probe("/readyz")).end).toEqual([503, "close"]);
  expect((await user("/api/auth/me", { token })).end).toEqual([200, "close"]);
  expect((await stream("/api/auth/me", { token })).end).toEqual([200, "close"]);
  await stopped;
});
