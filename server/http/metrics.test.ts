import { expect, test } from "vitest";
import { request, start } from "../../tests/harness.ts";
import { freePort } from "../../tests/support/free-port.ts";

const TOKEN = "0123456789abcdef";
const statusAt = async (url: string, token?: string, method = "GET") =>
  (await request(url, method, "/metrics", token === undefined ? {} : { token })).status;

test("without a port and a token there are no metrics, as at any unknown path", async () => {
  const { url } = await start();
  const unknown = await request(url, "GET", "/metricz");
  const { status, body } = await request(url, "GET", "/metrics", { token: TOKEN });
  expect([status, body.message, body.details]).toEqual([404, unknown.body.message, unknown.body.details]);
});

test("with a token, the service's port has them for whoever sends it", async () => {
  const { url } = await start({ config: { metricsToken: TOKEN } });
  const { status, headers, text } = await request(url, "GET", "/metrics", { token: TOKEN });
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  expect(text).toContain("# TYPE estimation_requests_total counter\n");
  for (const wrong of [undefined, "", `${TOKEN}0`, TOKEN.slice(1), TOKEN.toUpperCase()])
    expect(await statusAt(url, wrong)).toBe(401);
});

test("who guesses the token is stopped by the limit of requests", async () => {
  const { url } = await start({ config: { metricsToken: TOKEN, rateLimitPerMinute: 3 } });
  for (const status of [401, 401, 401, 429]) expect(await statusAt(url, "another-token-xx")).toBe(status);
  expect(await statusAt(url, TOKEN)).toBe(429);
});

test("with a port, they are there and nothing else is, and the service's port has none", async () => {
  const metricsPort = await freePort();
  const { url } = await start({ config: { metricsPort } });
  const own = `http://127.0.0.1:${metricsPort}`;
  expect([await statusAt(own), await statusAt(own, undefined, "POST"), await statusAt(url)]).toEqual([200, 405, 404]);
  expect((await request(own, "GET", "/healthz")).status).toBe(404);
  expect((await fetch(`${own}/metrics?x=1`, { method: "HEAD" })).status).toBe(200);
});

test("with both, their port asks for the token, and the service's port has none", async () => {
  const metricsPort = await freePort();
  const { url } = await start({ config: { metricsPort, metricsToken: TOKEN } });
  const own = `http://127.0.0.1:${metricsPort}`;
  const statuses = [await statusAt(own), await statusAt(own, "another-token-xx"), await statusAt(own, TOKEN)];
  expect([...statuses, await statusAt(url, TOKEN)]).toEqual([401, 401, 200, 404]);
});

test("a port that is taken ends the start with a line that names the setting", async () => {
  const metricsPort = await freePort();
  await start({ config: { metricsPort } });
  await expect(start({ config: { metricsPort } })).rejects.toThrow(/^METRICS_PORT cannot be used: .*EADDRINUSE/);
});
