import { beforeAll, expect, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import type { Queryable } from "../../db/database.ts";
import { countComments, findComment, listComments, listOpenComments } from "./comment-store.ts";
import { mailCommented, mailRequested } from "./mails.ts";
import {
  countOwn,
  countReviews,
  findLatestOf,
  findReview,
  findStanding,
  hideReviews,
  listOwn,
  listReviews,
  summarize,
} from "./store.ts";
import { createScene } from "./testing/scene.ts";
import { listViewed } from "./viewed-store.ts";

const app = await start();
const scene = createScene(app);
const MANY = 20_000;
let [owner, reviewer]: TestUser[] = [];
let [estimation, review, comment] = ["", "", ""];

/** A user who is asked for very many reviews, most of them decided, and as many of others. */
beforeAll(async () => {
  [owner, reviewer] = [await app.signUp(), await app.signUp()];
  estimation = await scene.createEstimation(owner as TestUser);
  review = await scene.ask(owner as TestUser, estimation, reviewer as TestUser);
  const said = await scene.comment(owner as TestUser, estimation, review, { body: "Why?" });
  comment = String(said.data.comment?.id);
  await app.pool.query(
    `insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
     select 'est_' || lpad(n::text, 26, '0'), $1, 'Bulk', '', 0.2, now(), now() from generate_series(1, $2::int) n`,
    [owner?.userId, MANY],
  );
  const values = [review, MANY, owner?.userId];
  await app.pool.query(
    `insert into reviews select copy.*
     from reviews r, generate_series(1, $2::int) n, generate_series(0, 1) side, jsonb_populate_record(r, jsonb_build_object(
       'id', 'rev_' || lpad((2 * n + side)::text, 26, '0'), 'estimation_id', 'est_' || lpad(n::text, 26, '0'),
       'reviewer_id', case side when 0 then r.reviewer_id else $3::text end,
       'status', case when n % 100 = 0 then 'pending' when n % 2 = 0 then 'approved' else 'changes_requested' end,
       'requested_at', now() - n * interval '1 minute', 'hidden', n % 3 = 0)) copy
     where r.id = $1`,
    values,
  );
  await app.pool.query(
    `insert into review_comments (id, review_id, author_id, body, created_at)
     select 'cmt_' || lpad(n::text, 26, '0'), 'rev_' || lpad((2 * n)::text, 26, '0'), $1, 'x', now() from generate_series(1, $2::int) n`,
    [owner?.userId, MANY],
  );
  await app.pool.query(
    `insert into review_mails (reader_id, sender_id, review_id, kind, at)
     select case when n % 200 = 0 then $1 else $2 end, $1, 'rev_' || lpad((2 * n)::text, 26, '0'), 'review-commented',
       now() - n * interval '1 minute' from generate_series(1, $3::int) n`,
    [reviewer?.userId, owner?.userId, MANY],
  );
  await app.pool.query(
    "vacuum analyze estimations, reviews, review_comments, review_mails, reviewed_contents, versions, users",
  );
});

test("a page of the inbox is one statement that uses an index, and reads only the rows that it shows", async () => {
  const userId = String(reviewer?.userId);
  const page = (db: Queryable, after: { at: Date; id: string } | null) =>
    listOwn(db, { userId, role: "reviewer", statuses: undefined, limit: 21, after });
  const first = await page(app.services.pool, null);
  const last = first.at(-1);
  if (!last) throw new Error("the inbox is empty");
  expect(first).toHaveLength(21);
  expect(first.map(({ requestedAt }) => requestedAt.getTime())).toEqual(
    first.map(({ requestedAt }) => requestedAt.getTime()).toSorted((a, b) => b - a),
  );
  const middle = { at: new Date(last.requestedAt.getTime() - (MANY / 2) * 60_000), id: last.id };
  for (const after of [null, middle]) {
    const plans = await plansOf(app.pool, (db) => page(db, after));
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain("reviews_inbox");
    expect(plans[0]).not.toContain("Seq Scan on reviews");
    // At most a page of each of the three statuses, and what is shown with each row of the page.
    expect(await rowsRead(app.pool, (db) => page(db, after))).toBeLessThan(3 * 21 + 21 * 8);
  }
});

test("every other statement about reviews uses an index", async () => {
  const userId = String(reviewer?.userId);
  const plans = await plansOf(app.pool, async (db) => {
    await findReview(db, estimation, review);
    await findLatestOf(db, estimation, userId);
    await listReviews(db, estimation, 101, review);
    await findStanding(db, estimation, userId);
    await summarize(db, estimation);
    await countReviews(db, estimation);
    await countOwn(db, { userId, role: "reviewer", statuses: ["pending"] });
    await listOwn(db, {
      userId: String(owner?.userId),
      role: "requester",
      statuses: undefined,
      limit: 21,
      after: null,
    });
    await listViewed(db, review);
    await findComment(db, review, comment);
    await listComments(db, review, 101, comment);
    await listOpenComments(db, estimation, 101, { reviewId: review, threadId: comment, id: comment });
    await countComments(db, review, userId);
    await hideReviews(db, estimation, false);
    const now = app.clock.now();
    await mailRequested(db, { reviewId: review, readerId: userId, senderId: String(owner?.userId), now });
    await mailCommented(db, { reviewId: review, commentId: comment, authorId: userId, now });
  });
  expect(plans).toHaveLength(16);
  expect(plans.filter((plan) => /Seq Scan on (reviews|review_comments|review_mails|estimations)/.test(plan))).toEqual(
    [],
  );
});
