import { and, asc, isNotNull, like, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { users } from "./tables.ts";

/** What a user may know about another. */
export interface Found {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Three letters or digits in a row. Text without has no trigram for the index to find, and would read the whole table. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * Finds users by the start of their address or name and, where `q` has three letters or digits in a row, by anything in them.
 * Each of the three searches goes by an index and ends after a few rows, however many users there are.
 */
export async function findUsers(db: Queryable, q: string, onlyVerified: boolean): Promise<Found[]> {
  const text = q.trim();
  const start = `${escapeLike(text.toLowerCase())}%`;
  const shown = onlyVerified ? isNotNull(users.emailVerifiedAt) : undefined;
  const found = (rank: number, condition: SQL | undefined) =>
    db
      .select({
        id: users.id,
        email: users.email,
        name: users.name,
        rank: sql<number>`${sql.raw(String(rank))}`.as("rank"),
      })
      .from(users)
      .where(and(condition, shown));
  // Ordered byte by byte, like the indexes, whatever the collation of the database.
  const byEmail = found(0, like(users.email, start)).orderBy(sql`${users.email} using ~<~`).limit(limits.usersFound);
  const byName = found(1, sql`lower(${users.name}) like ${start}`)
    .orderBy(sql`lower(${users.name}) using ~<~`, asc(users.id))
    .limit(limits.usersFound);
  // The users found by their start are among these too, so the limit is three times as high.
  const inside = found(2, sql`(${users.name} || E'\\n' || ${users.email}) ilike ${`%${escapeLike(text)}%`}`).limit(
    3 * limits.usersFound,
  );
  const rows = await (HAS_TRIGRAM.test(text) ? unionAll(byEmail, byName, inside) : unionAll(byEmail, byName));
  const first = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if ((first.get(row.id)?.rank ?? 3) > row.rank) first.set(row.id, row);
  return [...first.values()]
    .sort((a, b) => a.rank - b.rank || compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.id, b.id))
    .slice(0, limits.usersFound)
    .map(({ id, email, name }) => ({ id, email, name }));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
