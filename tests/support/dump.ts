import type pg from "pg";
import { expect } from "vitest";
import { listRows } from "./list-rows.ts";
import { savedRowsOf } from "./saved-rows.ts";

/** Tables that a running worker writes to by itself: `changesNothing` leaves them out where one runs. */
export const WRITTEN_BY_WORKERS = ["graphile_worker.*", "public.job_leases"] as const;

/** Returns every row of every table, with those of the job queue, as the text of a database dump. */
export async function dump(pool: pg.Pool): Promise<string> {
  return (await listRows(pool, { isWhole: true })).join("\n");
}

/**
 * Runs `work` and returns its result. Fails unless every row of every table is the same before and after, except in the
 * tables of `but`: those that record refusals.
 */
export async function changesNothing<R>(
  { pool }: { readonly pool: pg.Pool },
  work: () => Promise<R>,
  but: readonly string[] = [],
): Promise<R> {
  const saved = savedRowsOf(pool);
  const isUnchanged = async () => but.length === 0 && (await saved?.isUnchanged()) === true;
  const before = saved && (await isUnchanged()) ? saved.rows : await listRows(pool, { but });
  const result = await work();
  if (before === saved?.rows && (await isUnchanged())) return result;
  const after = await listRows(pool, { but });
  const [old, now] = [new Set(before), new Set(after)];
  const changes = [
    ...before.filter((row) => !now.has(row)).map((row) => `- ${row}`),
    ...after.filter((row) => !old.has(row)).map((row) => `+ ${row}`),
  ];
  expect(changes, `the database was changed: ${changes[0]}`).toEqual([]);
  // Tables without a key can have equal rows.
  expect(after.length).toBe(before.length);
  return result;
}
