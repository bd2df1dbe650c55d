import type pg from "pg";

/**
 * Condition for a table `c` in schema `n` that holds data: not PostgreSQL's own, nor what `saved-rows.ts` adds, nor the counts of
 * requests (unlogged), which are written whatever becomes of a request.
 */
export const IS_DATA = `c.relkind = 'r' and c.relpersistence = 'p' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'saved')`;

/** Texts of rows that are longer are compared by a digest: the largest trees have megabytes. */
const LONG = 10_000;

interface Listing {
  /** Tables that are left out, with their schema; `schema.*` for all of one. */
  readonly but?: readonly string[];
  /** Lists long rows whole, too: by default their beginning, and a digest of all. */
  readonly isWhole?: boolean;
}

/** Returns every row of every table as text, in an order that does not change. */
export async function listRows(pool: pg.Pool, { but = [], isWhole = false }: Listing = {}): Promise<string[]> {
  const tables = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${IS_DATA} order by 1`,
  );
  const all = tables.rows.map(({ name }) => name);
  const isIn = (entry: string, name: string) =>
    entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : entry === name;
  for (const entry of but) if (!all.some((name) => isIn(entry, name))) throw new Error(`there is no table ${entry}`);
  const names = all.filter((name) => !but.some((entry) => isIn(entry, name)));
  const selects = names.map((name) => `select '${name}' as name, t::text as line from ${name} t`);
  const line = isWhole
    ? "line"
    : `case when length(line) > ${LONG} then left(line, 200) || ' ' || md5(line) else line end`;
  const { rows } = await pool.query<{ name: string; line: string }>(
    `select name, ${line} as line from (${selects.join(" union all ")}) as listed order by 1, 2`,
  );
  return rows.map(({ name, line }) => `${name} ${line}`);
}
