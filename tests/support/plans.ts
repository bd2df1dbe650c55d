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
 * Returns how many rows the statements of `work` read from tables, as PostgreSQL counts them for the one transaction in
 * which they run: other connections write down what they read when they like. With `table`, only those of this one.
 */
export async function rowsRead(
  pool: pg.Pool,
  work: (db: Database) => Promise<unknown>,
  table: string | null = null,
): Promise<number> {
  const client = await pool.connect();
  const read = async () => {
    const { rows } = await client.query<{ read: string }>(
      `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read) as read from pg_stat_xact_user_tables
         where $1::text is null or relname = $1`,
      [table],
    );
    return Number(rows[0]?.read);
  };
  try {
    return await drizzle(client, { casing: "snake_case" }).transaction(async (tx) => {
      const before = await read();
      await work(Object.assign(tx, { $client: client }) as unknown as Database);
      return (await read()) - before;
    });
  } finally {
    client.release();
  }
}
