import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { breaches, faultAt } from "../../../domain/tree/check/faults.ts";
import { type RequestOptions, start, until } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";

const app = await start();
const owner = await app.signUp();
const stranger = await app.signUp();

const call = (method: string, path: string, body?: unknown, more: RequestOptions = {}) =>
  app.request(method, path, { token: owner.token, body, ...more });

const newEstimation = async (body: object = {}) => {
  const { data } = await call("POST", "/api/estimations", { title: "Checkout", ...body });
  return `/api/estimations/${data.estimation?.id}`;
};

const hours = (optimistic: number, likely: number, pessimistic: number) => ({ optimistic, likely, pessimistic });
const signIn = {
  nodes: [
    {
      title: "Sign-in",
      kind: "single",
      required: true,
      options: [
        {
          ref: "build",
          title: "Build it",
          hours: hours(10, 16, 34),
          selected: true,
          nodes: [
            { title: "Second factor", kind: "multi", options: [{ ref: "totp", title: "TOTP", hours: 6, quantity: 2 }] },
          ],
        },
        { ref: "buy", title: "Buy it", hours: hours(4, 6, 13), excludes: ["totp"] },
      ],
    },
  ],
};

/** A checkout with its sign-in decided: the paths and ids that the tests name. */
async function signInEstimation(body: object = {}) {
  const path = await newEstimation(body);
  const { status, data } = await call("PUT", `${path}/tree`, signIn);
  expect(status).toBe(200);
  const node = data.tree?.nodes?.[0];
  const [build, buy] = [node?.options?.[0], node?.options?.[1]];
  const factor = build?.nodes?.[0];
  return {
    path,
    tree: data.tree,
    node: String(node?.id),
    build: String(build?.id),
    buy: String(buy?.id),
    factor: String(factor?.id),
    totp: String(factor?.options?.[0]?.id),
  };
}

describe("PUT tree", () => {
  test("creates ids, resolves refs, rolls up, and returns what GET reads", async () => {
    const { path, tree, buy, totp } = await signInEstimation({ hourlyRate: 100, currency: "EUR" });
    expect(tree?.nodes?.[0]?.options?.[1]).toMatchObject({ id: buy, excludes: [totp] });
    const read = await call("GET", `${path}/tree`);
    expect(read.data.tree).toEqual(tree);
    expect(read.headers.get("etag")).toBe('"2"');
    const { data } = await call("GET", `${path}/tree/hours`);
    // One option of 10, 16, 34: mean (10 + 64 + 34) / 6 = 18, deviation √(8 · 16 / 7) = 4.28.
    expect(data.hours).toMatchObject({
      optimistic: 10,
      likely: 16,
      pessimistic: 34,
      expected: 18,
      standardDeviation: 4.28,
    });
    expect(data.hours?.p50).toBe(17.53);
    expect(data.hours?.cost).toMatchObject({ currency: "EUR", expected: 1800 });
    const { data: list } = await call("GET", "/api/estimations");
    expect(list.estimations?.[0]?.hours).toMatchObject({ expected: 18, p50: 17.53 });
  });

  test("accepts its own response and keeps every id", async () => {
    const { path, tree } = await signInEstimation();
    const again = await call("PUT", `${path}/tree`, tree);
    expect([again.status, again.data.tree]).toEqual([200, tree]);
  });

  test("keeps revision and time if the tree is unchanged, even if it is empty", async () => {
    const { path, tree } = await signInEstimation();
    const before = await call("GET", path);
    await app.clock.advance(1000);
    expect((await call("PUT", `${path}/tree`, tree)).headers.get("etag")).toBe('"2"');
    expect((await call("GET", path)).body).toEqual(before.body);
    const empty = await newEstimation();
    expect((await call("PUT", `${empty}/tree`, { nodes: [] })).headers.get("etag")).toBe('"1"');
  });

  test("restores a removed object under its id, and accepts no foreign id", async () => {
    const { path, tree, build } = await signInEstimation();
    expect((await call("PUT", `${path}/tree`, { nodes: [] })).status).toBe(200);
    const back = await call("PUT", `${path}/tree`, tree);
    expect([back.status, back.data.tree]).toEqual([200, tree]);
    const other = await newEstimation();
    const stolen = await call("PUT", `${other}/tree`, tree);
    expect(stolen.status).toBe(400);
    expect(JSON.stringify(stolen.body.errors)).toContain("/nodes/0/options/0/id");
    const asNode = { nodes: [{ id: build, title: "x", kind: "group" }] };
    expect((await call("PUT", `${path}/tree`, asNode)).status).toBe(400);
    expect((await call("GET", `${path}/tree`)).data.tree).toEqual(tree);
  });

  test("stores nothing of former trees, however often it is replaced, and still recognises all former ids", async () => {
    const path = await newEstimation();
    const id = path.split("/").at(-1);
    const remembered = async () =>
      (await app.pool.query("select id from removed_tree_ids where estimation_id = $1 order by id", [id])).rows;
    const first = (await call("PUT", `${path}/tree`, optionTree(300))).data.tree;
    for (let n = 0; n < 3; n += 1) expect((await call("PUT", `${path}/tree`, optionTree(300))).status).toBe(200);
    expect(await remembered()).toEqual([]);
    expect((await call("PUT", `${path}/tree`, { nodes: first?.nodes })).data.tree).toEqual(first);

    // An older id that does not show where it belongs: it is only in the stored tree.
    const old = app.services.ids.next("option");
    const text = JSON.stringify({ nodes: first?.nodes }).replace(String(first?.nodes?.[0]?.options?.[0]?.id), old);
    await app.pool.query("update decision_trees set tree = $2 where estimation_id = $1", [id, text]);
    const taken = (await call("GET", `${path}/tree`)).data.tree?.nodes;
    expect((await call("PUT", `${path}/tree`, { nodes: [] })).status).toBe(200);
    expect(await remembered()).toEqual([{ id: old }]);
    expect((await call("PUT", `${path}/tree`, { nodes: taken })).data.tree?.nodes).toEqual(taken);

    const invented = { nodes: [{ id: app.services.ids.next("node"), title: "x", kind: "group" }] };
    expect((await call("PUT", `${path}/tree`, invented)).status).toBe(400);
  });

  const nodes = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `n${n}`, kind: "group" }));
  const deep = (depth: number): object => ({
    title: "n",
    kind: "group",
    options: depth > 1 ? [{ title: "o", nodes: [deep(depth - 1)] }] : [],
  });
  const options = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `o${n}` }));
  const optionTree = (total: number) => ({
    nodes: Array.from({ length: Math.ceil(total / limits.nodeOptions) }, (_, n) => ({
      title: `n${n}`,
      kind: "group",
      options: options(Math.min(limits.nodeOptions, total - n * limits.nodeOptions)),
    })),
  });
  const one = (option: object) => ({ nodes: [{ title: "n", kind: "multi", options: [{ title: "o", ...option }] }] });
  const cases: [string, object, object][] = [
    ["nodes in a tree", { nodes: nodes(limits.treeNodes) }, { nodes: nodes(limits.treeNodes + 1) }],
    ["options in a tree", optionTree(limits.treeOptions), optionTree(limits.treeOptions + 1)],
    ["depth", { nodes: [deep(limits.treeDepth)] }, { nodes: [deep(limits.treeDepth + 1)] }],
    [
      "options of a node",
      { nodes: [{ title: "n", kind: "group", options: options(limits.nodeOptions) }] },
      { nodes: [{ title: "n", kind: "group", options: options(limits.nodeOptions + 1) }] },
    ],
    ["optimistic ≤ likely", one({ hours: hours(2, 2, 2) }), one({ hours: hours(2.01, 2, 2.01) })],
    ["likely ≤ pessimistic", one({ hours: hours(1, 2, 2) }), one({ hours: hours(1, 2.01, 2) })],
    ["hours", one({ hours: limits.optionHoursMax }), one({ hours: limits.optionHoursMax + 0.01 })],
    ["hours from 0", one({ hours: 0 }), one({ hours: -0.01 })],
    ["decimals of hours", one({ hours: 0.29 }), one({ hours: 0.291 })],
    ["quantity", one({ quantity: limits.quantityMax }), one({ quantity: limits.quantityMax + 1 })],
    ["quantity from 0", one({ quantity: 0 }), one({ quantity: -1 })],
    [
      "min ≤ max",
      { nodes: [{ title: "n", kind: "multi", min: 1, max: 1 }] },
      { nodes: [{ title: "n", kind: "multi", min: 2, max: 1 }] },
    ],
    [
      "title",
      one({ title: "x".repeat(limits.nodeTitleLength) }),
      one({ title: "x".repeat(limits.nodeTitleLength + 1) }),
    ],
    ["unit", one({ unit: "x".repeat(limits.unitLength) }), one({ unit: "x".repeat(limits.unitLength + 1) })],
    ["role", one({ role: "x".repeat(limits.roleLength) }), one({ role: "x".repeat(limits.roleLength + 1) })],
    [
      "one selected in a single choice",
      { nodes: [{ title: "n", kind: "single", options: [{ title: "a", selected: true }, { title: "b" }] }] },
      {
        nodes: [
          {
            title: "n",
            kind: "single",
            options: [
              { title: "a", selected: true },
              { title: "b", selected: true },
            ],
          },
        ],
      },
    ],
    ["known links", one({ ref: "a", excludes: [] }), one({ ref: "a", excludes: ["b"] })],
    [
      "acyclic requires",
      {
        nodes: [
          {
            title: "n",
            kind: "multi",
            options: [
              { ref: "a", title: "a" },
              { ref: "b", title: "b", requires: ["a"] },
            ],
          },
        ],
      },
      {
        nodes: [
          {
            title: "n",
            kind: "multi",
            options: [
              { ref: "a", title: "a", requires: ["b"] },
              { ref: "b", title: "b", requires: ["a"] },
            ],
          },
        ],
      },
    ],
    ["unknown fields", one({ unit: "x" }), one({ units: "x" })],
  ];
  test.each(cases)(
    "%s: accepts values up to the limit, refuses values beyond it and changes nothing",
    async (_, fits, beyond) => {
      const path = await newEstimation();
      const taken = await call("PUT", `${path}/tree`, fits);
      expect([taken.status, taken.body.message]).toEqual([200, undefined]);
      const refused = await call("PUT", `${path}/tree`, beyond);
      expect([refused.status, refused.body.message]).toEqual([400, "validation_failed"]);
      expect(refused.body.errors?.[0]?.message).toBeTruthy();
      const read = await call("GET", `${path}/tree`);
      expect([read.data.tree, read.headers.get("etag")]).toEqual([taken.data.tree, '"2"']);
    },
  );
});

describe("ids for what a client makes itself", () => {
  const idsFor = async (path: string, kind: string, count: number) =>
    [(await call("POST", `${path}/ids`, { kind, count })).data.ids ?? []].flat().map(String);

  test("a whole-tree write takes them, sent again it adds nothing, and other estimations refuse them", async () => {
    const path = await newEstimation();
    const [[nodeId], [cardId, cashId]] = await Promise.all([idsFor(path, "node", 1), idsFor(path, "option", 2)]);
    const options = [
      { id: cardId, title: "Card" },
      { id: cashId, title: "Cash", excludes: [cardId] },
    ];
    const body = { nodes: [{ id: nodeId, title: "Payment", kind: "single", options }] };
    const { data: first } = await call("PUT", `${path}/tree`, body);
    expect(first.tree?.nodes).toMatchObject(body.nodes);
    const { data: second } = await call("PUT", `${path}/tree`, body);
    expect(second.tree).toEqual(first.tree);
    const other = await newEstimation();
    expect((await call("PUT", `${other}/tree`, body)).status).toBe(400);
    // An id keeps its kind.
    const swapped = { nodes: [{ id: cardId, title: "Payment", kind: "single" }] };
    expect((await call("PUT", `${path}/tree`, swapped)).status).toBe(400);
  });

  test(`there are as many as asked for, at most ${limits.newIds}, no two the same, and nothing changes`, async () => {
    const path = await newEstimation();
    const ids = await changesNothing(app, () => idsFor(path, "option", limits.newIds));
    expect(new Set(ids).size).toBe(limits.newIds);
    expect(ids.every((id) => id.startsWith("opt_"))).toBe(true);
    for (const body of [
      { kind: "option", count: limits.newIds + 1 },
      { kind: "option", count: 0 },
      { kind: "task", count: 1 },
      { kind: "node" },
    ])
      expect((await call("POST", `${path}/ids`, body)).status, JSON.stringify(body)).toBe(400);
  });
});

describe("the size of a tree", () => {
  const wide = "\u{1F4D0}".repeat(limits.descriptionLength);
  /** As it is stored: without the origins that are null. */
  const bytesOf = (tree: unknown) =>
    Buffer.byteLength(JSON.stringify(tree, (name, value) => (name === "origin" ? undefined : value)));
  const nodesOf = async (path: string) => ({ nodes: (await call("GET", `${path}/tree`)).data.tree?.nodes });

  /** A tree that takes exactly `bytes`; a node with a description of 4-byte characters is the unit. */
  async function filled(bytes: number) {
    const path = await newEstimation();
    const node = { title: "n", kind: "group", description: wide };
    const probe = await call("PUT", `${path}/tree`, { nodes: [node, { ...node, description: "" }] });
    const empty = bytesOf({ nodes: probe.data.tree?.nodes }) - 4 * limits.descriptionLength;
    const each = (empty - '{"nodes":[,]}'.length) / 2 + 1;
    const whole = Math.floor((bytes - 13) / (each + 4 * limits.descriptionLength)) - 1;
    let rest = bytes - '{"nodes":[]}'.length + 1 - whole * (each + 4 * limits.descriptionLength);
    const nodes: object[] = Array.from({ length: whole }, () => node);
    while (rest > 0) {
      const length = Math.min(limits.descriptionLength, rest - each);
      const fits = rest - each - length === 0 || rest - each - length >= each;
      const used = fits ? length : length - each;
      nodes.push({ ...node, description: "x".repeat(used) });
      rest -= each + used;
    }
    return { path, nodes };
  }

  test("can reach the limit in bytes and be sent back as read, and no edit or import exceeds the limit", async () => {
    const { path, nodes } = await filled(limits.treeBytes);
    expect((await call("PUT", `${path}/tree`, { nodes })).status).toBe(200);
    const stored = await nodesOf(path);
    expect(bytesOf(stored)).toBe(limits.treeBytes);
    const before = await call("GET", path);
    const again = await call("PUT", `${path}/tree`, stored);
    expect([again.status, again.headers.get("etag")]).toEqual([200, before.headers.get("etag")]);

    const last = stored.nodes?.[nodes.length - 1]?.id;
    const refused = [
      await call("PUT", `${path}/tree`, { nodes: [...nodes, { title: "n", kind: "group" }] }),
      await call("POST", `${path}/tree/nodes`, { title: "n", kind: "group" }),
      await call("POST", `${path}/tree/nodes/${last}/options`, { title: "o" }),
      await call("PATCH", `${path}/tree/nodes/${last}`, { title: "nn" }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.message, body.errors]).toEqual([
        400,
        "validation_failed",
        [faultAt("", breaches.treeBytes)],
      ]);
    }
    expect((await call("GET", path)).body).toEqual(before.body);
    expect(await nodesOf(path)).toEqual(stored);
    expect((await call("DELETE", `${path}/tree/nodes/${last}`)).status).toBe(200);
    expect((await call("POST", `${path}/tree/nodes`, { title: "n", kind: "group" })).status).toBe(201);
  });

  test("is judged with full ids, not with the refs of an import", async () => {
    const path = await newEstimation();
    const excludes = Array.from({ length: limits.optionLinks }, (_, n) => `${n}`);
    const tree = (sources: number) => ({
      nodes: [
        { title: "targets", kind: "multi", options: excludes.map((ref) => ({ ref, title: "t" })) },
        { title: "sources", kind: "multi", options: Array.from({ length: sources }, () => ({ title: "s", excludes })) },
      ],
    });
    const most = limits.treeLinks / limits.optionLinks;
    const taken = await call("PUT", `${path}/tree`, tree(most));
    expect(taken.status).toBe(200);
    const refused = await call("PUT", `${path}/tree`, tree(most + 1));
    expect([refused.status, refused.body.errors]).toEqual([400, [faultAt("/nodes", breaches.treeLinks)]]);
    const source = taken.data.tree?.nodes?.[1]?.options?.[0]?.id;
    const target = taken.data.tree?.nodes?.[0]?.options?.[0]?.id;
    const edit = await call("PATCH", `${path}/tree/options/${source}`, { requires: [target] });
    expect([edit.status, edit.body.errors]).toEqual([400, [faultAt("", breaches.treeLinks)]]);
    expect((await call("GET", path)).headers.get("etag")).toBe('"2"');
  });
});

describe("edits", () => {
  test("that wait for one estimation leave database connections to other requests", async () => {
    const { path } = await signInEstimation();
    const holder = await app.pool.connect();
    const waiting = async () => {
      const { rows } = await app.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    };
    await holder.query("begin");
    try {
      await holder.query("select 1 from estimations where id = $1 for update", [path.split("/").at(-1)]);
      const edits = Array.from({ length: 12 }, (_, n) =>
        call("POST", `${path}/tree/nodes`, { title: `n${n}`, kind: "group" }),
      );
      await until(waiting);
      for (let n = 0; n < 5; n += 1) {
        expect((await app.request("GET", "/api/estimations", { token: stranger.token })).status).toBe(200);
      }
      expect(await waiting()).toBe(1);
      await holder.query("commit");
      expect(new Set((await Promise.all(edits)).map(({ status }) => status))).toEqual(new Set([201]));
    } finally {
      await holder.query("rollback");
      holder.release();
    }
    expect((await call("GET", `${path}/tree`)).headers.get("etag")).toBe('"14"');
  });

  test("select moves a single choice; deselect makes everything below dormant, and selecting again restores it", async () => {
    const { path, build, buy, totp } = await signInEstimation();
    const factor = await call("POST", `${path}/tree/options/${totp}/select`);
    expect(factor.data.hours?.expected).toBe(30);
    const bought = await call("POST", `${path}/tree/options/${buy}/select`);
    expect(bought.data.deselected).toEqual([build]);
    expect(bought.data.option).toMatchObject({ id: buy, selected: true });
    expect(bought.data.hours?.expected).toBe(6.83);
    const back = await call("POST", `${path}/tree/options/${build}/select`);
    expect(back.data.hours).toEqual(factor.data.hours);
    const none = await call("POST", `${path}/tree/options/${build}/deselect`);
    expect(none.data.hours?.expected).toBe(0);
    const { data } = await call("GET", `${path}/tree`);
    expect(data.tree?.problems?.[0]).toMatchObject({ problem: "too_few_selected", path: "/nodes/0" });
  });

  test("selecting a selected option changes nothing, not even the revision", async () => {
    const { path, build } = await signInEstimation();
    const again = await changesNothing(app, () => call("POST", `${path}/tree/options/${build}/select`));
    expect([again.status, again.headers.get("etag")]).toEqual([200, '"2"']);
  });

  test("nodes and options are created, changed, moved and deleted; each response has the changed part and the new hours", async () => {
    const { path, build, buy, factor } = await signInEstimation();
    const created = await call("POST", `${path}/tree/nodes`, {
      title: "Audit log",
      kind: "group",
      parentOptionId: buy,
      position: 0,
    });
    expect(created.status).toBe(201);
    const log = String(created.data.node?.id);
    const option = await call("POST", `${path}/tree/nodes/${log}/options`, {
      title: "Write it",
      hours: hours(2, 4, 12),
      role: "backend",
    });
    expect([option.status, option.data.option?.hours]).toEqual([201, hours(2, 4, 12)]);
    const write = String(option.data.option?.id);
    const moved = await call("POST", `${path}/tree/nodes/${log}/move`, { parentOptionId: build });
    expect(moved.data.hours?.expected).toBe(23);
    const changed = await call("PATCH", `${path}/tree/options/${write}`, { override: 1, quantity: 3 });
    expect(changed.data.option).toMatchObject({ hours: hours(2, 4, 12), override: hours(1, 1, 1), quantity: 3 });
    expect(changed.data.hours?.expected).toBe(21);
    const renamed = await call("PATCH", `${path}/tree/nodes/${log}`, {
      title: "Log",
      position: 0,
      parentOptionId: null,
    });
    expect(renamed.data.node?.title).toBe("Log");
    const over = await call("POST", `${path}/tree/options/${write}/move`, { nodeId: factor, position: 0 });
    expect(over.status).toBe(200);
    const { data } = await call("GET", `${path}/tree`);
    expect(data.tree?.nodes?.[0]).toMatchObject({ id: log, options: [] });
    expect(data.tree?.nodes?.[1]?.options?.[0]?.nodes?.[0]?.options?.[0]?.id).toBe(write);
    expect((await call("DELETE", `${path}/tree/options/${write}`)).data.option?.id).toBe(write);
    expect((await call("DELETE", `${path}/tree/nodes/${log}`)).data.node?.id).toBe(log);
    for (const gone of [`options/${write}`, `nodes/${log}`]) {
      expect((await call("DELETE", `${path}/tree/${gone}`)).status).toBe(404);
    }
  });

  test("that violate the structure are refused with the place of the fault and change nothing", async () => {
    const { path, build, buy, node, factor, totp } = await signInEstimation();
    const refused: [string, string, unknown, string][] = [
      ["DELETE", `options/${totp}`, undefined, ""],
      ["DELETE", `nodes/${factor}`, undefined, ""],
      ["POST", `nodes/${node}/move`, { parentOptionId: totp }, "/parentOptionId"],
      ["POST", `nodes/${factor}/move`, { parentOptionId: `opt_${"0".repeat(26)}` }, "/parentOptionId"],
      ["POST", `nodes/${factor}/move`, { parentOptionId: buy, position: 1 }, "/position"],
      ["POST", `options/${build}/move`, { nodeId: factor }, "/nodeId"],
      ["PATCH", `options/${build}`, { requires: [build] }, "/requires/0"],
      ["PATCH", `options/${build}`, { hours: hours(3, 2, 1) }, "/hours"],
      ["PATCH", `options/${build}`, { position: 2 }, "/position"],
      ["PATCH", `nodes/${node}`, { min: 3, max: 2 }, "/m"],
      ["PATCH", `nodes/${node}`, { kind: "choice" }, "/kind"],
      ["POST", `nodes/${node}/options`, { title: "x", surprise: 1 }, "/surprise"],
      ["POST", "nodes", { title: "x", kind: "group", parentOptionId: build, position: 5 }, "/position"],
    ];
    for (const [method, what, body, place] of refused) {
      const response = await call(method, `${path}/tree/${what}`, body);
      expect([what, response.status, response.body.message]).toEqual([what, 400, "validation_failed"]);
      expect(String(response.body.errors?.[0]?.path).startsWith(place)).toBe(true);
    }
  });

  test("accept only objects of this tree", async () => {
    const mine = await signInEstimation();
    const other = await signInEstimation();
    for (const what of [
      `options/${other.build}/select`,
      `nodes/${other.node}/move`,
      `options/${other.build}/deselect`,
    ]) {
      const body = what.endsWith("move") ? { parentOptionId: null } : undefined;
      expect((await call("POST", `${mine.path}/tree/${what}`, body)).status).toBe(404);
    }
    expect((await call("GET", `${other.path}/tree`)).data.tree).toEqual(other.tree);
  });

  test("of another user find nothing; a stale If-Match is refused; neither changes the tree", async () => {
    const { path, tree, buy } = await signInEstimation();
    const select = `${path}/tree/options/${buy}/select`;
    expect((await app.request("POST", select, { token: stranger.token })).status).toBe(404);
    expect((await call("POST", select, undefined, { headers: { "if-match": '"1"' } })).status).toBe(412);
    expect((await call("GET", `${path}/tree`)).data.tree).toEqual(tree);
  });

  test("made at the same time all take effect", async () => {
    const { path } = await signInEstimation();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call("POST", `${path}/tree/nodes`, { title: `n${n}`, kind: "group" })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    const { data, headers } = await call("GET", `${path}/tree`);
    expect(JSON.parse(JSON.stringify(data.tree?.nodes))).toHaveLength(21);
    expect(headers.get("etag")).toBe('"22"');
  });
});

describe("GET tree/hours?explain=true", () => {
  test("adds how the hours are computed; without it only the hours are returned", async () => {
    const { path, build } = await signInEstimation({ correlation: 0.5 });
    const { data } = await call("GET", `${path}/tree/hours?explain=true`);
    expect(data.explanation).toMatchObject({ correlation: 0.5, options: 1, expected: data.hours?.expected });
    // With its one option clear, 18 h are certain.
    const lowersP80 = Math.round((Number(data.hours?.p80) - 18) * 100) / 100;
    expect(data.explanation?.clarify).toEqual([{ optionId: build, title: "Build it", lowersP80 }]);
    for (const query of ["", "?explain=false"]) {
      expect(Object.keys((await call("GET", `${path}/tree/hours${query}`)).data)).toEqual(["hours"]);
    }
    expect((await call("GET", `${path}/tree/hours?explain=yes`)).status).toBe(400);
  });
});

describe("GET tree/hours?select=…&deselect=…&whatIf=all", () => {
  const hoursIf = (path: string, query: string) => call("GET", `${path}/tree/hours?${query}`);

  test("returns the hours with those changes, and stores nothing", async () => {
    const { path, buy, build, totp } = await signInEstimation();
    const [tried, both] = await changesNothing(app, async () => [
      await hoursIf(path, `select=${buy}`),
      await hoursIf(path, `select=${totp}&deselect=${build}&explain=true`),
    ]);
    expect([both.data.hours?.expected, both.data.explanation?.options]).toEqual([0, 0]);

    const { data } = await call("POST", `${path}/tree/options/${buy}/select`);
    expect(tried.data).toEqual({ hours: data.hours });
  });

  test("returns for every option what selecting it would change", async () => {
    const { path, buy, totp } = await signInEstimation();
    const { hours, whatIf } = (await hoursIf(path, "whatIf=all")).data;
    expect([whatIf?.[0]?.optionId, whatIf?.[1]?.optionId]).toEqual([totp, buy]);
    for (const index of [0, 1]) {
      const change = whatIf?.[index];
      const after = (await hoursIf(path, `select=${change?.optionId}`)).data.hours;
      for (const name of ["expected", "p50", "p80", "p90", "p95"])
        expect(Number(change?.[name])).toBeCloseTo(Number(after?.[name]) - Number(hours?.[name]), 6);
    }
    const then = (await hoursIf(path, `whatIf=all&select=${buy}`)).data.whatIf;
    expect(then?.[1]).toMatchObject({ optionId: totp, expected: 0 });
  });

  test("refuses unknown options, options given twice, and too many", async () => {
    const { path, buy } = await signInEstimation();
    const refusals: readonly (readonly [string, string])[] = [
      [`select=opt_${"0".repeat(26)}`, "/select/0"],
      ["select=nothing", "/select/0"],
      [`select=${buy},${buy}`, "/select/1"],
      [`select=${buy}&deselect=${buy}`, "/deselect/0"],
      [`select=${Array.from({ length: 101 }, () => "x").join(",")}`, "/select"],
      ["whatIf=some", "/whatIf"],
    ];
    for (const [query, fault] of refusals) {
      const { status, body } = await hoursIf(path, query);
      expect([query, status, body.errors?.[0]?.path]).toEqual([query, 400, fault]);
    }
    expect((await hoursIf(path, "select=&deselect=")).status).toBe(200);
  });
});
