import { type SQL, sql } from "drizzle-orm";
import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { normalizeEmail } from "./email.ts";
import { isVerified, users } from "./tables.ts";

/** What a user may know about another. */
export interface Found {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Who can be found. */
export interface Findable {
  /** Only users with a verified address. */
  readonly onlyVerified: boolean;
  /** A query of the ids of the only users who can be found by less than their whole address; null: everybody can. */
  readonly among: SQL | null;
}

/** Three letters or digits in a row. Other text is only looked for at the start: it says too little about a user. */
const SAYS_ENOUGH = /[\p{L}\p{N}]{3}/u;

/** Users who have the right characters somewhere and are then looked at: a bound on text that is in nobody's name. */
const CANDIDATES = 1_000;

/**
 * The order of what is found: by the start of the address, of the name, then by anything inside. A whole address is
 * found first.
 */
const [BY_EMAIL, BY_NAME, INSIDE] = [sql.raw("0"), sql.raw("1"), sql.raw("2")];

const shown = sql`${users.id}, ${users.email}, ${users.name}`;
const searched = sql`(${users.name} || E'\\n' || ${users.email})`;

/**
 * Finds users by the start of their address or name and, where `q` has three letters or digits in a row, by anything in
 * them. Every part of the search reads few rows by an index, or only the users of `among`.
 */
export async function findUsers(db: Queryable, q: string, findable: Findable): Promise<Found[]> {
  const text = q.trim();
  const { rows } = await db.execute<{ id: string; email: string; name: string; rank: number }>(
    findable.among === null ? amongEverybody(text, findable) : amongSome(text, findable.among, findable),
  );
  const first = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if ((first.get(row.id)?.rank ?? 3) > row.rank) first.set(row.id, row);
  return [...first.values()]
    .sort((a, b) => a.rank - b.rank || compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.id, b.id))
    .slice(0, limits.usersFound)
    .map(({ id, email, name }) => ({ id, email, name }));
}

function amongEverybody(text: string, { onlyVerified }: Findable): SQL {
  const { start, inside } = patternsOf(text);
  // Ordered byte by byte, like the indexes, whatever the collation of the database.
  const byStart = (onlyVerified ? [1] : [1, 0]).flatMap((verified) => [
    sql`(select ${shown}, ${BY_EMAIL} as rank from ${users}
      where ${isVerified} = ${sql.raw(String(verified))} and ${users.email} like ${start} and ${isPerson}
      order by ${users.email} using ~<~ limit ${limits.usersFound})`,
    sql`(select ${shown}, ${BY_NAME} as rank from ${users}
      where ${isVerified} = ${sql.raw(String(verified))} and lower(${users.name}) like ${start} and ${isPerson}
      order by lower(${users.name}) using ~<~, ${users.id} limit ${limits.usersFound})`,
  ]);
  if (inside === null) return sql.join(byStart, sql` union all `);
  // The users found by their start are among these too, so the limit is three times as high.
  const anywhere = sql`(select ${shown}, ${INSIDE} as rank
    from users_with_grams_of(${text}, ${onlyVerified}, ${CANDIDATES}) as candidates (id)
    cross join lateral (select * from ${users} where ${users.id} = candidates.id offset 0) as ${users}
    where ${searched} ilike ${inside} and ${isPerson} limit ${3 * limits.usersFound})`;
  return sql.join([...byStart, anywhere], sql` union all `);
}

/** Looks at all of `among`, one by one: a planner that misjudges their number would read all users. */
function amongSome(text: string, among: SQL, { onlyVerified }: Findable): SQL {
  const { start, inside } = patternsOf(text);
  const rank = sql`case when ${users.email} like ${start} then ${BY_EMAIL}
    when lower(${users.name}) like ${start} then ${BY_NAME}
    ${inside === null ? sql`` : sql`when ${searched} ilike ${inside} then ${INSIDE}`} end`;
  const ofAddress = sql`(select ${shown}, ${BY_EMAIL} as rank from ${users}
    where ${users.email} = ${normalizeEmail(text)} and ${isShown(onlyVerified)} and ${isPerson})`;
  const ofSome = sql`(select ${shown}, rank from (${among}) as chosen (id)
    cross join lateral (select * from ${users} where ${users.id} = chosen.id offset 0) as ${users}
    cross join lateral (select ${rank} as rank) as ranked
    where rank is not null and ${isShown(onlyVerified)} and ${isPerson}
    order by rank, lower(${users.name}), ${users.id} limit ${limits.usersFound})`;
  return sql`${ofAddress} union all ${ofSome}`;
}

/** The patterns of `like` for what begins with a text, and for what contains it: null if it is not looked for inside. */
function patternsOf(text: string): { start: string; inside: string | null } {
  const escaped = text.replace(/[\\%_]/g, "\\$&");
  return { start: `${escaped.toLowerCase()}%`, inside: SAYS_ENOUGH.test(text) ? `%${escaped}%` : null };
}

const isPerson = sql`${users.standsFor} is null and ${users.disabledAt} is null`;

const isShown = (onlyVerified: boolean): SQL => (onlyVerified ? sql`${users.emailVerifiedAt} is not null` : sql`true`);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
