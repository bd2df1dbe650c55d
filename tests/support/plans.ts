import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import type { Database } from "../../server/db/database.ts";

/**
 * Runs `work` and returns the plan of every statement that it sent, in the order they were sent, as text. The plans are
 * made afterwards, for the values that were sent, from the planner's statistics of that time.
 */
export async function plansOf(pool: pg.Pool, work: (db: Database) => Promise<unknown>): Promise<string[]> {
  const sent: { text: string; values: unknown[] }[] = [];
  await work(
    drizzle(pool, { casing: "snake_case", logger: { logQuery: (text, values) => void sent.push({ text, values }) } }),
  );
  const plans: string[] = [];
  for (const { text, values } of sent.filter(({ text }) => !/^(begin|commit|rollback|set) ?/.test(text))) {
    const { rows } = await pool.query(`explain ${text}`, values);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
  }
  return plans;
}

/**
 * Returns how many rows the statements of `work` read from tables, as PostgreSQL counts them in the transaction that they run
 * in: what other connections did before, or do meanwhile, is not in it.
 */
export async function rowsReadInTransaction(pool: pg.Pool, work: (db: Database) => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  // Of this connection alone, and with its earlier transactions as long as their statistics were not taken over.
  const readSoFar = async (): Promise<number> => {
    const { rows } = await client.query<{ read: number }>(
      "select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables",
    );
    return rows[0]?.read ?? 0;
  };
  try {
    await client.query("begin");
    const before = await readSoFar();
    await work(drizzle(client, { casing: "snake_case" }) as unknown as Database);
    return (await readSoFar()) - before;
  } finally {
    await client.query("rollback");
    client.release();
  }
}

/**
 * The same for `work` that has connections of its own. Nothing else may use the database meanwhile, or have read much just
 * before, and `work` has to read at least one row.
 */
export async function rowsRead(pool: pg.Pool, work: (db: Database) => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const read = async () => {
    await client.query("select pg_stat_force_next_flush()");
    const { rows } = await client.query<{ read: string }>(
      "select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as read from pg_stat_user_tables",
    );
    return Number(rows[0]?.read);
  };
  try {
    const before = await read();
    await work(drizzle(pool, { casing: "snake_case" }));
    for (let after = await read(), tries = 0; ; tries += 1, after = await read())
      if (after > before || tries > 500) return after - before;
  } finally {
    client.release();
  }
}
