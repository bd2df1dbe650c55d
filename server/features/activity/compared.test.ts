import { beforeAll, describe, expect, it } from "vitest";
import type { ActivityEntry } from "../../../contract/endpoints/activity.ts";
import { limits } from "../../../contract/limits.ts";
import { start, type TestApp } from "../../../tests/harness.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import { setLines } from "../threads/testing/lines.ts";
import { listActivity } from "./store.ts";

let app: TestApp;
beforeAll(async () => {
  app = await start();
});

/** An estimation with the thread Side, and the entries of its activity with versions, each with the hours of these. */
async function scene() {
  const lines = await setLines(app);
  const side = await lines.fork("Side");
  const entries = async (): Promise<readonly [string, number | null, number | null][]> => {
    const { activity } = (await lines.send("GET", "/activity")).data;
    const hours = new Map((await lines.list()).map(({ id, hours: of }) => [id, of.expected]));
    const hoursOf = (id: string | null) => (id === null ? null : (hours.get(id) ?? null));
    return (activity as unknown as ActivityEntry[])
      .filter(({ before, after }) => before !== null || after !== null)
      .map(({ kind, before, after }) => [kind, hoursOf(before), hoursOf(after)]);
  };
  const edit = (hours: number) => lines.edit("Card", { hours });
  const wait = () => app.clock.advance(limits.activityMinutes * 60_000);
  // So that what a test edits is an entry of its own.
  await wait();
  return { ...lines, side, entries, edit, wait };
}

/** Expected hours of the first version. */
const BASE = 9.33;

describe("the versions that an entry is between", () => {
  it("are the kept and the restored one of a restore", async () => {
    const { send, base, edit, entries } = await scene();
    await edit(2);
    await send("POST", `/versions/${base}/restore`);
    expect((await entries()).slice(0, 2)).toEqual([
      ["version.restored", 2, BASE],
      ["content.edited", BASE, 2],
    ]);
  });

  it("are those of the thread of an edit, the kept one and the head of the other thread of a switch", async () => {
    const { switchTo, main, side, edit, entries, wait } = await scene();
    await switchTo(side.id);
    await edit(100);
    await switchTo(main);
    await edit(2);
    await switchTo(side.id);
    await wait();
    await edit(50);
    expect(await entries()).toEqual([
      ["content.edited", 100, null],
      ["thread.switched", 2, 100],
      ["content.edited", BASE, 2],
      ["thread.switched", 100, BASE],
      ["content.edited", BASE, 100],
      ["thread.switched", BASE, BASE],
      ["version.created", null, BASE],
      ["content.edited", null, BASE],
    ]);
  });

  it("are those of the thread that was merged into, and of undoing that", async () => {
    const { switchTo, merge, send, main, side, edit, entries, list } = await scene();
    await switchTo(side.id);
    await edit(100);
    await switchTo(main);
    expect((await merge(side.id, { into: main })).status).toBe(200);
    const [merged] = await list();
    const undo = await send("POST", `/threads/${main}/undo-merge`, { body: { versionId: merged?.id } });
    expect(undo.status, undo.text).toBe(200);
    expect((await entries()).slice(0, 2)).toEqual([
      ["thread.merge_undone", 100, BASE],
      ["thread.merged", BASE, 100],
    ]);
  });

  it("are equal for edits that took each other back before another thread became the current one", async () => {
    const { switchTo, side, send, owner, entries, path } = await scene();
    const { data } = await send("GET", "");
    await send("PUT", "", { body: { title: "Other" } });
    await send("PUT", "", { body: { title: String(data.estimation?.title) } });
    await switchTo(side.id);
    const found = (await app.request("GET", `${path}/activity`, { token: owner.token })).data.activity;
    const [, edits] = found as unknown as ActivityEntry[];
    expect(edits).toMatchObject({ kind: "content.edited", edits: 2, before: edits?.after });
    expect((await entries())[1]).toEqual(["content.edited", BASE, BASE]);
  });
});

it("reads one version for each entry by an index, however many there are, in whichever thread", async () => {
  const { id, owner, side } = await scene();
  const { rows } = await app.pool.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'versions' and column_name not in ('id', 'number', 'thread_id')`,
  );
  const names = rows[0]?.names;
  await app.pool.query(
    `insert into versions (id, number, thread_id, ${names})
     select 'ver_' || lpad(n::text, 26, '0'), n + 10, case when n % 2500 = 0 then null else $2 end, ${names}
     from (select * from versions where estimation_id = $1 limit 1) v, generate_series(1, 4990) n`,
    [id, side.id],
  );
  await app.pool.query(
    `insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, subject, last_version)
     select $1, n + 100, 'content.edited', $2, now(), now(), 1, '{}', 11 from generate_series(1, 900) n`,
    [id, owner.userId],
  );
  await app.pool.query("vacuum analyze versions, activity_entries, threads, users");
  const plans = await plansOf(app.pool, (db) => listActivity(db, id, 101, null));
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(/using versions_by_thread on versions/);
  expect(plans[0]).not.toMatch(/Seq Scan on (versions|activity_entries)/);
  const found: (string | null)[] = [];
  const read = await rowsRead(
    app.pool,
    async (db) => void found.push(...(await listActivity(db, id, 101, null)).map(({ afterId }) => afterId)),
    "versions",
  );
  expect(new Set(found)).toEqual(new Set([`ver_${"2500".padStart(26, "0")}`]));
  expect(read).toBe(101);
});
