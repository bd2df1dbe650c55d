import type pg from "pg";
import { expect } from "vitest";

/** Returns every row of every table, with those of the job queue, as the text of a database dump. */
export async function dump(pool: pg.Pool): Promise<string> {
  return (await listRows(pool)).join("\n");
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
  const before = await listRows(pool, but);
  const result = await work();
  const after = await listRows(pool, but);
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

async function listRows(pool: pg.Pool, but: readonly string[] = []): Promise<string[]> {
  const tables = (await listTables(pool)).filter(({ name }) => !but.includes(name));
  const selects = tables.map(({ name }) => `select '${name}' as name, t::text as line from ${name} t`);
  const { rows } = await pool.query<{ name: string; line: string }>(`${selects.join(" union all ")} order by 1, 2`);
  return rows.map(({ name, line }) => `${name} ${line}`);
}

/** Copies every row of every table, and returns a function that restores them. Sequences are not reset. */
export async function keepRows(pool: pg.Pool): Promise<() => Promise<void>> {
  const tables = inOrderOfReference(await listTables(pool));
  const copies = tables.map(({ name }, at) => `create table kept.copy_${at} as table ${name}`);
  await pool.query(["create schema kept", ...copies].join(";"));
  const restore = [
    ...tables.map(({ name }) => `delete from ${name}`).reverse(),
    ...tables.map(
      ({ name, columns }, at) =>
        `insert into ${name} (${columns}) overriding system value select ${columns} from kept.copy_${at}`,
    ),
  ].join(";");
  return async () => void (await pool.query(restore));
}

interface Table {
  /** With its schema, quoted. */
  readonly name: string;
  /** The columns that are stored, not computed. */
  readonly columns: string;
  /** Names of the tables that its foreign keys refer to. */
  readonly refersTo: readonly string[];
}

async function listTables(pool: pg.Pool): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            (select string_agg(quote_ident(attname), ', ') from pg_attribute
              where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
            array(select format('%I.%I', fn.nspname, fc.relname) from pg_constraint f
                    join pg_class fc on fc.oid = f.confrelid join pg_namespace fn on fn.oid = fc.relnamespace
                   where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'kept')
      order by 1`,
  );
  return rows;
}

/** Returns the tables, each after those that it refers to. Throws if tables refer to each other in a circle. */
function inOrderOfReference(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  const isPlaced = (name: string) => ordered.some((table) => table.name === name);
  while (ordered.length < tables.length) {
    const next = tables.find(({ name, refersTo }) => !isPlaced(name) && refersTo.every(isPlaced));
    if (!next) throw new Error("tables refer to each other in a circle: their rows cannot be brought back one by one");
    ordered.push(next);
  }
  return ordered;
}
