import { inArray, lte, sql } from "drizzle-orm";
import type { Queryable } from "../../db/database.ts";
import { requestCounts } from "../tables.ts";

/** Units that a process counted for a caller, and when the window ends at the latest, by its clock. */
export interface CountedHere {
  readonly key: Buffer;
  readonly units: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** What all processes counted for a caller in the current window. */
export interface SharedCount {
  readonly key: Buffer;
  readonly used: number;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** Adds units to the rows of callers, and returns these; a window that is over begins again, without what it had too much. */
export async function addCounts(
  db: Queryable,
  counted: readonly CountedHere[],
  { perWindow, windowMs, now }: { readonly perWindow: number; readonly windowMs: number; readonly now: Date },
): Promise<SharedCount[]> {
  // In one order, so that processes do not wait for each other in a circle.
  const sorted = [...counted].sort((a, b) => Buffer.compare(a.key, b.key));
  const keys = sql.param(sorted.map(({ key }) => `\\x${key.toString("hex")}`));
  const units = sql.param(sorted.map((row) => row.units));
  const ends = sql.param(sorted.map(({ endsAt }) => new Date(endsAt).toISOString()));
  const at = sql`${now.toISOString()}::timestamptz`;
  const isOver = sql`c.ends_at <= ${at}`;
  const ended = sql`1 + floor(extract(epoch from ${at} - c.ends_at) * 1000 / ${windowMs}::float8)`;
  const { rows } = await db.execute<{ counter: Buffer; used: string; ends_at: string }>(sql`
    insert into ${requestCounts} as c (counter, used, ends_at)
    select * from unnest(${keys}::bytea[], ${units}::bigint[], ${ends}::timestamptz[])
    on conflict (counter) do update set
      used = greatest(0, least(2 * ${perWindow}::bigint - 1, excluded.used + case when ${isOver}
        then greatest(0, c.used - (${ended})::bigint * ${perWindow}::bigint) else c.used end)),
      ends_at = case when ${isOver} then excluded.ends_at else least(c.ends_at, excluded.ends_at) end
    returning counter, used, (extract(epoch from ends_at) * 1000)::bigint as ends_at`);
  return rows.map((row) => ({ key: row.counter, used: Number(row.used), endsAt: Number(row.ends_at) }));
}

/** Removes up to `rows` counts whose window ended before `before`, and returns how many were removed. */
export async function forgetRequestCounts(db: Queryable, before: Date, rows: number): Promise<number> {
  const over = db
    .select({ counter: requestCounts.counter })
    .from(requestCounts)
    .where(lte(requestCounts.endsAt, before))
    .orderBy(requestCounts.endsAt)
    .limit(rows)
    .for("update", { skipLocked: true });
  return (await db.delete(requestCounts).where(inArray(requestCounts.counter, over))).rowCount ?? 0;
}
