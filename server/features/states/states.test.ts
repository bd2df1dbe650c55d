import { describe, expect, test } from "vitest";
import type { Move } from "../../../contract/values/statuses.ts";
import type { NodeInput } from "../../../contract/values/tree-input.ts";
import { type RequestOptions, start } from "../../../tests/harness.ts";

const app = await start();
const owner = await app.signUp();
const { token } = owner;

const work: NodeInput[] = [
  { title: "Scope", kind: "single", options: [{ title: "Small", hours: 8, selected: true }, { title: "Large" }] },
];

/** An estimation with this tree, and what a test does with it. */
async function draft(nodes: readonly NodeInput[] = work) {
  const body = { title: "Shop", tags: ["web"], currency: "EUR" };
  const { data } = await app.request("POST", "/api/estimations", { token, body });
  const path = `/api/estimations/${data.estimation?.id}`;
  const send = (method: string, below: string, options: RequestOptions = {}) =>
    app.request(method, path + below, { token, ...options });
  await send("PUT", "/tree", { body: { nodes } });
  const read = async () => (await send("GET", "")).data.estimation;
  return { path, send, read, move: (name: Move, options?: RequestOptions) => send("POST", `/${name}`, options) };
}

describe("submitting", () => {
  test("returns the estimation in its new state, with its new revision, in lists as well", async () => {
    const { move, read } = await draft();
    const { status, data, headers } = await move("submit");
    expect([status, data.estimation?.status, data.estimation?.revision]).toEqual([200, "submitted", 3]);
    expect(headers.get("etag")).toBe('"3"');
    expect(await read()).toEqual(data.estimation);
    const listed = await app.request("GET", "/api/estimations?status=submitted", { token });
    expect(listed.data.estimations).toContainEqual(data.estimation);
  });

  test("refuses an incomplete tree with a row for each problem, the same as the tree's own", async () => {
    const { move, send } = await draft([
      {
        title: "Payment",
        kind: "multi",
        min: 2,
        max: 9,
        options: [
          { title: "Card", selected: true, requires: ["b"], excludes: ["c"] },
          { title: "Invoice", ref: "b" },
          { title: "Cash", ref: "c", selected: true },
        ],
      },
      { title: "Language", kind: "single", required: true, options: [{ title: "English" }] },
    ]);
    const { problems } = (await send("GET", "/tree")).data.tree ?? {};
    const refused = await move("submit");
    expect([refused.status, refused.body.message]).toEqual([409, "tree_incomplete"]);
    const rows = refused.body.errors as unknown as Record<string, unknown>[];
    expect(rows.map(({ in: part, code, message, ...problem }) => problem)).toEqual(problems);
    expect(rows.map(({ problem }) => problem)).toEqual([
      "max_above_options",
      "requirement_missing",
      "excluded_together",
      "too_few_selected",
    ]);
    for (const row of rows) expect(row).toMatchObject({ in: "tree", code: "incomplete", message: row.remedy });
  });

  test.each<[string, NodeInput[]]>([
    ["an empty tree", []],
    ["a tree without a selection", [{ title: "n", kind: "single", options: [{ title: "o", hours: 8 }] }]],
    [
      "a tree with only dormant selections",
      [
        {
          title: "n",
          kind: "single",
          options: [
            { title: "o", nodes: [{ title: "m", kind: "multi", options: [{ title: "p", hours: 8, selected: true }] }] },
          ],
        },
      ],
    ],
  ])("refuses %s, because nothing counts", async (_, nodes) => {
    const { move } = await draft(nodes);
    const refused = await move("submit");
    expect(refused.body.errors).toEqual([
      expect.objectContaining({ path: "", nodeId: null, optionId: null, problem: "nothing_counted" }),
    ]);
  });

  test("happens once, however many users try at the same time, and is replayed for the same Idempotency-Key", async () => {
    const { move } = await draft();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const responses = await Promise.all(Array.from({ length: 10 }, () => move("submit")));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    const first = await move("reopen", { headers });
    const second = await move("reopen", { headers });
    expect([first.status, second.text, second.headers.get("idempotent-replayed")]).toEqual([200, first.text, "true"]);
  });

  test("at the same time as an edit never lets a later change into the submitted estimation", async () => {
    const { move, send, read } = await draft();
    const { id } = (await send("GET", "/tree")).data.tree?.nodes?.[0]?.options?.[0] ?? {};
    const [submitted, edited] = await Promise.all([move("submit"), send("POST", `/tree/options/${id}/deselect`)]);
    const { status, revision } = (await read()) ?? {};
    if (submitted.status === 200) expect([edited.status, status, revision]).toEqual([409, "submitted", 3]);
    else expect([submitted.body.message, edited.status, status]).toEqual(["tree_incomplete", 200, "draft"]);
  });
});

describe("a locked estimation", () => {
  test("accepts its own record unchanged, and new tags, but no other change, alone or with tags", async () => {
    const { move, send, read } = await draft();
    await move("submit");
    const before = await read();
    expect((await send("PUT", "", { body: before })).data.estimation).toEqual(before);
    const tagged = await send("PUT", "", { body: { ...before, tags: ["shop"] } });
    expect(tagged.data.estimation).toMatchObject({ tags: ["shop"], revision: Number(before?.revision) + 1 });
    const changes = {
      title: "Other",
      description: "x",
      assumptions: "Two rounds of feedback",
      clientName: "ACME",
      hourlyRate: 90,
      currency: "USD",
      correlation: 0.5,
      rounding: 0.5,
    };
    for (const change of Object.entries(changes)) {
      const body = { tags: ["new"], ...Object.fromEntries([change]) };
      const { status, body: refusal } = await send("PUT", "", { body });
      expect([status, refusal.message], change[0]).toEqual([409, "estimation_locked"]);
      expect(refusal.details).toEqual({ status: "submitted" });
    }
  });

  test("accepts its own tree unchanged, and refuses an invalid change as invalid", async () => {
    const { move, send } = await draft();
    await move("submit");
    const { data, headers } = await send("GET", "/tree");
    const same = await send("PUT", "/tree", { body: { nodes: data.tree?.nodes } });
    expect([same.status, same.headers.get("etag")]).toEqual([200, headers.get("etag")]);
    const { id, options } = data.tree?.nodes?.[0] ?? {};
    expect((await send("POST", `/tree/options/${options?.[0]?.id}/select`)).status).toBe(200);
    expect((await send("POST", `/tree/options/opt_${"0".repeat(26)}/select`)).status).toBe(404);
    const tooFar = { parentOptionId: null, position: 7 };
    expect((await send("POST", `/tree/nodes/${id}/move`, { body: tooFar })).status).toBe(400);
    expect(
      (await send("PATCH", `/tree/nodes/${id}`, { body: { title: "x" }, headers: { "if-match": '"1"' } })).status,
    ).toBe(412);
  });

  test("can be changed again once it is reopened", async () => {
    const { move, send } = await draft();
    for (const step of ["submit", "mark-tasks-generated", "mark-exported"] as const) await move(step);
    const reopened = await move("reopen", { headers: { "if-match": '"5"' } });
    expect([reopened.status, reopened.data.estimation?.status]).toEqual([200, "draft"]);
    expect((await send("PUT", "", { body: { title: "Other" } })).status).toBe(200);
  });
});

describe("generating tasks", () => {
  test("moves a submitted estimation to tasks_generated, and leaves every other state as it is", async () => {
    const { move, send, read } = await draft();
    const generate = async () => {
      expect((await send("POST", "/tasks/generate")).status).toBe(200);
      const { status, revision } = (await read()) ?? {};
      return [status, revision];
    };
    expect(await generate()).toEqual(["draft", 2]);
    await move("submit");
    expect(await generate()).toEqual(["tasks_generated", 4]);
    expect(await generate()).toEqual(["tasks_generated", 4]);
    await move("mark-exported");
    expect(await generate()).toEqual(["exported", 5]);
  });

  test("that fails also leaves the state as it was", async () => {
    const { move, send } = await draft();
    await move("submit");
    const body = { url: "https://hooks.example.com/", events: ["estimation.tasks_generated"] };
    await app.request("POST", "/api/webhooks", { token, body });
    await app.pool.query("alter table webhook_events rename to elsewhere");
    try {
      const failed = await send("POST", "/tasks/generate");
      expect(failed.status).toBe(500);
    } finally {
      await app.pool.query("alter table elsewhere rename to webhook_events");
    }
  });
});
