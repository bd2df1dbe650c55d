import type pg from "pg";
import { limits } from "../../contract/limits.ts";
import { copyEstimation } from "../../tests/support/many-estimations.ts";
import { fillEstimations, markEstimations, share, shareWithTeams, writeLists } from "../estimation-list/fill.ts";
import type { Sample } from "./sample.ts";

/** Of so many estimations, one is somebody else's. */
const OTHERS = 100;
/** So many estimations for a user and for an entry of the audit log. */
const PER_USER = 10;

/**
 * Copies the sample, so that its owner has `count` estimations with everything that belongs to them, as many deliveries and
 * entries of the audit log, and there are a tenth as many users; a hundredth as many are somebody else's, shared with the
 * owner and with a team of the owner.
 */
export async function fillDatabase(pool: pg.Pool, sample: Sample, count: number): Promise<void> {
  const { owner, guest, estimationId, webhookId, otherTeamId } = sample;
  await pool.query(
    `insert into users (id, email, name, created_at, email_verified_at)
     select 'usr_' || lpad(n::text, 26, '0'), n || '@example.org', 'User ' || n, now(), now() from generate_series(1, $1::int) n`,
    [Math.ceil(count / PER_USER)],
  );
  await pool.query(
    `insert into audit_events (id, user_id, event, created_at)
     select 'evt_' || lpad(n::text, 26, '0'), case when n % 10 = 0 then $2 else $1 end, 'signed_in', now()
     from generate_series(1, $3::int) n`,
    [owner.id, guest.id, count],
  );
  // These are written anew for all.
  await pool.query("truncate estimation_listings, estimation_texts");
  await copyEstimation(pool, { estimationId, webhookId, count });
  // A job keeps no more of them.
  await pool.query(
    `delete from notifications where id in (
       select id from (select id, row_number() over (partition by user_id order by id desc) as n from notifications) as one where n > $1)`,
    [limits.notifications],
  );
  await markEstimations(pool, owner.id, count);
  const [{ id: other }] = (await pool.query("select id from users where email = '1@example.org'")).rows;
  const shared = Math.ceil(count / OTHERS);
  await fillEstimations(pool, other, "c", shared);
  await share(pool, other, owner.id, shared);
  await shareWithTeams(pool, other, [otherTeamId], 1);
  await writeLists(pool);
}
