import { sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import type { Secret } from "../db/secret-marks.ts";
import { open, seal } from "../platform/sealing.ts";

/** A column of sealed values. `key` is the primary key, `context` the column whose value they are sealed with. */
export interface SealedColumn {
  readonly table: string;
  readonly key: string;
  readonly context: string;
  readonly column: string;
}

/** Every column of sealed values: what is not listed is lost with the former key. A test compares it with the database. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "webhooks", key: "id", context: "id", column: "secret" },
  { table: "webhook_former_secrets", key: "id", context: "webhook_id", column: "secret" },
  { table: "connections", key: "id", context: "id", column: "token" },
  { table: "instance_keys", key: "name", context: "name", column: "sealed" },
];

/** What became of a batch. `last` is the key of its last row, null if there was none. */
export interface SealedBatch {
  readonly sealed: number;
  readonly unreadable: number;
  readonly last: string | null;
}

/**
 * Seals with the new key what is sealed with the former one in the next `rows` rows after the key `after`, in one
 * transaction. What neither key opens stays as it is.
 */
export const sealAnew = (
  pool: Database,
  { table, key, context, column }: SealedColumn,
  keys: Secret,
  { after, rows }: { readonly after: string | null; readonly rows: number },
): Promise<SealedBatch> =>
  pool.transaction(async (tx) => {
    const name = sql.identifier;
    const later = after === null ? sql`true` : sql`${name(key)} > ${after}`;
    // An empty value is that of a deleted record.
    const { rows: found } = await tx.execute<{ key: string; context: string; value: Buffer }>(sql`
      select ${name(key)}::text as key, ${name(context)} as context, ${name(column)} as value from ${name(table)}
      where length(${name(column)}) > 0 and ${later}
      order by ${name(table)}.${name(key)} limit ${rows} for no key update`);
    let [sealed, unreadable] = [0, 0];
    for (const row of found) {
      const changed = sealOne(row, keys);
      if (changed === "unreadable") unreadable += 1;
      if (!(changed instanceof Buffer)) continue;
      await tx.execute(sql`update ${name(table)} set ${name(column)} = ${changed} where ${name(key)} = ${row.key}`);
      sealed += 1;
    }
    return { sealed, unreadable, last: found.at(-1)?.key ?? null };
  });

function sealOne(
  row: { readonly context: string; readonly value: Uint8Array },
  { key, former }: Secret,
): Buffer | "done" | "unreadable" {
  if (openOr(key, row) !== undefined) return "done";
  const plaintext = former === null ? undefined : openOr(former, row);
  return plaintext === undefined ? "unreadable" : seal(key, plaintext, row.context);
}

function openOr(key: Uint8Array, row: { readonly context: string; readonly value: Uint8Array }): string | undefined {
  try {
    return open([key], row.value, row.context);
  } catch {
    return undefined;
  }
}
