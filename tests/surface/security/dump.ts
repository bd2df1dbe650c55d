import type pg from "pg";
import { expect } from "vitest";
import type { TestApp } from "../../harness.ts";

/** Every row of every table, the job queue's included, as the text that a dump of the database would hold. */
export async function dump(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query(`select t::text as line from ${name} t order by 1`);
    parts.push(`${name}\n`, ...rows.map(({ line }) => `${line}\n`));
  }
  return parts.join("");
}

/** Shows that `work` leaves every row of every table as it was. */
export async function changesNothing({ pool }: TestApp, work: () => Promise<void>): Promise<void> {
  const before = await dump(pool);
  await work();
  expect(await dump(pool)).toBe(before);
}
