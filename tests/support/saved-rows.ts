import type pg from "pg";
import { IS_DATA, listRows } from "./list-rows.ts";

/** A state of the database that tests go back to. */
export interface SavedRows {
  /** Every row of every table, as `listRows` returns them. */
  readonly rows: readonly string[];
  /** Whether no table was written to since the rows were saved or restored. */
  isUnchanged(): Promise<boolean>;
  /** Brings every table that was written to back to the saved rows. Sequences are not reset. */
  restore(): Promise<void>;
}

const saved = new WeakMap<pg.Pool, SavedRows>();

/** Returns what {@link saveRows} saved of the pool's database. */
export const savedRowsOf = (pool: pg.Pool): SavedRows | undefined => saved.get(pool);

/**
 * Copies every row of every table. Triggers note from now on which tables are written to, so that only those have to be
 * compared and restored.
 */
export async function saveRows(pool: pg.Pool): Promise<SavedRows> {
  const tables = await listTables(pool);
  await pool.query(
    [
      "create schema saved",
      "create unlogged table saved.written (name text not null)",
      `create function saved.note() returns trigger language plpgsql as $$
         begin
           insert into saved.written values (format('%I.%I', tg_table_schema, tg_table_name));
           return null;
         end $$`,
      ...tables.flatMap(({ name, copy }) => [
        `create table ${copy} as table ${name}`,
        `create trigger note_for_tests after insert or update or delete or truncate on ${name}
         for each statement execute function saved.note()`,
      ]),
    ].join(";"),
  );
  const names = async () =>
    (await pool.query<{ name: string }>("select distinct name from saved.written")).rows.map(({ name }) => name);
  const self: SavedRows = {
    rows: await listRows(pool),
    isUnchanged: async () => (await names()).length === 0,
    async restore() {
      const written = new Set(await names());
      if (written.size === 0) return;
      // Only rows that differ: indexes of words grow with each row that is written again. `*=` compares the bytes of rows.
      const statements = tables
        .filter(({ name }) => written.has(name))
        .flatMap(({ name, copy, columns }) => [
          `delete from ${name} t where not exists (select from ${copy} k where k *= t)`,
          `insert into ${name} (${columns}) overriding system value
           select ${columns} from ${copy} k where not exists (select from ${name} t where t *= k)`,
        ]);
      // As a replica does: no foreign key is checked or cascades, and nothing is noted.
      const asReplica = "set local session_replication_role = replica";
      await pool.query(["begin", asReplica, ...statements, "delete from saved.written", "commit"].join(";"));
    },
  };
  saved.set(pool, self);
  return self;
}

interface Table {
  /** With its schema, quoted. */
  readonly name: string;
  /** The columns that are stored, not computed. */
  readonly columns: string;
  /** The name of its copy. */
  readonly copy: string;
}

async function listTables(pool: pg.Pool): Promise<Table[]> {
  const { rows } = await pool.query<Table>(
    `select format('%I.%I', n.nspname, c.relname) as name,
            format('saved.%I', n.nspname || ' ' || c.relname) as copy,
            (select string_agg(quote_ident(attname), ', ') from pg_attribute
              where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where ${IS_DATA}`,
  );
  return rows;
}
