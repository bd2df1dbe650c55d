import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { setReader } from "./reader-store.ts";
import { removeDeleted } from "./removal-store.ts";
import { retainedSince } from "./trash.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const app = await start({ config: { deletedEstimationRetentionDays: DAYS } });
let owner = await app.signUp();

const as = (user: TestUser) => (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  app.request(method, `/api/estimations${path}`, {
    token: user.token,
    ...(body ? { body } : {}),
    ...(headers ? { headers } : {}),
  });
const create = async (title: string, user = owner) => {
  // So that the times of deletion differ.
  await app.clock.advance(1_000);
  return String((await as(user)("POST", "", { title })).data.estimation?.id);
};
const nodes = [{ title: "Part", kind: "group", options: [{ title: "Work", hours: 8 }] }];
/** A new estimation with tags, a tree and tasks. */
async function createFull(title: string): Promise<string> {
  const id = await create(title);
  await as(owner)("PUT", `/${id}`, {
    tags: ["web"],
    assumptions: "Two rounds",
    clientName: "ACME",
    hourlyRate: 80,
    currency: "EUR",
  });
  await as(owner)("PUT", `/${id}/tree`, { nodes });
  await as(owner)("POST", `/${id}/tasks/generate`);
  return id;
}
const idsOf = ({ data }: { data: Json }) => (data.estimations as unknown as { id: string }[]).map(({ id }) => id);
const removed = (user = owner, more = "") => as(user)("GET", `?deleted=true${more}`);
const restore = (id: string, user = owner, headers?: Record<string, string>) =>
  as(user)("POST", `/${id}/restore-deleted`, undefined, headers);
/** Signs in again: moving the clock ahead has ended the session. */
async function signIn(): Promise<void> {
  const { email, password } = owner;
  const { data } = await app.request("POST", "/api/auth/login", { body: { email, password } });
  owner = { ...owner, token: String(data.token) };
}

describe("the list of deleted estimations", () => {
  test("has the owner's estimations, the last deleted first, page by page, with the time of deletion", async () => {
    const ids = [await create("a"), await create("b"), await create("c"), await create("kept")];
    const order = [ids[1], ids[0], ids[2]];
    for (const id of order) {
      await app.clock.advance(1_000);
      await as(owner)("DELETE", `/${id}`);
    }
    const now = app.clock.now().toISOString();
    const all = await removed();
    expect(idsOf(all)).toEqual(order.toReversed());
    expect(all.data.estimations?.[0]).toMatchObject({ title: "c", access: "owner", deletedAt: now, updatedAt: now });
    const first = await removed(owner, "&limit=2");
    expect(idsOf(first)).toEqual([ids[2], ids[0]]);
    expect(idsOf(await removed(owner, `&limit=2&cursor=${first.data.nextCursor}`))).toEqual([ids[1]]);
    expect((await as(owner)("GET", `?limit=1&cursor=${first.data.nextCursor}`)).status).toBe(400);
    for (const id of [ids[0], ids[1], ids[2]]) expect(idsOf(await as(owner)("GET", ""))).not.toContain(id);
    expect(idsOf(await as(owner)("GET", "?deleted=false"))).toContain(ids[3]);
  });

  test("shows nothing to other readers", async () => {
    const [id, editor] = [await create("shared"), await app.signUp()];
    await setReader(app.services.pool, { estimationId: id, userId: editor.userId }, { shared: "editor" });
    await as(owner)("DELETE", `/${id}`);
    expect(idsOf(await removed(editor))).toEqual([]);
    expect(idsOf(await removed())).toContain(id);
  });

  test("has no other filter and no other order", async () => {
    for (const [more, path] of [
      ["&tag=web", "/tag"],
      ["&q=x", "/q"],
      ["&status=draft", "/status"],
      ["&access=owner", "/access"],
      ["&sort=createdAt", "/sort"],
    ] as const) {
      const refused = await removed(owner, more);
      expect([refused.status, refused.body.errors?.[0]]).toMatchObject([400, { path, code: "not_allowed" }]);
    }
    expect((await removed(owner, "&sort=updatedAt")).status).toBe(200);
  });
});

describe("restoring a deleted estimation", () => {
  test("brings back all that belongs to it, for all its readers", async () => {
    const [id, viewer] = [await createFull("Shop"), await app.signUp()];
    await setReader(app.services.pool, { estimationId: id, userId: viewer.userId }, { shared: "viewer" });
    const read = async () => {
      const responses = await Promise.all(["", "/tree", "/tasks"].map((path) => as(viewer)("GET", `/${id}${path}`)));
      return responses.map(({ data }) => data);
    };
    const [estimation, ...rest] = await read();
    await as(owner)("DELETE", `/${id}`);
    expect((await as(viewer)("GET", `/${id}`)).status).toBe(404);
    await app.clock.advance(1_000);
    const { status, data } = await restore(id);
    expect([status, data.estimation?.revision]).toEqual([200, Number(estimation?.estimation?.revision) + 2]);
    expect(data.estimation).not.toHaveProperty("deletedAt");
    const [restored, ...others] = await read();
    const { updatedAt: _, revision: __, ...same } = estimation?.estimation ?? ({} as Json);
    expect(restored?.estimation).toMatchObject(same);
    expect(others).toEqual(rest);
    for (const user of [owner, viewer]) expect(idsOf(await as(user)("GET", "?tag=web&q=shop"))).toContain(id);
    expect(idsOf(await removed())).not.toContain(id);
  });

  test("changes nothing if it is not deleted", async () => {
    const id = await create("live");
    const response = await changesNothing(app, () => restore(id));
    expect([response.status, response.data.estimation?.revision]).toEqual([200, 1]);
  });

  test("is possible only for the owner; for other users a deleted estimation does not exist", async () => {
    const [id, editor, stranger] = [await create("mine"), await app.signUp(), await app.signUp()];
    await setReader(app.services.pool, { estimationId: id, userId: editor.userId }, { shared: "editor" });
    expect((await restore(id, editor)).status).toBe(403);
    expect((await restore(id, stranger)).status).toBe(404);
    await as(owner)("DELETE", `/${id}`);
    for (const user of [editor, stranger]) expect((await restore(id, user)).status).toBe(404);
    expect((await restore(id, owner, { "if-match": '"1"' })).status).toBe(412);
    expect((await restore(id, owner, { "if-match": '"2"' })).status).toBe(200);
  });

  test("counts for the quota of estimations", async () => {
    const quotas = { ...app.services.config.quotas, estimations: 2 };
    const small = await start({ config: { quotas } });
    const { token } = await small.signUp();
    const post = (path: string, body?: object) =>
      small.request("POST", `/api/estimations${path}`, { token, ...(body ? { body } : {}) });
    const [first, second] = [await post("", { title: "a" }), await post("", { title: "b" })];
    const [a, b] = [first.data.estimation?.id, second.data.estimation?.id];
    await small.request("DELETE", `/api/estimations/${a}`, { token });
    expect((await post("", { title: "c" })).status).toBe(201);
    const refused = await post(`/${a}/restore-deleted`);
    expect([refused.status, refused.body.details?.quota]).toEqual([409, "estimations"]);
    await small.request("DELETE", `/api/estimations/${b}`, { token });
    expect((await post(`/${a}/restore-deleted`)).status).toBe(200);
  });

  test("is possible for the configured number of days, and not once its removal has begun", async () => {
    const [id, late] = [await createFull("a"), await createFull("b")];
    for (const each of [id, late]) await as(owner)("DELETE", `/${each}`);
    await app.clock.advance(DAYS * DAY_MS);
    await signIn();
    expect(idsOf(await removed())).toContain(id);
    expect((await restore(id)).status).toBe(200);
    await app.clock.advance(1);
    // A part of it has been removed already.
    const since = retainedSince(app.services.config, app.clock.now());
    await removeDeleted(app.services.pool, since, purgeEstimations)(1);
    expect(idsOf(await removed())).not.toContain(late);
    expect((await restore(late)).status).toBe(404);
  });

  test("is impossible once its removal has begun, even for a process whose clock is behind", async () => {
    const id = await createFull("Begun");
    await as(owner)("DELETE", `/${id}`);
    await app.clock.advance(DAYS * DAY_MS);
    await signIn();
    const since = (time: Date) => retainedSince(app.services.config, time);
    const removal = (time: Date) => removeDeleted(app.services.pool, time, purgeEstimations);
    while (await removal(since(app.clock.now()))(1_000));
    await removal(since(new Date(app.clock.now().getTime() + 1_000)))(2);
    expect(idsOf(await removed())).not.toContain(id);
    expect((await restore(id)).status).toBe(404);
  });

  test("and deleting it at the same time leave it either restored or deleted", async () => {
    const id = await create("both");
    for (let round = 0; round < 5; round += 1)
      await Promise.all([as(owner)("DELETE", `/${id}`), restore(id), as(owner)("DELETE", `/${id}`), restore(id)]);
    const isListed = idsOf(await as(owner)("GET", "?limit=100")).includes(id);
    expect([isListed, idsOf(await removed(owner, "&limit=100")).includes(id)].sort()).toEqual([false, true]);
    const { rows } = await app.pool.query(
      `select (select estimations from estimation_usage where owner_id = $1)
         - (select count(*)::int from estimations where owner_id = $1 and deleted_at is null) as difference`,
      [owner.userId],
    );
    expect(rows).toEqual([{ difference: 0 }]);
  });
});

describe("a copy of an estimation", () => {
  const linked = [
    {
      ...{ title: "n", kind: "multi" },
      options: [
        { ref: "a", title: "a", hours: 8, selected: true, override: 4 },
        { title: "b", requires: ["a"], nodes },
      ],
    },
  ];
  const withoutIds = (tree: Json | undefined): unknown => {
    const ids = new Map<string, string>();
    const text = JSON.stringify(tree?.nodes).replace(/(nod|opt)_[0-9a-z]{26}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `id${ids.size}`);
      return String(ids.get(id));
    });
    return JSON.parse(text);
  };

  test("has the same content with new ids and nothing else, and belongs to the user who made it", async () => {
    const [id, viewer] = [await createFull("Shop"), await app.signUp()];
    await as(owner)("PUT", `/${id}/tree`, { nodes: linked });
    await as(owner)("POST", `/${id}/tasks/generate`);
    await setReader(app.services.pool, { estimationId: id, userId: viewer.userId }, { shared: "viewer" });
    const made = await as(viewer)("POST", `/${id}/duplicate`);
    const original = (await as(viewer)("GET", `/${id}`)).data.estimation as Json;
    const copy = made.data.estimation as Json;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/estimations/${copy.id}`]);
    const { description, assumptions, clientName, tags, hourlyRate, currency, correlation, rounding, hours } = original;
    const price = { hourlyRate, currency };
    expect(copy).toMatchObject({ description, assumptions, clientName, tags, ...price, correlation, rounding, hours });
    expect(copy).toMatchObject({ title: "Shop (copy)", status: "draft", ownerId: viewer.userId, access: "owner" });
    const [before, after] = await Promise.all(
      [id, copy.id].map(async (each) => (await as(viewer)("GET", `/${each}/tree`)).data.tree),
    );
    expect(withoutIds(after)).toEqual(withoutIds(before));
    expect(JSON.stringify(after)).not.toContain(String(before?.nodes?.[0]?.id));
    for (const below of ["tasks", "versions"])
      expect((await as(viewer)("GET", `/${copy.id}/${below}`)).data[below]).toEqual([]);
    expect((await as(owner)("GET", `/${copy.id}`)).status).toBe(404);
    const option = after?.nodes?.[0]?.options?.[0]?.id;
    expect((await as(viewer)("PATCH", `/${copy.id}/tree/options/${option}`, { title: "c" })).status).toBe(200);
  });

  test("can be made of a large tree", async () => {
    const content = `# Large\n${`- n\n${"  - o: 1-2-4\n".repeat(200)}`.repeat(10)}`;
    const { estimation } = (await as(owner)("POST", "/import", { format: "outline", content })).data;
    const made = await as(owner)("POST", `/${estimation?.id}/duplicate`);
    const copy = made.data.estimation;
    expect([made.status, made.headers.get("location")]).toEqual([201, `/api/estimations/${copy?.id}`]);
    expect(copy?.hours).toEqual(estimation?.hours);
    const [before, after] = await Promise.all(
      [estimation?.id, copy?.id].map(async (id) => (await as(owner)("GET", `/${id}/tree`)).data.tree),
    );
    expect(JSON.stringify(before).length).toBeGreaterThan(128 * 1024);
    expect(withoutIds(after)).toEqual(withoutIds(before));
  });

  test("has a title within the limit", async () => {
    const id = await create("😀".repeat(limits.titleLength));
    const { title } = (await as(owner)("POST", `/${id}/duplicate`)).data.estimation as Json;
    expect(Array.from(String(title))).toHaveLength(limits.titleLength);
    expect(String(title)).toMatch(/ \(copy\)$/);
  });

  test("cannot be made without the right to read, or of another revision than the given one", async () => {
    const [id, stranger] = [await create("x"), await app.signUp()];
    expect((await as(stranger)("POST", `/${id}/duplicate`)).status).toBe(404);
    expect((await as(owner)("POST", `/${id}/duplicate`, undefined, { "if-match": '"2"' })).status).toBe(412);
    await as(owner)("DELETE", `/${id}`);
    expect((await as(owner)("POST", `/${id}/duplicate`)).status).toBe(404);
  });

  test("counts against the quotas of the user who made it", async () => {
    const quotas = { ...app.services.config.quotas, treeBytes: 4 * 64 * 1024 };
    const small = await start({ config: { quotas } });
    const { token } = await small.signUp();
    const post = (path: string, body?: object) =>
      small.request("POST", `/api/estimations${path}`, { token, ...(body ? { body } : {}) });
    const content = `# x\n${`- n\n  > ${"x".repeat(9_990)}\n`.repeat(8)}`;
    const { data } = await post("/import", { format: "outline", content });
    const copy = () => post(`/${data.estimation?.id}/duplicate`);
    // The tree takes two steps of 64 KiB, of the four that are allowed.
    expect((await copy()).status).toBe(201);
    const refused = await copy();
    expect([refused.status, refused.body.details?.quota]).toEqual([409, "treeBytes"]);
    const { data: empty } = await post("", { title: "empty" });
    expect((await post(`/${empty.estimation?.id}/duplicate`)).status).toBe(201);
  });

  test("is made once for each Idempotency-Key", async () => {
    const id = await createFull("Once");
    const copy = () => as(owner)("POST", `/${id}/duplicate`, undefined, { "idempotency-key": "copy" });
    const responses = await Promise.all([copy(), copy(), copy()]);
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  });
});
