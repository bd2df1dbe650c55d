import { beforeEach, describe, expect, test } from "vitest";
import { errorsOf, paramsOf } from "../../contract/endpoint.ts";
import { type EndpointId, endpointRows } from "../../contract/index.ts";
import { type Answer, start, type TestApp } from "../harness.ts";
import { callSample } from "./call.ts";
import { makeWorld, sampleConfig, samples, type World } from "./samples.ts";

const app = await start({ config: sampleConfig });
let world: World;
beforeEach(async () => {
  world = await makeWorld(app);
});

describe("every endpoint", () => {
  // The harness compares every answer with its schema and answers 500 where they differ.
  test.each(endpointRows)("%s answers its sample with the declared status and shape", async (id, endpoint) => {
    const answer = await callSample(app, id, world);
    expect([answer.status, answer.body.message]).toEqual([endpoint.reply.status, undefined]);
    if ("location" in endpoint.reply) expect(URL.canParse(answer.headers.get("location") ?? "")).toBe(true);
    else expect(answer.body.success).toBe(true);
    expect(answer.headers.has("etag")).toBe(endpoint.etag === true);
    expect(answer.headers.get("ratelimit-policy")).toMatch(/^"default";q=\d+;w=60$/);
    expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  });
});

describe("every endpoint with a record", () => {
  const rows = endpointRows.filter(([, { path, access }]) => paramsOf(path).length > 0 && access !== "anyone");

  test.each(rows)("%s finds nothing of another user's, and changes nothing of it", async (id, endpoint) => {
    const stranger = await makeWorld(app);
    const before = await everything(app, world);
    const refused = await callSample(app, id, world, { token: stranger.user.token });
    const absent = await callSample(app, id, world, {
      params: Object.fromEntries(paramsOf(endpoint.path).map((name) => [name, `est_${"0".repeat(26)}`])),
    });
    expect(refused.status).toBe(404);
    expect(withoutRequestId(refused)).toEqual(withoutRequestId(absent));
    expect(await everything(app, world)).toEqual(before);
  });

  const nested = rows.filter(([, { path }]) => paramsOf(path).length > 1);
  test.each(nested)("%s finds a record only below its own parent", async (id, endpoint) => {
    const other = await makeWorld(app);
    const inner = paramsOf(endpoint.path).at(-1) as string;
    const id2 = { nodeId: other.node, optionId: other.option, taskId: other.task, deliveryId: other.delivery }[inner];
    const before = await everything(app, other);
    expect((await callSample(app, id, world, { params: { [inner]: String(id2) } })).status).toBe(404);
    expect(await everything(app, other)).toEqual(before);
  });
});

describe("every write that can be refused for its revision", () => {
  const rows = endpointRows.filter(
    ([, row]) => row.method !== "GET" && paramsOf(row.path).length > 0 && errorsOf(row).includes("revision_mismatch"),
  );

  test.each(rows)("%s refuses a stale If-Match and changes nothing", async (id) => {
    const before = await everything(app, world);
    const refused = await callSample(app, id, world, { headers: { "if-match": '"0"' } });
    expect([refused.status, refused.body.message]).toEqual([412, "revision_mismatch"]);
    expect(await everything(app, world)).toEqual(before);
    expect((await callSample(app, id, world, { headers: { "if-match": "*" } })).status).toBeLessThan(300);
  });

  test("is every write below an estimation", () => {
    const below = endpointRows.filter(
      ([, { method, path, readOnly }]) => method !== "GET" && !readOnly && path.startsWith("/api/estimations/:id"),
    );
    expect(rows.map(([id]) => id)).toEqual(below.map(([id]) => id));
  });
});

describe("every endpoint with a body", () => {
  const rows = endpointRows.filter(([, { body }]) => body !== undefined);

  test.each(rows)(
    "%s refuses an unknown field, a wrong type and no body at all, and changes nothing",
    async (id, endpoint) => {
      const message = endpoint.invalidBody ?? "validation_failed";
      const before = await everything(app, world);
      const whole = { title: "x", name: "x", ...sampleBody(id, world) };
      const bodies: unknown[] = [
        { ...whole, surprise: true },
        [],
        "text",
        7,
        null,
        { [Object.keys(sampleBody(id, world))[0] ?? "x"]: { a: [] } },
      ];
      for (const body of bodies) {
        const answer = await callSample(app, id, world, { body: JSON.stringify(body) });
        expect([answer.status, answer.body.message]).toEqual([400, message]);
      }
      expect((await callSample(app, id, world, { body: undefined })).status).toBe(400);
      expect((await callSample(app, id, world, { body: "{" })).body.message).toBe("invalid_json");
      expect((await callSample(app, id, world, { headers: { "content-type": "text/plain" } })).status).toBe(415);
      expect(await everything(app, world)).toEqual(before);
    },
  );
});

describe("every endpoint", () => {
  // One that is open takes whatever a third party adds to the address.
  const closed = endpointRows.filter(([, { query }]) => !query || "additionalProperties" in query);

  test.each(closed)("%s refuses a query that it does not take", async (id) => {
    const before = await everything(app, world);
    const { query } = samples[id](world) as { query?: Record<string, string> };
    const answer = await callSample(app, id, world, {
      query: new URLSearchParams({ ...query, surprise: "1" }).toString(),
    });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ path: "/surprise", message: "is not a known field" }],
    ]);
    expect(await everything(app, world)).toEqual(before);
  });
});

const sampleBody = (id: EndpointId, of: World): Record<string, unknown> =>
  (samples[id](of) as { body?: Record<string, unknown> }).body ?? {};

const withoutRequestId = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: "" } });

/** All that is stored about a user's records, as text. */
async function everything({ pool }: TestApp, { user, estimation, webhook }: World): Promise<string[]> {
  const queries = [
    ["select * from estimations where owner_id = $1 order by id", user.userId],
    ["select * from decision_trees where estimation_id = $1", estimation],
    ["select * from tasks where estimation_id = $1 order by id", estimation],
    ["select id, name, scopes, revoked_at, rotated_at from api_keys where user_id = $1 order by id", user.userId],
    ["select * from webhooks where user_id = $1 order by id", user.userId],
    ["select id from webhook_deliveries where webhook_id = $1 order by id", webhook],
    ["select name, token_version, password_hash from users where id = $1", user.userId],
  ] as const;
  const results = await Promise.all(queries.map(([text, value]) => pool.query(text, [value])));
  return results.map(({ rows }) => JSON.stringify(rows));
}
