import { expect, test } from "vitest";
import { type Json, start, type TestUser } from "../../../tests/harness.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import { listOpenComments } from "./comment-store.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;

/** An estimation with two reviews. */
async function setScene() {
  const [owner, one, other] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const estimation = await scene.createEstimation(owner);
  const reviews = [await scene.ask(owner, estimation, one), await scene.ask(owner, estimation, other)] as const;
  const path = scene.pathOf(estimation);
  const say = async (review: string, body: string, parent?: Json, by = owner) => {
    const about = { body, ...(parent && { parentId: parent.id }) };
    return (await succeed(scene.comment(by, estimation, review, about))).comment as Json;
  };
  const settle = (comment: Json, resolved: boolean) =>
    succeed(send(owner, "PATCH", `${path}/reviews/${comment.reviewId}/comments/${comment.id}`, { resolved }));
  const read = async (query = "", by: TestUser = one) =>
    (await succeed(send(by, "GET", `${path}/comments${query}`))) as Json & { readonly comments: readonly Json[] };
  const bodies = async () => (await read()).comments.map(({ body }) => body);
  return { owner, one, other, estimation, path, reviews, say, settle, read, bodies };
}

test("are those of every review that stands, thread by thread, without settled threads", async () => {
  const { owner, estimation, reviews, say, settle, bodies, read } = await setScene();
  const [first, second] = reviews;
  expect(await bodies()).toEqual([]);
  const a = await say(first, "a");
  const b = await say(second, "b");
  const c = await say(first, "c");
  await say(second, "b, reply", b);
  await say(first, "a, reply", a);
  expect(await bodies()).toEqual(["a", "a, reply", "c", "b", "b, reply"]);
  expect((await read()).comments[0]).toEqual(a);
  await settle(a, true);
  expect(await bodies()).toEqual(["c", "b", "b, reply"]);
  await settle(a, false);
  await settle(c, true);
  expect(await bodies()).toEqual(["a", "a, reply", "b", "b, reply"]);
  await succeed(scene.withdraw(owner, estimation, second));
  expect(await bodies()).toEqual(["a", "a, reply"]);
});

test("are on pages of any size the same list", async () => {
  const { reviews, say, read } = await setScene();
  for (const review of reviews) {
    const first = await say(review, "first");
    for (const reply of ["one", "two"]) await say(review, reply, first);
    await say(review, "alone");
  }
  const whole = await read();
  expect([whole.comments.length, whole.nextCursor]).toEqual([8, null]);
  for (const limit of [1, 3, 4, 8]) {
    const pages: Json[] = [];
    let cursor: unknown = null;
    do {
      const page = await read(`?limit=${limit}${cursor === null ? "" : `&cursor=${cursor}`}`);
      expect(page.comments.length).toBeLessThanOrEqual(limit);
      pages.push(...page.comments);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(pages, `${limit} a page`).toEqual(whole.comments);
  }
});

test("refuse a cursor of another list, and one that no page has", async () => {
  const { one, path, reviews, say } = await setScene();
  for (const body of ["a", "b"]) await say(reviews[0], body);
  const { nextCursor } = await succeed(send(one, "GET", `${path}/reviews/${reviews[0]}/comments?limit=1`));
  const made = Buffer.from(JSON.stringify(["reviews.comments.open", "x", "y", "z"])).toString("base64url");
  for (const cursor of [nextCursor, made]) {
    const { status, body } = await send(one, "GET", `${path}/comments?cursor=${cursor}`);
    expect([status, body.errors?.[0]?.code]).toEqual([400, "invalid_cursor"]);
  }
});

test("are found without reading settled threads, however many there are", async () => {
  const { estimation, reviews, say } = await setScene();
  const comment = await say(reviews[0], "open");
  await app.pool.query(
    `insert into review_comments (id, review_id, author_id, body, resolved_by_id, created_at)
     select 'cmt_' || lpad(n::text, 26, '0'), review_id, author_id, 'x', author_id, now()
     from review_comments, generate_series(1, 20000) n where id = $1`,
    [comment.id],
  );
  await app.pool.query("vacuum analyze reviews, review_comments, users");
  const list = (db: Parameters<typeof listOpenComments>[0]) => listOpenComments(db, estimation, 101, null);
  expect((await list(app.services.pool)).map(({ id }) => id)).toEqual([comment.id]);
  const plans = await plansOf(app.pool, list);
  expect(plans).toHaveLength(1);
  expect(plans[0]).toContain("review_comments_open");
  // Once by the search for the open thread, and once to read it.
  expect(await rowsRead(app.pool, list, "review_comments")).toBe(2);
});
