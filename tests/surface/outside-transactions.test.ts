import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { request, start, until } from "../harness.ts";
import { NOTES, outsideEndpoints, outsideHandlers } from "../support/outside-endpoints.ts";
import { serveEndpoints } from "../support/planted-endpoints.ts";

/** The requests so far, with their responses: one about a note that begins with `slow` waits for the test. */
const asked: { readonly about: string; readonly response: ServerResponse }[] = [];
const server = createServer(({ url = "" }, response) => {
  const about = url.slice(1);
  asked.push({ about, response });
  if (!about.startsWith("slow")) response.end(about === "bad" ? "no" : `about ${about}`);
}).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => void server.close());
const network = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const app = await start();
await app.pool.query(NOTES);
const { token } = await app.signUp();
const { url } = await serveEndpoints(app.services, outsideEndpoints, outsideHandlers(network));

const send = (note: string, key?: string, at = url, path = "/api/notes", headers: Record<string, string> = {}) =>
  request(at, "POST", path, {
    token,
    body: { note },
    headers: { ...headers, ...(key === undefined ? {} : { "idempotency-key": key }) },
  });
const askedAbout = (note: string) => asked.filter(({ about }) => about === note);
const released = async (note: string, count = 1) => {
  await until(() => askedAbout(note).length === count);
  for (const { response } of askedAbout(note)) response.end(`about ${note}`);
};
const stored = async (note: string) =>
  (await app.pool.query("select from notes where note = $1", [note])).rowCount ?? 0;

test("handlers that wait for a network hold no connection and no lock", async () => {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const path = `/api/estimations/${data.estimation?.id}`;
  const waiting = Array.from({ length: 20 }, () => send("slow-1", undefined, url, `${path}/notes`));
  await until(() => askedAbout("slow-1").length === waiting.length);
  const { rows } = await app.pool.query(
    "select state from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()",
  );
  expect(rows).toEqual([]);
  expect((await app.request("PUT", path, { token, body: { clientName: "ACME" } })).status).toBe(200);
  await released("slow-1", waiting.length);
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(await stored("slow-1")).toBe(waiting.length);
});

test("twenty requests with one key cause one call, and get the same response", async () => {
  const sent = Array.from({ length: 20 }, () => send("slow-2", "twenty"));
  await released("slow-2");
  const responses = await Promise.all(sent);
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(responses[0]?.status).toBe(202);
  expect(responses.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(19);
  expect([askedAbout("slow-2").length, await stored("slow-2")]).toEqual([1, 1]);
  expect((await send("another", "twenty")).body.message).toBe("idempotency_key_reused");
});

test("a refusal by the handler leaves nothing behind, so that the key can be used again", async () => {
  for (const count of [1, 2]) {
    const refused = await send("bad", "refused");
    expect([refused.status, askedAbout("bad").length]).toEqual([404, count]);
  }
  expect((await send("good", "refused")).status).toBe(202);
});

test("the right and the revision are checked again before the result is stored", async () => {
  const { data, headers } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const path = `/api/estimations/${data.estimation?.id}`;
  const about = (note: string, match = {}, key?: string) => send(note, key, url, `${path}/notes`, match);
  const tag = { "if-match": headers.get("etag") ?? "" };
  const stale = about("slow-3", tag, "stale");
  await until(() => askedAbout("slow-3").length === 1);
  await app.request("PUT", path, { token, body: { title: "Shop 2" } });
  await released("slow-3");
  expect((await stale).status).toBe(412);
  // Nothing was done under its key, so that it can be used again.
  expect((await about("slow-3", tag, "stale")).status).toBe(412);
  expect((await about("early", tag)).status).toBe(412);
  expect(askedAbout("early")).toHaveLength(0);
  const gone = about("slow-4");
  await until(() => askedAbout("slow-4").length === 1);
  await app.request("DELETE", path, { token });
  await released("slow-4");
  expect((await gone).status).toBe(404);
  expect([await stored("slow-3"), await stored("slow-4")]).toEqual([0, 0]);
});

test("if the process is killed between the two transactions, repeats are refused and never cause another call", async () => {
  const process = await startProcess();
  const cut = send("slow-5", "killed", process.url).catch(() => "cut");
  await until(() => askedAbout("slow-5").length === 1);
  // Another process sees that the key is taken.
  const early = await send("slow-5", "killed");
  expect([early.status, early.body.message]).toEqual([409, "request_under_way"]);
  const { requestTimeoutSeconds } = app.services.config;
  expect(Number(early.headers.get("retry-after"))).toBeGreaterThan(0);
  await process.kill();
  expect(await cut).toBe("cut");
  // The clock of the process was a little ahead.
  const ahead = new Date(app.clock.now().getTime() + 30_000);
  await app.pool.query("update idempotency_keys set created_at = $1 where status = 0", [ahead]);
  const again = await send("slow-5", "killed");
  expect([again.status, again.body.message]).toEqual([409, "request_under_way"]);
  expect(Number(again.headers.get("retry-after"))).toBeLessThanOrEqual(requestTimeoutSeconds);
  await app.pool.query("update idempotency_keys set created_at = $1 where status = 0", [app.clock.now()]);
  await app.clock.advance((requestTimeoutSeconds + 60) * 1_000);
  const late = await send("slow-5", "killed");
  expect([late.status, late.body.message]).toEqual([409, "outcome_unknown"]);
  expect([askedAbout("slow-5").length, await stored("slow-5")]).toEqual([1, 0]);
  expect((await send("fast", "new-key")).status).toBe(202);
});

/** Serves the same rows from a process of its own. */
async function startProcess() {
  const script = fileURLToPath(new URL("../support/outside-process.ts", import.meta.url));
  const { connection, services } = app;
  const told = JSON.stringify({ connection, network, dataDir: services.config.dataDir });
  const child = spawn(process.execPath, [...process.execArgv, script, told], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  return { url: (await until(() => out.includes("\n") && out)).trim(), kill };
}
