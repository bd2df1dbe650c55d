import { readFile } from "node:fs/promises";
import { afterAll, expect, test } from "vitest";
import { start, until } from "../harness.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { startReceiver } from "../support/receiver.ts";
import { installForFile } from "./packed.ts";

const LIMIT = 30;

const app = await start({ worker: true });
const limited = await start({ config: { rateLimitPerMinute: LIMIT } });
const receiver = await startReceiver();
receiver.trustedBy(app.services.config.dataDir);
afterAll(() => receiver.close());
const installed = installForFile();

const SCOPES = ["estimations:read", "estimations:write", "tasks:read", "tasks:write", "webhooks:manage"];

/** Runs `body` as a program in the project, with a client by the name of `client`; returns what it returns, and prints, as JSON. */
async function play<T>(url: string, credential: string, body: string, options = ""): Promise<T> {
  const { project } = installed;
  const name = `program-${programs++}.ts`;
  await project.write(
    name,
    `import { ApiError, ConnectionError, createClient } from "estimation-service-client";
     import { sign, verify } from "estimation-service-client/webhooks";
     const attempts: object[] = [];
     const client = createClient({ baseUrl: ${JSON.stringify(url)}, credential: ${JSON.stringify(credential)}, ${options} });
     async function main() { ${body} }
     console.log(JSON.stringify(await main()));`,
  );
  return JSON.parse(await project.run(process.execPath, name)) as T;
}
let programs = 0;

/** What the programs below tell of each request that they send. */
interface Attempt {
  readonly beganMs: number;
  readonly endedMs: number;
  readonly status: number;
  readonly wantedSeconds: number;
  readonly key: string | null;
}

const RECORDING = `fetch: async (url, init) => {
  const beganMs = performance.now();
  const { status, headers, body } = await fetch(url, init);
  const wantedSeconds = Number(headers.get("retry-after"));
  attempts.push({ beganMs, endedMs: performance.now(), status, wantedSeconds, key: init.headers.get("idempotency-key") });
  return new Response(body, { status, headers });
}`;

const makeKey = async () => {
  const user = await app.signUp();
  return { user, key: await app.makeKey(user, SCOPES) };
};

test("the program of the guide does what it says", async () => {
  const { key } = await makeKey();
  const guide = await readFile(new URL("../../docs/clients/README.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  const { project } = installed;
  await project.write("guide.ts", blocks.join("\n"));
  const environment = [`ESTIMATION_URL=${app.url}`, `ESTIMATION_KEY=${key}`];
  const printed = await project.run("env", ...environment, process.execPath, "guide.ts");
  const lines = printed.trim().split("\n");
  expect(lines.slice(0, 6)).toEqual([
    expect.stringMatching(/^80 % confidence: \d+(\.\d+)? hours$/),
    expect.stringMatching(/^Sign-in: \d+(\.\d+)? hours$/),
    expect.stringMatching(/^somebody changed it: it has revision \d+ now$/),
    expect.stringMatching(/^Checkout \d+(\.\d+)?$/),
    expect.stringMatching(/^revision \d+$/),
    expect.stringMatching(/^Checkout\.csv /),
  ]);
  expect(lines.at(-1)).toBe("estimation.tasks_generated");
});

test("registers, makes a key, estimates, and verifies the delivery that follows", async () => {
  const body = `
    const account = { email: "${crypto.randomUUID()}@example.com", password: "a long enough password" };
    const session = await createClient({ baseUrl: "${app.url}" }).registerUser({ body: account });
    const asUser = createClient({ baseUrl: "${app.url}", credential: async () => session.data.token });
    const key = await asUser.createApiKey({ body: { name: "loop", scopes: ${JSON.stringify(SCOPES)} } });
    const own = createClient({ baseUrl: "${app.url}/", credential: () => key.data.plaintext });
    const hook = { url: "${receiver.url}/loop", events: ["estimation.tasks_generated"] };
    const { webhook, secret } = (await own.createWebhook({ body: hook })).data;
    const created = await own.createEstimation({ body: { title: "Shop" } });
    const params = { id: created.data.estimation.id };
    const options = [{ title: "Sign-in", hours: 8 }, { title: "Card", hours: 4 }];
    await own.replaceTree({ params, body: { nodes: [{ title: "Scope", kind: "group", options }] } });
    await own.generateTasks({ params });
    return { secret, webhook: webhook.id, estimation: params.id, status: created.status };`;
  const made = await play<Record<string, string>>(app.url, "", body);
  expect(made.status).toBe(201);
  const delivered = await until(() => receiver.requests.find(({ path }) => path === "/loop"));
  const { body: sent, headers } = delivered;
  const now = app.clock.now().toISOString();
  const checked = await play<Record<string, unknown>>(
    app.url,
    "",
    `const options = { now: () => new Date("${now}") };
     const [body, secret] = ${JSON.stringify([sent, made.secret])};
     const delivery = await verify(body, ${JSON.stringify(headers)}, secret, options);
     const { event, id } = delivery;
     const signed = await verify(body, await sign(body, secret, { event, id, ...options }), secret, options);
     const forged = await verify(body + " ", ${JSON.stringify(headers)}, secret, options).catch(({ code }) => code);
     return { delivery, isSame: JSON.stringify(signed) === JSON.stringify(delivery), forged };`,
  );
  expect(checked).toMatchObject({
    delivery: { event: "estimation.tasks_generated", data: { estimationId: made.estimation } },
    isSame: true,
    forged: "signature_mismatch",
  });
});

test("waits as long as the service asks for when its limit of requests is reached", async () => {
  const user = await limited.signUp();
  const read = () => limited.request("GET", "/api/auth/me", { token: user.token });
  await read();
  // Two seconds before the user's minute ends.
  limited.clock.advance(58_000);
  while ((await read()).status !== 429);
  const proxy = await startCuttingProxy(limited.url);
  const played = play<{ readonly title: string; readonly attempts: Attempt[] }>(
    proxy.url,
    user.token,
    `const created = await client.createEstimation({ body: { title: "Patience" } });
     return { title: created.data.estimation.title, attempts };`,
    RECORDING,
  );
  await until(() => proxy.responses.some((line) => line.startsWith("HTTP/1.1 429 ")));
  limited.clock.advance(2_000);
  const { title, attempts } = await played;
  expect([title, attempts.at(-1)?.status]).toEqual(["Patience", 201]);
  expect(attempts[0]).toMatchObject({ status: 429, wantedSeconds: 2 });
  for (const [at, { beganMs }] of attempts.entries()) {
    const before = attempts[at - 1];
    // A timer may end a millisecond early.
    if (before) expect(beganMs - before.endedMs).toBeGreaterThan(1000 * before.wantedSeconds - 5);
  }
  expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
});

test.each([
  { part: 0, what: "before its first byte" },
  { part: 0.5, what: "in its middle" },
])("a POST whose response is cut $what is sent again, and makes one record", async ({ part }) => {
  const { user, key } = await makeKey();
  const proxy = await startCuttingProxy(app.url);
  proxy.cutNext(2, part);
  const { id, isReplay } = await play<{ readonly id: string; readonly isReplay: boolean }>(
    proxy.url,
    key,
    `const { data, headers } = await client.createEstimation({ body: { title: "Once" } });
     return { id: data.estimation.id, isReplay: headers.get("idempotent-replayed") === "true" };`,
  );
  expect(isReplay).toBe(true);
  expect(proxy.requests).toEqual(Array(3).fill("POST /api/estimations HTTP/1.1"));
  const listed = await app.request("GET", "/api/estimations", { token: user.token });
  expect(listed.data.estimations).toEqual([expect.objectContaining({ id })]);
});

test("a GET whose response is cut is sent again; a PUT is not", async () => {
  const { user, key } = await makeKey();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Shop" } });
  const proxy = await startCuttingProxy(app.url);
  const params = JSON.stringify({ id: data.estimation?.id });
  proxy.cutNext(1, 0.5);
  const read = `return (await client.getEstimation({ params: ${params} })).data.estimation.title;`;
  expect(await play(proxy.url, key, read)).toBe("Shop");
  expect(proxy.requests).toHaveLength(2);
  proxy.cutNext(1, 0.5);
  const write = `return client.updateEstimation({ params: ${params}, body: { title: "Basket" } }).catch((error) =>
    [error instanceof ConnectionError, error.name, error.cause instanceof Error]);`;
  expect(await play(proxy.url, key, write)).toEqual([true, "ConnectionError", true]);
  expect(proxy.requests.slice(2)).toEqual([`PUT /api/estimations/${data.estimation?.id} HTTP/1.1`]);
});

test("reads all pages of a list, each when it is needed", async () => {
  const { user, key } = await makeKey();
  const titles = Array.from({ length: 7 }, (_, at) => `Number ${at}`);
  for (const title of titles) {
    app.clock.advance(1000);
    await app.request("POST", "/api/estimations", { token: user.token, body: { title } });
  }
  const read = await play<{
    readonly all: string[];
    readonly pages: number[];
    readonly first: string[];
    readonly sent: number[];
  }>(
    app.url,
    key,
    `const query = { limit: 3, status: ["draft"] };
     const all = [];
     for await (const { title } of client.listEstimations.all({ query })) all.push(title);
     const sent = [attempts.length];
     const pages = [];
     for await (const { estimations } of client.listEstimations.pages({ query })) pages.push(estimations.length);
     sent.push(attempts.length);
     const first = [];
     for await (const { title } of client.listEstimations.all({ query })) { first.push(title); break; }
     return { all, pages, first, sent: [...sent, attempts.length] };`,
    RECORDING,
  );
  const newest = titles.toReversed();
  expect(read).toEqual({ all: newest, pages: [3, 3, 1], first: newest.slice(0, 1), sent: [3, 6, 7] });
});

test("a stream tells of changes as they are made, and ends when its loop is left, or when it is aborted", async () => {
  const { user, key } = await makeKey();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  // The program ends only once none of its connections is open.
  const heard = await play<{ readonly revisions: number[]; readonly reason: string; readonly bytes: boolean }>(
    app.url,
    key,
    `const revisions = [];
     const { stream } = await client.watchLive();
     for await (const event of stream) {
       if (event.type === "opened") {
         const places = [{ estimationId: "${id}", lineId: null }];
         await client.setLivePlaces({ params: { streamId: event.streamId }, body: { places } });
       }
       if (event.type !== "changed") continue;
       revisions.push(event.revision);
       if (revisions.length === 2) break;
       await client.updateEstimation({ params: { id: "${id}" }, body: { title: "Basket" } });
     }
     const ending = new AbortController();
     const other = await client.watchLive({ signal: ending.signal });
     const reason = await (async () => {
       for await (const { type } of other.stream) ending.abort(new Error("enough of " + type));
     })().catch((error) => error.message);
     const file = await client.exportEstimation({ params: { id: "${id}" }, query: { format: "json" } });
     const parts = [];
     for await (const part of file.chunks) parts.push(part);
     const text = await new Blob(parts).text();
     return { revisions, reason, title: JSON.parse(text).estimation.title, fileName: file.fileName };`,
  );
  expect(heard).toEqual({
    revisions: [1, 2],
    reason: "enough of opened",
    title: "Basket",
    fileName: expect.stringMatching(/basket.*\.json$/i),
  });
  await until(async () => (await app.pool.query("select 1 from live_streams")).rows.length === 0);
});
