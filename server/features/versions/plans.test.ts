import { beforeAll, expect, test } from "vitest";
import { start, type TestApp } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { createVersionList, findHead, findVersion, findVersionWithSnapshot } from "./store.ts";
import { type Scene, setScene } from "./testing/scene.ts";

let app: TestApp;
let scene: Scene;

/** An estimation with as many versions as it may have, between others. */
beforeAll(async () => {
  app = await start();
  scene = await setScene(app);
  const other = await setScene(app);
  await app.pool.query(
    `insert into version_snapshots
       select e, decode(lpad(to_hex(n), 64, '0'), 'hex'), 1, '{}', 2 from unnest($1::text[]) e, generate_series(1, 5000) n`,
    [[scene.id, other.id]],
  );
  await app.pool.query(
    `insert into versions (id, estimation_id, number, author_id, cause, content_hash, hours, created_at)
       select 'ver_' || right(e, 20) || lpad(n::text, 6, '0'), e, n, $2, 'manual', decode(lpad(to_hex(n), 64, '0'), 'hex'),
         '{}', now() from unnest($1::text[]) e, generate_series(1, 5000) n`,
    [[scene.id, other.id], scene.owner.userId],
  );
  await app.pool.query("vacuum analyze versions, version_snapshots, users");
});

test("every query of versions uses an index in its order, and lists read no contents", async () => {
  const id = `ver_${scene.id.slice(-20)}002500`;
  const list = await plansOf(app.pool, async (db) => {
    const page = await createVersionList(db)({ estimationId: scene.id, thread: undefined, limit: 101, before: 2_500 });
    expect(page.map(({ number }) => number)).toEqual(Array.from({ length: 101 }, (_, at) => 2_499 - at));
  });
  const one = await plansOf(app.pool, async (db) => {
    const thread = { estimationId: scene.id, headVersionId: id };
    expect(await findHead(db, thread)).toMatchObject({ head: { number: 2_500 }, lastNumber: 5_000 });
    expect((await findVersion(db, scene.id, id))?.number).toBe(2_500);
    expect((await findVersionWithSnapshot(db, scene.id, id))?.snapshot).toEqual({ assumptions: "" });
  });
  expect([list.length, one.length]).toEqual([1, 4]);
  expect(list[0]).toContain("versions_by_number");
  expect(list[0]).not.toContain("version_snapshots");
  for (const plan of [...list, ...one]) expect(plan).not.toMatch(/Seq Scan on version|Sort/);
});
