import type pg from "pg";
import { drizzleOver } from "../../server/db/database.ts";
import { addToLists } from "../../server/features/estimations/listing-store.ts";

/** SQL of what distinguishes estimation `n` of `count`. */
function marksOf(count: number) {
  const each = (word: string, share: number) => {
    const every = Math.max(1, Math.min(share, count >> 1));
    return `case when n % ${every} = ${every >> 1} then '${word}' end`;
  };
  const marks = [each("third", 3), each("tenth", 10), each("hundredth", 100), each("thousandth", 1_000)].join(", ");
  return {
    title: `concat_ws(' ', 'Project', md5(n::text), ${marks})`,
    clientName: "'Client ' || n % 50",
    tags: `array_remove(array['every', ${marks}], null)`,
    status: "case when n % 10 < 7 then 'draft' when n % 10 < 9 then 'submitted' else 'tasks_generated' end",
    createdAt: "now() - n * interval '1 minute'",
    updatedAt: `now() - (n::bigint * 7919 % ${count}) * interval '1 minute'`,
  };
}

/**
 * Estimations of `ownerId`: a tenth has the tag `tenth` and the word "tenth", a hundredth those of "hundredth", and so on; of
 * few at least two have each.
 */
export async function fillEstimations(pool: pg.Pool, ownerId: string, prefix: string, count: number): Promise<void> {
  const { title, clientName, tags, status, createdAt, updatedAt } = marksOf(count);
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, status, created_at, updated_at)
     select 'est_' || $2 || lpad(n::text, 25, '0'), $1,
       ${title}, 'What is estimated, in a usual length.', ${clientName}, ${tags}, 0.2, ${status}, ${createdAt}, ${updatedAt}
     from generate_series(1, $3::int) n`,
    [ownerId, prefix, count],
  );
  await pool.query(
    "insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations where owner_id = $1",
    [ownerId],
  );
}

/** Gives the copies of an estimation (`copyEstimation`), `count` of them, what `fillEstimations` would give them. */
export async function markEstimations(pool: pg.Pool, ownerId: string, count: number): Promise<void> {
  const { title, clientName, tags, status, createdAt, updatedAt } = marksOf(count);
  await pool.query(
    `update estimations set title = ${title}, client_name = ${clientName}, tags = ${tags}, status = ${status},
       created_at = ${createdAt}, updated_at = ${updatedAt}
     from (select id as copy, substr(id, 5, 10)::int as n from estimations
       where owner_id = $1 and substr(id, 5, 10) ~ '^0\\d{9}$') as copies
     where id = copy`,
    [ownerId],
  );
}

/** Makes `userId` a reader of `count` estimations of `ownerId`, of every level in turn. */
export async function share(pool: pg.Pool, ownerId: string, userId: string, count: number): Promise<void> {
  await pool.query(
    `insert into estimation_readers (estimation_id, user_id, shared, reviews)
     select id, $2, (array['editor', 'viewer', null])[1 + row_number() over (order by id) % 3], true
     from estimations where owner_id = $1 limit $3`,
    [ownerId, userId, count],
  );
}

/**
 * Shares all estimations of `ownerId` with some of `teamIds`, as many with each: the first with the first `each`, the next with
 * those that follow, and so on.
 */
export async function shareWithTeams(
  pool: pg.Pool,
  ownerId: string,
  teamIds: readonly string[],
  each: number,
): Promise<void> {
  await pool.query(
    `insert into estimation_readers (estimation_id, team_id, shared)
     select e.id, ($2::text[])[1 + (e.n * $3 + k) % cardinality($2::text[])], case when (e.n + k) % 3 = 0 then 'editor' else 'viewer' end
     from (select id, row_number() over (order by id) as n from estimations where owner_id = $1) e, generate_series(0, $3::int - 1) k`,
    [ownerId, teamIds, each],
  );
}

/** Makes so many teams of `userId`; returns their ids. */
export async function makeTeams(pool: pg.Pool, userId: string, prefix: string, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into teams (id, name, created_at) select 'team_' || $1 || lpad(n::text, 25, '0'), 'Team ' || n, now()
     from generate_series(1, $2::int) n returning id`,
    [prefix, count],
  );
  const ids = rows.map(({ id }) => id);
  await pool.query("insert into team_members select id, $2, 'member', now() from unnest($1::text[]) id", [ids, userId]);
  return ids;
}

/** Writes the lists of all that was filled in. */
export async function writeLists(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("select id from estimations");
  const ids = rows.map(({ id }) => id);
  const db = drizzleOver(pool);
  // An index is made much sooner than filled row by row.
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('estimation_texts'::regclass, 'estimation_listings'::regclass) and not indisprimary`,
  );
  for (const { name } of indexes) await pool.query(`drop index ${name}`);
  for (let at = 0; at < ids.length; at += 5_000) await addToLists(db, ...ids.slice(at, at + 5_000));
  for (const { definition } of indexes) await pool.query(definition);
  await pool.query("vacuum analyze");
}
