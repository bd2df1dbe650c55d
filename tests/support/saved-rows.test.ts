import { expect, test } from "vitest";
import { setStage } from "../surface/loops/stage.ts";
import { changesNothing, dump } from "./dump.ts";
import { IS_DATA } from "./list-rows.ts";
import { savedRowsOf } from "./saved-rows.ts";

const { app, undoing } = await setStage();
const before = await dump(app.pool);

test.each([
  ["a change", "update estimations set title = 'Other'"],
  ["a removal, with everything that goes with it", "delete from webhooks"],
  ["a new row", "insert into try_counts values ('x', 1, now())"],
  ["an emptied table", "truncate job_leases"],
])("%s is noticed and undone", async (_, statement) => {
  await undoing(async () => {
    await app.pool.query(statement);
    expect(await savedRowsOf(app.pool)?.isUnchanged()).toBe(false);
    expect(await dump(app.pool)).not.toBe(before);
  });
  expect(await savedRowsOf(app.pool)?.isUnchanged()).toBe(true);
  expect(await dump(app.pool)).toBe(before);
  const changing = changesNothing(app, () => app.pool.query(statement));
  await expect(undoing(() => changing)).rejects.toThrow("the database was changed");
});

test("a statement that changes no row is no change", async () => {
  await undoing(() => changesNothing(app, () => app.pool.query("update estimations set title = title where false")));
});

test("a change at the end of a long row is noticed", async () => {
  const long = "update estimations set description = repeat('x', 20000)";
  await undoing(async () => {
    await app.pool.query(long);
    const changing = changesNothing(app, () => app.pool.query(`${long} || 'y'`), ["public.users"]);
    await expect(changing).rejects.toThrow("the database was changed: - public.estimations");
  });
});

test("a table that is left out is named with its schema", async () => {
  const leavingOut = (name: string) => changesNothing(app, () => app.pool.query("select"), [name]);
  await leavingOut("public.users");
  await expect(leavingOut("users")).rejects.toThrow("there is no table users");
});

test("every table has a key: of equal rows, a second one would stay", async () => {
  const { rows } = await app.pool.query(
    `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${IS_DATA} and not exists (select from pg_index where indrelid = c.oid and indisprimary)`,
  );
  expect(rows).toEqual([]);
});
