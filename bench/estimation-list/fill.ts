import type pg from "pg";
import { drizzleOver } from "../../server/db/database.ts";
import { addToLists } from "../../server/features/estimations/listing-store.ts";

/**
 * Estimations of `ownerId`: a tenth has the tag `tenth` and the word "tenth", a hundredth those of "hundredth", and so on; of
 * few at least two have each.
 */
export async function fillEstimations(pool: pg.Pool, ownerId: string, prefix: string, count: number): Promise<void> {
  const each = (word: string, share: number) => {
    const every = Math.max(1, Math.min(share, count >> 1));
    return `case when n % ${every} = ${every >> 1} then '${word}' end`;
  };
  const marks = [each("third", 3), each("tenth", 10), each("hundredth", 100), each("thousandth", 1_000)];
  await pool.query(
    `insert into estimations (id, owner_id, title, description, client_name, tags, correlation, status, created_at, updated_at)
     select 'est_' || $2 || lpad(n::text, 25, '0'), $1,
       concat_ws(' ', 'Project', md5(n::text), ${marks.join(", ")}), 'What is estimated, in a usual length.', 'Client ' || n % 50,
       array_remove(array['every', ${marks.join(", ")}], null), 0.2,
       case when n % 10 < 7 then 'draft' when n % 10 < 9 then 'submitted' else 'tasks_generated' end,
       now() - n * interval '1 minute', now() - (n::bigint * 7919 % $3) * interval '1 minute'
     from generate_series(1, $3::int) n`,
    [ownerId, prefix, count],
  );
  await pool.query(
    "insert into estimation_readers (estimation_id, user_id, owns) select id, owner_id, true from estimations where owner_id = $1",
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

/** Writes the lists of all that was filled in. */
export async function writeLists(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>("select id from estimations");
  const ids = rows.map(({ id }) => id);
  const db = drizzleOver(pool);
  // An index is made much sooner than filled row by row.
  const index = "select pg_get_indexdef('estimation_texts_search'::regclass) as definition";
  const [{ definition }] = (await pool.query<{ definition: string }>(index)).rows as [{ definition: string }];
  await pool.query("drop index estimation_texts_search");
  for (let at = 0; at < ids.length; at += 5_000) await addToLists(db, ...ids.slice(at, at + 5_000));
  await pool.query(definition);
  await pool.query("vacuum analyze");
}
