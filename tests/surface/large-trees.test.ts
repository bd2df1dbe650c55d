import { describe, expect, test } from "vitest";
import { bigTree } from "../../bench/big-tree.ts";
import { presentHours } from "../../domain/tree/hours/present-hours.ts";
import { rollUp } from "../../domain/tree/hours/roll-up.ts";
import type { Tree } from "../../domain/tree/shape.ts";
import { ADMISSIONS_PER_USER } from "../../server/http/admission.ts";
import { type Response, start } from "../harness.ts";

const app = await start();
const { token } = await app.signUp();

/** Makes an estimation; returns its path. */
async function makeEstimation(): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
  return `/api/estimations/${data.estimation?.id}`;
}

/** A tree at the limits, without the ids that another estimation made. */
const large = JSON.parse(
  JSON.stringify(
    bigTree((made) => made % 3 !== 0),
    (name, value) => (name === "id" ? undefined : value),
  ),
);
const path = await makeEstimation();
const put = await app.request("PUT", `${path}/tree`, { token, body: large });

const get = (rest: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.request("GET", `${path}${rest}`, { token, headers });
const withoutIds = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (name, value) => (name === "id" || name === "origin" ? undefined : value)));

describe("a tree at the limits", () => {
  test("is stored and returned as it was sent", async () => {
    expect(put.status).toBe(200);
    expect(withoutIds(put.data.tree?.nodes)).toEqual(large.nodes);
    const read = await get("/tree");
    expect([read.status, read.headers.get("etag")]).toEqual([200, put.headers.get("etag")]);
    expect(read.data.tree).toEqual(put.data.tree);
    expect(read.headers.get("cache-control")).toBe("no-store");
  });

  test("has the hours that the domain computes", async () => {
    const tree = put.data.tree as unknown as Tree;
    const { data } = await get("/tree/hours");
    expect(data.hours).toEqual(presentHours(rollUp(tree, { correlation: 0.2, hourlyRate: null, currency: null })));
  });

  test("is not sent to clients that already have it", async () => {
    const response = await get("/tree", { "if-none-match": String(put.headers.get("etag")) });
    expect([response.status, response.text]).toEqual([304, ""]);
  });

  test("is not changed by a request that expects another revision, or that is not valid", async () => {
    const stale = await app.request("PUT", `${path}/tree`, { token, body: large, headers: { "if-match": '"77"' } });
    expect([stale.status, stale.body.message]).toEqual([412, "revision_mismatch"]);
    const wrong = { nodes: large.nodes.with(-1, { ...large.nodes[0], title: 7 }) };
    const invalid = await app.request("PUT", `${path}/tree`, { token, body: wrong });
    expect([invalid.status, invalid.body.errors?.[0]?.path]).toEqual([400, "/nodes/399/title"]);
    const text = `${JSON.stringify(large)}}`;
    const broken = await app.request("PUT", `${path}/tree`, { token, body: text });
    expect([broken.status, broken.body.message]).toEqual([400, "invalid_json"]);
    const hours = await get("/tree/hours?select=opt_unknown");
    expect([hours.status, hours.body.errors?.[0]?.in]).toEqual([400, "query"]);
  });

  test("gets 404 for other users", async () => {
    const stranger = await app.signUp();
    const response = await app.request("PUT", `${path}/tree`, { token: stranger.token, body: large });
    expect([response.status, response.body.message]).toEqual([404, "not_found"]);
  });

  test("has a schedule and forecasts", async () => {
    await app.request("PUT", `${path}/timeline`, { token, body: { startDate: "2027-01-04" } });
    await app.request("POST", `${path}/tasks/generate`, { token });
    const body = { title: "Beta", dueDate: "2030-01-01" };
    const made = await app.request("POST", `${path}/milestones`, { token, body });
    expect([made.status, made.data.milestone?.forecast]).toEqual([
      201,
      expect.objectContaining({ runs: expect.any(Number) }),
    ]);
    expect((await get("/milestones")).data.milestones).toEqual([made.data.milestone]);
    expect((await get("/timeline")).data.timeline).toMatchObject({ items: { length: 2_400 }, problem: null });
  });

  test("can be edited, with the request's own time and id", async () => {
    await app.clock.advance(60_000);
    const option = put.data.tree?.nodes?.[0]?.options?.[4]?.id;
    const response = await app.request("POST", `${path}/tree/options/${option}/select`, {
      token,
      headers: { "x-request-id": "from-the-test" },
    });
    expect([response.status, response.headers.get("x-request-id")]).toEqual([200, "from-the-test"]);
    const { data } = await get("");
    expect(data.estimation?.updatedAt).toEqual(app.clock.now().toISOString());
  });

  test("becomes a version, by a request without a body, and can be restored from it", async () => {
    const tree = (await get("/tree")).data;
    const send = (what: string) => app.request("POST", `${path}/versions${what}`, { token });
    const made = await send("");
    expect([made.status, (await send("")).status]).toEqual([201, 200]);
    await app.request("PUT", `${path}/tree`, { token, body: { nodes: [] } });
    const version = `/${made.data.version?.id}`;
    // The content of a version has no `origin` where the tree returns null.
    const nodes = JSON.parse(
      JSON.stringify(tree.tree?.nodes, (name, value) => (name === "origin" ? undefined : value)),
    );
    expect((await get(`/versions${version}`)).data.version?.content?.tree?.nodes).toEqual(nodes);
    expect((await send(`${version}/restore`)).status).toBe(201);
    expect((await get("/tree")).data).toEqual(tree);
  });

  test("becomes tasks, as in its preview", async () => {
    const send = (what: string) => app.request("POST", `${path}/tasks/${what}`, { token });
    const preview = await send("preview");
    const generated = await send("generate");
    expect([preview.status, generated.status]).toEqual([200, 200]);
    expect(generated.data).toEqual(preview.data);
    const { data } = await get(`/tasks?limit=2`);
    expect(data.tasks).toEqual((generated.data.tasks as unknown as unknown[]).slice(0, 2));
  });
});

test("the waiting requests of one user are limited, and others are served meanwhile", async () => {
  const other = await app.signUp();
  const asked = Array.from({ length: 40 }, () => get("/tree"));
  expect((await app.request("GET", "/api/estimations", { token: other.token })).status).toBe(200);
  const responses = await Promise.all(asked);
  const statuses = responses.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(ADMISSIONS_PER_USER);
  for (const { status, headers } of responses) {
    expect([200, 429]).toContain(status);
    if (status === 429) expect(headers.get("retry-after")).toBe("1");
  }
  expect((await get("/tree")).status).toBe(200);
});
