import { expect, test } from "vitest";
import { earliestSentAt } from "../../../domain/shares.ts";
import { start } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { findInvitations, markAccepted } from "./accept-store.ts";
import { countShares, findEditor, findShare, findShareWith, findWhose, listShares, listSharesWith } from "./store.ts";

const app = await start();
const owner = await app.signUp();
const EST = `est_${"0".repeat(25)}1`;
const SHARE = `shr_${"0".repeat(25)}1`;

test("every statement about shares uses an index, however many there are", async () => {
  await app.pool.query(
    `with made as (
       insert into users (id, email, name, created_at)
       select 'usr_' || lpad(n::text, 26, '0'), n || '@example.com', 'Bulk', now() from generate_series(1, 5000) n returning id
     )
     insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
     select 'est_' || lpad(n::text, 26, '0'), $1, 'Bulk', '', 0.2, now(), now() from generate_series(1, 5000) n`,
    [owner.userId],
  );
  await app.pool.query(
    `insert into shares (id, estimation_id, email, permission, sharer_id, user_id, created_at, sent_at, accepted_at)
     select 'shr_' || lpad(n::text, 26, '0'), 'est_' || lpad((1 + n % 5000)::text, 26, '0'), n / 5 || '@example.com', 'view', $1,
       case when n % 10 > 0 then 'usr_' || lpad((1 + (n + n / 5000) % 5000)::text, 26, '0') end, now(), now() - n * interval '1 second',
       case when n % 10 > 0 then now() end from generate_series(1, 20000) n`,
    [owner.userId],
  );
  await app.pool.query("vacuum analyze users, estimations, shares");
  const now = app.clock.now();
  const since = earliestSentAt(now);
  const plans = await plansOf(app.pool, async (db) => {
    await findShare(db, SHARE);
    await findShareWith(db, EST, "1@example.com");
    await findEditor(db, EST, owner.userId);
    await listShares(db, EST, 101, SHARE);
    await listSharesWith(db, { email: "1@example.com", since }, 21, SHARE);
    await findWhose(db, app.services.config, { shareId: SHARE, userId: owner.userId });
    await countShares(db, EST);
    await findInvitations(db, "1@example.com", since, 200);
    await markAccepted(db, [SHARE], { id: owner.userId, email: "1@example.com" }, { now, since });
  });
  expect(plans).toHaveLength(9);
  expect(plans.filter((plan) => plan.includes("Seq Scan"))).toEqual([]);
  expect(plans[7]).toContain("Index Only Scan using shares_not_accepted");
  expect(plans[7]).toContain("Index Only Scan using estimations_deleted");
});
