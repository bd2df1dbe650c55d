import { sql } from "drizzle-orm";
import type { Database, Queryable } from "../db/database.ts";
import { findUserByEmail, normalizeEmail } from "../features/auth/index.ts";
import { type PersonTable, personTables } from "./person-tables.ts";

/** Rows that are read at a time: one may have megabytes. */
const ROWS_AT_ONCE = 20;

/**
 * Writes all that is stored about a person as one JSON document: the rows of each table by their columns, in the state of
 * one moment. Secrets and hashes are left out. It holds few rows at a time. Returns false if nobody has the address.
 */
export async function exportPerson(
  pool: Database,
  typed: string,
  now: Date,
  write: (text: string) => Promise<void>,
): Promise<boolean> {
  return await pool.transaction(
    async (tx) => {
      const email = normalizeEmail(typed);
      const user = email === null ? undefined : await findUserByEmail(tx, email);
      if (user === undefined) return false;
      const about = { exportedAt: now.toISOString(), email: user.email, userId: user.id };
      await write(`${JSON.stringify(about).slice(0, -1)},"tables":{`);
      let separator = "\n";
      for (const [name, table] of Object.entries(personTables)) {
        await write(`${separator}${JSON.stringify(name)}:[`);
        await writeRows(tx, name, table, user, write);
        await write("]");
        separator = ",\n";
      }
      await write("\n}}\n");
      return true;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

async function writeRows(
  tx: Queryable,
  name: string,
  { where, omitted = [], ownOnly = [], withheld = "false", order }: PersonTable,
  { id, email }: { readonly id: string; readonly email: string },
  write: (text: string) => Promise<void>,
): Promise<void> {
  const bytes = sql`select column_name::text from information_schema.columns
    where table_schema = 'public' and table_name = ${name} and data_type = 'bytea'`;
  const others =
    ownOnly.length === 0
      ? sql``
      : sql`- case when t.user_id = ${id} then '{}' else ${sql.param([...ownOnly])}::text[] end`;
  const shown = sql`(to_jsonb(t) - array(${bytes}) - ${sql.param([...omitted])}::text[] ${others})::text`;
  await tx.execute(
    sql`declare rows no scroll cursor for select ${shown} as line from ${sql.identifier(name)} t where (${aboutPerson(where, id, email)}) and not (${sql.raw(withheld)}) ${order === undefined ? sql`` : sql.raw(`order by ${order}`)}`,
  );
  let separator = "\n";
  for (;;) {
    const { rows } = await tx.execute<{ line: string }>(sql.raw(`fetch ${ROWS_AT_ONCE} from rows`));
    for (const { line } of rows) {
      await write(separator + line);
      separator = ",\n";
    }
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await tx.execute(sql`close rows`);
}

/** Returns the condition of a table of people for one of them. */
export function aboutPerson(where: string, id: string, email: string) {
  const parts = where.split(/(\$[12])/).map((part) => {
    if (part === "$1") return sql`${id}::text`;
    return part === "$2" ? sql`${email}::text` : sql.raw(part);
  });
  return sql.join(parts);
}
