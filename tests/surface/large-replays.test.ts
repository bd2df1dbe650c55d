import { expect, test } from "vitest";
import { bigTree } from "../../bench/big-tree.ts";
import type { RateCounter } from "../../server/http/callers/rate-limit.ts";
import { REPLAY_BYTES, REPLAY_BYTES_PER_DAY, replayBytesOf } from "../../server/http/idempotency.ts";
import { type Json, start } from "../harness.ts";

let replayBytes: RateCounter | undefined;
const app = await start({
  plant: (parts) => {
    replayBytes = replayBytesOf(parts.mounting.counters);
    return parts;
  },
});
const { token } = await app.signUp();

const made = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
const path = `/api/estimations/${made.data.estimation?.id}`;
const body = JSON.parse(
  JSON.stringify(
    bigTree((at) => at % 3 !== 0),
    (name, value) => (name === "id" ? undefined : value),
  ),
);
// Leaves room to add something.
body.nodes = body.nodes.slice(20);
// One node alone is more than may be stored of a response.
body.nodes[7].options = Array.from({ length: 30 }, (_, at) => ({ title: `${at}`, description: "x".repeat(5_000) }));
const put = await app.request("PUT", `${path}/tree`, { token, body });
const nodes = put.data.tree?.nodes as unknown as Json[];

const post = (rest: string, key: string, options: { body?: unknown; headers?: Record<string, string> } = {}) =>
  app.request("POST", path + rest, {
    token,
    ...options,
    headers: { ...options.headers, "idempotency-key": key.replaceAll(" ", "-") },
  });
const etagNow = async () => (await app.request("GET", path, { token })).headers.get("etag");
const storedBytes = async () =>
  (await app.pool.query("select coalesce(max(length(data::text)), 0) as bytes from idempotency_keys")).rows[0].bytes;

const edits: [string, string, unknown][] = [
  ["adding a node", "/tree/nodes", { title: "New", kind: "single" }],
  ["moving a node", `/tree/nodes/${nodes[0]?.id}/move`, { parentOptionId: null, position: 3 }],
  ["adding an option", `/tree/nodes/${nodes[1]?.id}/options`, { title: "New" }],
  ["moving an option", `/tree/options/${nodes[1]?.options?.[0]?.id}/move`, { nodeId: nodes[2]?.id, position: 0 }],
  ["selecting", `/tree/options/${nodes[3]?.options?.[1]?.id}/select`, undefined],
  ["deselecting", `/tree/options/${nodes[4]?.options?.[1]?.id}/deselect`, undefined],
  ["generating tasks", "/tasks/generate", undefined],
];

test.each(edits)(
  "the replay of %s does nothing, and returns the status, ids and entity tag of the first response",
  async (what, rest, given) => {
    const headers = { "if-match": String(await etagNow()) };
    const options = { headers, ...(given === undefined ? {} : { body: given }) };
    const first = await post(rest, what, options);
    expect([what, first.status]).toEqual([what, expect.toSatisfy((status) => status < 300)]);
    expect(first.text.length).toBeGreaterThan(REPLAY_BYTES);
    const again = await post(rest, what, options);
    expect([again.status, again.body.message, again.headers.get("idempotent-replayed")]).toEqual([
      ...[409, "response_not_stored", "true"],
    ]);
    const { hours: _, tasks: __, ...small } = first.data as Json;
    expect(again.body.details).toEqual({ status: first.status, etag: first.headers.get("etag"), kept: small });
    expect(await storedBytes()).toBeLessThan(REPLAY_BYTES);
  },
);

test("of a record that is too large itself, the id is stored", async () => {
  const move = () => post(`/tree/nodes/${nodes[7]?.id}/move`, "large", { body: { parentOptionId: null, position: 0 } });
  const first = await move();
  expect(first.status).toBe(200);
  const again = await move();
  expect([again.status, again.body.details]).toEqual([
    409,
    { status: 200, etag: first.headers.get("etag"), kept: { nodeId: nodes[7]?.id } },
  ]);
});

test("for a user with very many responses in a day no more are stored, and nothing is done twice", async () => {
  const someone = await app.signUp();
  const create = (key: string, title: string) =>
    app.request("POST", "/api/estimations", {
      token: someone.token,
      body: { title, description: "x".repeat(10_000) },
      headers: { "idempotency-key": key },
    });
  replayBytes?.charge(someone.userId, REPLAY_BYTES_PER_DAY - 10_000);
  const [last, beyond] = [await create("last", "Last"), await create("beyond", "Beyond")];
  expect([last.status, beyond.status]).toEqual([201, 201]);
  expect((await create("last", "Last")).text).toBe(last.text);
  const again = await create("beyond", "Beyond");
  expect([again.status, again.body.message]).toEqual([409, "response_not_stored"]);
  expect(again.body.details).toMatchObject({ status: 201, kept: { estimationId: beyond.data.estimation?.id } });
});
