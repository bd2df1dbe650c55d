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
