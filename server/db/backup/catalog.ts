import pg from "pg";
import type { SequenceState, TableHead } from "./format.ts";

/** What of a connection is needed here. */
export type Connection = Pick<pg.PoolClient, "query">;

/** Returns the name as it stands in a statement. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);

/** Returns a list of columns as it stands in a statement. */
export const listOf = (columns: readonly string[]): string => columns.map(quoted).join(", ");

/** Tables of the service that last: what extensions brought is made with them again, and counters are in unlogged tables. */
const IS_OWN = `c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = 'public'::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;

/** Reads the tables of the service with the columns that are stored: those that are computed cannot be written. */
export async function readTables(db: Connection): Promise<TableHead[]> {
  const { rows } = await db.query<TableHead>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where ${IS_OWN} and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      group by c.relname order by c.relname`,
  );
  return rows;
}

/**
 * Reads where the sequences of identity columns are. They are not part of a snapshot: read after it was taken, they are at
 * its rows or beyond.
 */
export async function readSequences(db: Connection): Promise<SequenceState[]> {
  const { rows: columns } = await db.query<{ table: string; column: string; sequence: string }>(
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(format('%I.%I', 'public', c.relname), a.attname) as sequence
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where ${IS_OWN} and a.attidentity <> '' and not a.attisdropped order by 1, 2`,
  );
  const states: SequenceState[] = [];
  for (const { table, column, sequence } of columns) {
    const { rows } = await db.query(`select last_value::text as last, is_called as "isCalled" from ${sequence}`);
    states.push({ table, column, ...rows[0] });
  }
  return states;
}

/** Puts a sequence where it was. */
export async function setSequence(db: Connection, { table, column, last, isCalled }: SequenceState): Promise<void> {
  const sequence = "pg_get_serial_sequence(format('%I.%I', 'public', $1::text), $2)";
  await db.query(`select setval(${sequence}, $3::bigint, $4)`, [table, column, last, isCalled]);
}

/** Returns the first table that has rows; undefined if none has. */
export async function firstWithRows(db: Connection): Promise<string | undefined> {
  for (const { name } of await readTables(db)) {
    if ((await db.query(`select from public.${quoted(name)} limit 1`)).rowCount) return name;
  }
  return undefined;
}

/** A part of the schema that is made after the rows, which takes less than keeping it up to date with each of them. */
interface Deferred {
  readonly drop: string;
  readonly make: string;
}

/**
 * Returns how to drop, and to make again in the same order, what checks rows against each other or finds them: foreign keys,
 * so that tables can be filled in any order, and indexes that are not of a constraint.
 */
export async function readDeferred(db: Connection): Promise<Deferred[]> {
  const { rows: keys } = await db.query<Deferred>(
    `select format('alter table public.%I drop constraint %I', c.relname, k.conname) as drop,
        format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as make
       from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and ${IS_OWN} order by k.oid`,
  );
  const { rows: indexes } = await db.query<Deferred>(
    `select format('drop index public.%I', i.relname) as drop, pg_get_indexdef(i.oid) as make
       from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
      where ${IS_OWN} and not exists (select from pg_constraint k where k.conindid = x.indexrelid)
      order by i.oid`,
  );
  // A key refers to an index.
  return [...indexes, ...keys];
}
