import { describe, expect, test } from "vitest";
import { bigTree } from "../../bench/big-tree.ts";
import { contract, endpointRows } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { presentHours } from "../../domain/tree/present-hours.ts";
import { rollUp } from "../../domain/tree/roll-up.ts";
import type { Tree } from "../../domain/tree/shape.ts";
import type { Threads } from "../../server/platform/threads.ts";
import { type Answer, start } from "../harness.ts";
import { changesNothing } from "../support/dump.ts";
import { keepRows } from "../support/kept-rows.ts";
import { callSample, type Row } from "./call.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

/** Counts what is handed over to threads. */
let handed = 0;
const counting = (threads: Threads): Threads => ({
  ...threads,
  run(work, signal) {
    handed += 1;
    return threads.run(work, signal);
  },
});
const app = await start({
  config: sampleConfig,
  plant: ({ handlers, mounting }) => {
    const { threads, scheduleThreads } = mounting;
    const counted = { threads: counting(threads), scheduleThreads: counting(scheduleThreads) };
    return { handlers, mounting: { ...mounting, ...counted } };
  },
});
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

const get = (rest: string, headers: Record<string, string> = {}): Promise<Answer> =>
  app.request("GET", `${path}${rest}`, { token, headers });
const withoutIds = (tree: unknown): unknown =>
  JSON.parse(JSON.stringify(tree, (name, value) => (name === "id" || name === "origin" ? undefined : value)));

describe("a tree at the limits, which a thread works on", () => {
  test("is stored and answered as it was sent", async () => {
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
    const answer = await get("/tree", { "if-none-match": String(put.headers.get("etag")) });
    expect([answer.status, answer.text]).toEqual([304, ""]);
  });

  test("is not changed by a request that expects another revision, or that is not valid", async () => {
    await changesNothing(app, async () => {
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
  });

  test("does not exist for strangers, whatever they send", async () => {
    const stranger = await app.signUp();
    for (const body of [large, "x".repeat(2 * limits.inProcessBytes)]) {
      const answer = await app.request("PUT", `${path}/tree`, { token: stranger.token, body });
      expect([answer.status, answer.body.message]).toEqual([404, "not_found"]);
    }
  });

  test("can be edited, with the request's own time and id", async () => {
    await app.clock.advance(60_000);
    const option = put.data.tree?.nodes?.[0]?.options?.[4]?.id;
    const answer = await app.request("POST", `${path}/tree/options/${option}/select`, {
      token,
      headers: { "x-request-id": "from-the-test" },
    });
    expect([answer.status, answer.headers.get("x-request-id")]).toEqual([200, "from-the-test"]);
    const { data } = await get("");
    expect(data.estimation?.updatedAt).toEqual(app.clock.now().toISOString());
  });

  test("becomes a version, by a request without a body, and comes back from it", async () => {
    const tree = (await get("/tree")).data;
    const send = (what: string) => app.request("POST", `${path}/versions${what}`, { token });
    const made = await send("");
    expect([made.status, (await send("")).status]).toEqual([201, 200]);
    await app.request("PUT", `${path}/tree`, { token, body: { nodes: [] } });
    const version = `/${made.data.version?.id}`;
    // The content of a version has no `origin` where the tree answers null.
    const nodes = JSON.parse(
      JSON.stringify(tree.tree?.nodes, (name, value) => (name === "origin" ? undefined : value)),
    );
    expect((await get(`/versions${version}`)).data.version?.content?.tree?.nodes).toEqual(nodes);
    expect((await send(`${version}/restore`)).status).toBe(201);
    expect((await get("/tree")).data).toEqual(tree);
  });

  test("becomes tasks, as a preview shows before", async () => {
    const send = (what: string) => app.request("POST", `${path}/tasks/${what}`, { token });
    const preview = await send("preview");
    const generated = await send("generate");
    expect([preview.status, generated.status]).toEqual([200, 200]);
    expect(generated.data).toEqual(preview.data);
    const { data } = await get(`/tasks?limit=2`);
    expect(data.tasks).toEqual((generated.data.tasks as unknown as unknown[]).slice(0, 2));
  });
});

test("the size of a tree changes no row's answer, and a thread works on a large one: the process never does", async () => {
  const world = await makeWorld(app);
  for (const table of ["decision_trees", "version_snapshots"])
    await app.pool.query(`update ${table} set bytes = $1`, [limits.inProcessBytes + 1]);
  const { restore } = await keepRows(app.pool);
  /** Calls the rows; returns those that should have left their work to a thread, and did not. */
  const inProcess = async (rows: readonly Row[]) => {
    const found: string[] = [];
    for (const [id, { heavy }] of rows) {
      const before = handed;
      expect([id, (await callSample(app, id, world)).status]).toEqual([id, expect.toSatisfy((status) => status < 400)]);
      if (heavy && handed === before) found.push(id);
      await restore();
    }
    return found;
  };
  // The first three read a tree only if the request contains one or changes the rounding; milestones need none without a
  // start date and names of nodes.
  const small = ["updateEstimation", "importEstimation", "giveSuggestionFeedback"];
  // Other rows read no tree.
  const reading = endpointRows.filter(([, { path }]) => path.startsWith("/api/estimations"));
  expect(await inProcess(reading)).toEqual([...small, "updateMilestone", "deleteMilestone"]);
  // One that does not is found.
  const light = { ...contract.listActivity, heavy: true };
  expect(await inProcess([["listActivity", light] as unknown as Row])).toEqual(["listActivity"]);
});

test("a thread works on many tasks, the process on few", async () => {
  const one = await makeEstimation();
  const send = async (method: string, below: string, body?: object) => {
    const before = handed;
    const { status, data } = await app.request(method, `${one}${below}`, { token, body });
    expect([below, status < 300]).toEqual([below, true]);
    return { isHanded: handed > before, data };
  };
  const milestone = { title: "Beta", dueDate: "2027-03-01" };
  const all = async () => {
    const made = await send("POST", "/milestones", milestone);
    const asked = [
      await send("POST", "/tasks/preview"),
      await send("GET", "/timeline"),
      await send("PUT", "/timeline", { hoursPerDay: 6 }),
      await send("GET", "/milestones"),
      made,
      await send("PATCH", `/milestones/${made.data.milestone?.id}`, { title: "Beta 1" }),
      await send("DELETE", `/milestones/${made.data.milestone?.id}`),
      await send("POST", "/tasks/generate"),
    ];
    return asked.map(({ isHanded }) => isHanded);
  };
  const addTasks = (first: number, last: number) =>
    app.pool.query(
      `insert into tasks (id, estimation_id, title, description, position, status, actual_hours, base_title, base_description)
       select 'tsk_' || lpad(n::text, 26, '0'), $1, 'Former', '', n, 'obsolete', 1, 'Former', '' from generate_series($2::int, $3::int) n`,
      [one.split("/").at(-1), first, last],
    );
  await addTasks(1, limits.inProcessTasks);
  expect(await all()).toEqual(Array(8).fill(false));
  await addTasks(limits.inProcessTasks + 1, limits.inProcessTasks + 1);
  expect(await all()).toEqual(Array(8).fill(true));
});

test("a user can have a few large requests under way; more are refused, and other users are served", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => get("/tree")));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(8);
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.headers.get("retry-after")).toBe("1");
  expect((await get("/tree")).status).toBe(200);
});

test("the large requests of a user count over all rows", async () => {
  const half = limits.largeRequestsPerUser - 1;
  const asked = ["/tree", "/tree/hours"].flatMap((rest) => Array.from({ length: half }, () => get(rest)));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(limits.largeRequestsPerUser);
});
