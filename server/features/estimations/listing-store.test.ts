import fc from "fast-check";
import { expect, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { estimationLookUp } from "./look-up-store.ts";
import { setReader } from "./reader-store.ts";
import { setOwner } from "./store.ts";

const app = await start();
const users = [await app.signUp(), await app.signUp(), await app.signUp()] as [TestUser, TestUser, TestUser];
const [owner] = users;
const { pool } = app.services;

/** The rows that the derived tables should have, computed from who may read what. */
const EXPECTED = {
  estimation_listings: `
    select e.id, r.holder_id, tag, e.status, r.level, e.updated_at, e.created_at, e.owner_id
    from estimations e join estimation_readers r on r.estimation_id = e.id, unnest(array_append(e.tags, '')) as tag where e.deleted_at is null
    union all select e.id, r.holder_id, '', 'deleted', 'owner', e.updated_at, e.created_at, e.owner_id
    from estimations e join estimation_readers r on r.estimation_id = e.id and r.owns where e.deleted_at is not null`,
  estimation_texts: `
    select e.id, array(select holder_id from estimation_readers r where r.estimation_id = e.id order by 1),
      e.title || E'\\n' || coalesce(e.client_name, ''), e.tags, e.status, e.updated_at, e.created_at, e.owner_id
    from estimations e where e.deleted_at is null`,
};
const STORED = {
  estimation_listings:
    "select estimation_id, holder_id, tag, status, level, updated_at, created_at, owner_id from estimation_listings",
  estimation_texts: `
    select estimation_id, array(select unnest(readers) order by 1), text, tags, status, updated_at, created_at, owner_id from estimation_texts`,
};

async function differences(table: keyof typeof EXPECTED): Promise<object[]> {
  const [stored, expected] = [STORED[table], EXPECTED[table]];
  const { rows } = await app.pool.query(`(${stored} except (${expected})) union all ((${expected}) except ${stored})`);
  return rows;
}

const tags = fc.uniqueArray(fc.constantFrom("web", "shop", "app"));
const title = fc.constantFrom("Shop", "Portal", "Größe");
const change = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), body: fc.record({ title, tags }) }),
  fc.record({
    kind: fc.constant("change" as const),
    body: fc.record(
      {
        title,
        tags,
        clientName: fc.constantFrom("Acme", null),
        description: title,
        correlation: fc.constantFrom(0, 1),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ kind: fc.constant("edit" as const), body: fc.record({ title, kind: fc.constant("group") }) }),
  fc.record({ kind: fc.constant("delete" as const) }),
  fc.record({ kind: fc.constant("restore" as const) }),
  fc.record({
    kind: fc.constant("readers" as const),
    whom: fc.constantFrom(1, 2),
    sources: fc.oneof(
      fc.record({ shared: fc.constantFrom("editor" as const, "viewer" as const, null) }),
      fc.record({ reviews: fc.boolean() }),
    ),
  }),
);

test("lists agree with the estimations and their readers after any sequence of changes", async () => {
  const { token } = owner;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(change, fc.nat()), { minLength: 5, maxLength: 25 }), async (changes) => {
      const made: string[] = [];
      for (const [one, number] of changes) {
        await app.clock.advance(1_000);
        const id = made[number % made.length];
        if (one.kind === "create" || id === undefined) {
          const body = one.kind === "create" ? one.body : { title: "First" };
          made.push(String((await app.request("POST", "/api/estimations", { token, body })).data.estimation?.id));
          continue;
        }
        const path = `/api/estimations/${id}`;
        const userId = "whom" in one ? (users[one.whom]?.userId ?? "") : "";
        const response = await {
          change: () => app.request("PUT", path, { token, body: "body" in one ? one.body : {} }),
          edit: () => app.request("POST", `${path}/tree/nodes`, { token, body: "body" in one ? one.body : {} }),
          delete: () => app.request("DELETE", path, { token }),
          restore: () => app.request("POST", `${path}/restore-deleted`, { token }),
          readers: () =>
            pool.transaction((tx) =>
              setReader(tx, { estimationId: id, userId }, "sources" in one ? one.sources : { shared: null }),
            ),
        }[one.kind]();
        if (response) expect([200, 201, 404]).toContain(response.status);
      }
      expect(await differences("estimation_listings")).toEqual([]);
      expect(await differences("estimation_texts")).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test("lists agree with the estimations after another owner got one", async () => {
  const { token, userId: formerId } = owner;
  const [, heir, reader] = users;
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Given", tags: ["web"] } });
  const id = String(data.estimation?.id);
  await pool.transaction(async (tx) => {
    const estimation = await estimationLookUp.lock(tx, id, formerId, "own");
    if (!estimation) throw new Error("it is gone");
    await setReader(tx, { estimationId: id, userId: reader.userId }, { shared: "viewer" });
    await setReader(tx, { estimationId: id, userId: formerId }, { owns: false, shared: "editor" });
    await setReader(tx, { estimationId: id, userId: heir.userId }, { owns: true });
    await setOwner(tx, estimation, heir.userId, app.clock.now());
  });
  expect(await differences("estimation_listings")).toEqual([]);
  expect(await differences("estimation_texts")).toEqual([]);
  const found = await app.request("GET", `/api/estimations?owner=${heir.userId}`, { token: reader.token });
  expect(found.data.estimations).toMatchObject([{ id }]);
  expect(found.data.estimations).toHaveLength(1);
});

test("a list no longer has what its reader has lost access to, nor a deleted estimation", async () => {
  const reader = users[1];
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Seen" } });
  const estimationId = String(data.estimation?.id);
  const seen = async ({ token }: TestUser) =>
    (await app.request("GET", "/api/estimations?q=seen", { token })).text.includes(estimationId);
  await setReader(pool, { estimationId, userId: reader.userId }, { shared: "viewer" });
  expect([await seen(owner), await seen(reader)]).toEqual([true, true]);
  await setReader(pool, { estimationId, userId: reader.userId }, { shared: null });
  expect([await seen(owner), await seen(reader)]).toEqual([true, false]);
  await setReader(pool, { estimationId, userId: reader.userId }, { shared: "viewer" });
  await app.request("DELETE", `/api/estimations/${estimationId}`, { token: owner.token });
  expect([await seen(owner), await seen(reader)]).toEqual([false, false]);
});
