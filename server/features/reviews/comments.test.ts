import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed } = scene;

const [owner, editor, viewer, both, reviewer, other, stranger] = [
  await app.signUp(),
  await app.signUp(),
  await app.signUp(),
  await app.signUp(),
  await app.signUp(),
  await app.signUp(),
  await app.signUp(),
];
const estimation = await scene.createEstimation(owner);
await scene.share(owner, estimation, editor, "edit");
await scene.share(owner, estimation, viewer, "view");
await scene.share(owner, estimation, both, "view");
const review = await scene.ask(owner, estimation, reviewer);
const otherReview = await scene.ask(owner, estimation, other);
await scene.ask(owner, estimation, both);
const { tree } = await succeed(send(owner, "GET", `${scene.pathOf(estimation)}/tree`));
const node = String(tree?.nodes?.[0]?.id);
const option = String(tree?.nodes?.[0]?.options?.[0]?.id);

const say = (body: object, by = owner, on = review) => scene.comment(by, estimation, on, body);
const said = async (body: object, by = owner, on = review) => (await succeed(say(body, by, on))).comment as Json;
const pathOf = (comment: Json, on = review) => `${scene.reviewPath(estimation, on)}/comments/${comment.id}`;
const change = (comment: Json, body: object, by = owner) => send(by, "PATCH", pathOf(comment), body);
const remove = (comment: Json, by = owner) => send(by, "DELETE", pathOf(comment));

async function list(on = review): Promise<Json[]> {
  const { comments } = await succeed(send(viewer, "GET", `${scene.reviewPath(estimation, on)}/comments`));
  return comments as unknown as Json[];
}

async function refused(response: ReturnType<typeof say>, path: string, code: string) {
  const { status, body, text } = await response;
  expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code], text).toEqual([400, path, code]);
}

describe("a comment", () => {
  test("can be written by the owner, editors and reviewers, including a viewer who is a reviewer, on every review", async () => {
    for (const by of [owner, editor, reviewer, other, both]) {
      const comment = await said({ body: " Why?\n" }, by);
      expect(comment).toMatchObject({ body: " Why?\n", author: { id: by.userId }, parentId: null, verdict: null });
      expect((await list()).at(-1)).toEqual(comment);
    }
    expect((await say({ body: "Why?" }, viewer)).status).toBe(403);
    expect((await say({ body: "Why?" }, stranger)).status).toBe(404);
  });

  test("can only be about a node or an option that exists", async () => {
    expect(await said({ body: "Why?", nodeId: node })).toMatchObject({ nodeId: node, optionId: null });
    expect(await said({ body: "Why?", optionId: option })).toMatchObject({ nodeId: node, optionId: option });
    expect(await said({ body: "Why?", nodeId: node, optionId: option })).toMatchObject({ nodeId: node });
    const tree = `${scene.pathOf(estimation)}/tree`;
    const made = (await succeed(send(owner, "POST", `${tree}/nodes`, { title: "Extras", kind: "multi" }))).node;
    const gone = String(made?.id);
    const kept = await said({ body: "Why?", nodeId: gone });
    await refused(say({ body: "x", nodeId: gone, optionId: option }), "/optionId", "unknown_reference");
    await succeed(send(owner, "DELETE", `${tree}/nodes/${gone}`));
    await refused(say({ body: "Why?", nodeId: gone }), "/nodeId", "unknown_reference");
    await refused(say({ body: "Why?", nodeId: option }), "/nodeId", "unknown_reference");
    await refused(say({ body: "Why?", optionId: node }), "/optionId", "unknown_reference");
    await refused(say({ body: "Why?", nodeId: "x".repeat(10_000) }), "/nodeId", "too_long");
    // What was said about it stays.
    expect((await list()).find(({ id }) => id === kept.id)).toEqual(kept);
  });

  test("can be about what the reviewed version still has", async () => {
    const estimation = await scene.createEstimation(owner);
    const asked = await scene.ask(owner, estimation, reviewer);
    const tree = `${scene.pathOf(estimation)}/tree`;
    const was = (await succeed(send(owner, "GET", tree))).tree?.nodes?.[0];
    const gone = { nodeId: String(was?.id), optionId: String(was?.options?.[0]?.id) };
    await succeed(
      send(owner, "PUT", tree, { nodes: [{ title: "Screens", kind: "group", options: [{ title: "Cart" }] }] }),
    );
    const now = (await succeed(send(owner, "GET", tree))).tree?.nodes?.[0];
    for (const about of [gone, { optionId: gone.optionId }, { nodeId: gone.nodeId }, { nodeId: String(now?.id) }])
      await succeed(scene.comment(reviewer, estimation, asked, { body: "Why?", ...about }));
    const mixed = { nodeId: String(now?.id), optionId: gone.optionId };
    await refused(
      scene.comment(reviewer, estimation, asked, { body: "x", ...mixed }),
      "/optionId",
      "unknown_reference",
    );
    await succeed(scene.request(owner, estimation, { reviewerId: reviewer.userId }));
    await refused(scene.comment(reviewer, estimation, asked, { body: "x", ...gone }), "/optionId", "unknown_reference");
  });

  test("can be about what the version had that the review is compared with, and not about what is gone since longer", async () => {
    const estimation = await scene.createEstimation(owner);
    const asked = await scene.ask(owner, estimation, reviewer);
    const tree = `${scene.pathOf(estimation)}/tree`;
    const was = (await succeed(send(owner, "GET", tree))).tree?.nodes?.[0];
    const gone = { nodeId: String(was?.id), optionId: String(was?.options?.[0]?.id) };
    await succeed(send(reviewer, "POST", `${scene.reviewPath(estimation, asked)}/approve`));
    const askWithout = async (title: string) => {
      await succeed(send(owner, "PUT", tree, { nodes: [{ title, kind: "group", options: [{ title: "Cart" }] }] }));
      await succeed(scene.request(owner, estimation, { reviewerId: reviewer.userId }));
    };
    await askWithout("Screens");
    for (const about of [gone, { optionId: gone.optionId }, { nodeId: gone.nodeId }])
      await succeed(scene.comment(reviewer, estimation, asked, { body: "Why?", ...about }));
    // A verdict changes nothing of what the page compares with.
    await succeed(send(reviewer, "POST", `${scene.reviewPath(estimation, asked)}/approve`));
    await succeed(scene.comment(reviewer, estimation, asked, { body: "And now?", ...gone }));
    await askWithout("Pages");
    await refused(scene.comment(reviewer, estimation, asked, { body: "x", ...gone }), "/optionId", "unknown_reference");
  });

  test("has at most the allowed number of characters, and at least one that is not a space", async () => {
    await succeed(say({ body: "𝄞".repeat(limits.commentLength) }));
    await refused(say({ body: "𝄞".repeat(limits.commentLength + 1) }), "/body", "too_long");
    await refused(say({ body: "" }), "/body", "too_short");
    await refused(say({ body: " \n\t" }), "/body", "blank");
    await refused(say({ body: "a\0b" }), "/body", "unstorable");
    await refused(say({}), "/body", "required");
    await refused(say({ body: "x", nodeId: 7 }), "/nodeId", "wrong_type");
  });

  test("can be changed and deleted by its author only", async () => {
    const comment = await said({ body: "First" }, reviewer);
    for (const by of [owner, editor, other]) {
      expect((await change(comment, { body: "Second" }, by)).status).toBe(403);
      expect((await change(comment, { body: "Second", resolved: true }, by)).status).toBe(403);
      expect((await remove(comment, by)).status).toBe(403);
    }
    await refused(change(comment, { body: "x".repeat(limits.commentLength + 1) }, reviewer), "/body", "too_long");
    expect((await succeed(change(comment, { body: "First" }, reviewer))).comment).toEqual(comment);
    await app.clock.advance(1_000);
    const changed = (await succeed(change(comment, { body: "Second" }, reviewer))).comment;
    expect(changed).toEqual({ ...comment, body: "Second", editedAt: app.clock.now().toISOString() });
    expect((await succeed(remove(comment, reviewer))).comment).toEqual(changed);
    expect((await list()).some(({ id }) => id === comment.id)).toBe(false);
    expect((await remove(comment, reviewer)).status).toBe(404);
  });

  test("of another review is not found", async () => {
    const comment = await said({ body: "Here" });
    expect((await send(owner, "PATCH", pathOf(comment, otherReview), { resolved: true })).status).toBe(404);
    expect((await send(owner, "DELETE", pathOf(comment, otherReview))).status).toBe(404);
  });
});

describe("a reply", () => {
  test("joins the thread of the comment that it replies to, and is about the same node or option", async () => {
    const first = await said({ body: "Why?", optionId: option });
    const reply = await said({ body: "Because", parentId: first.id }, reviewer);
    const next = await said({ body: "I see", parentId: reply.id });
    for (const one of [reply, next]) expect(one).toMatchObject({ parentId: first.id, nodeId: node, optionId: option });
  });

  test("to a comment of another review, or to one that does not exist, is refused and changes nothing", async () => {
    const elsewhere = await said({ body: "Elsewhere" }, owner, otherReview);
    const reply = await said({ body: "There", parentId: elsewhere.id }, owner, otherReview);
    const here = await said({ body: "Here" });
    await refused(say({ body: "x", parentId: elsewhere.id }), "/parentId", "unknown_reference");
    await refused(say({ body: "x", parentId: reply.id }), "/parentId", "unknown_reference");
    await refused(say({ body: "x", parentId: review }), "/parentId", "unknown_reference");
    await refused(say({ body: "x", parentId: here.id, nodeId: node }), "/nodeId", "not_allowed");
  });

  test("keeps a deleted comment in the list, without its text", async () => {
    const first = await said({ body: "Secret" }, reviewer);
    const reply = await said({ body: "Do not say that", parentId: first.id });
    await succeed(remove(first, reviewer));
    expect((await list()).slice(-2)).toEqual([{ ...first, body: null }, reply]);
    expect((await change(first, { body: "Again" }, reviewer)).status).toBe(404);
    expect((await remove(first, reviewer)).status).toBe(404);
    const { rows } = await app.pool.query("select from review_comments where body = 'Secret'");
    expect(rows).toEqual([]);
    // Without replies, nothing of it has to stay.
    const second = await said({ body: "Nor that", parentId: first.id }, editor);
    await succeed(remove(reply));
    expect((await list()).slice(-2)).toEqual([{ ...first, body: null }, second]);
    await succeed(remove(second, editor));
    expect((await list()).some(({ id }) => [first.id, reply.id, second.id].includes(id))).toBe(false);
  });
});

test("everybody who may comment can settle and reopen a thread, through its first comment", async () => {
  const first = await said({ body: "Why?" }, reviewer);
  const reply = await said({ body: "So", parentId: first.id });
  const settled = (await succeed(change(first, { resolved: true }, editor))).comment;
  expect(settled).toMatchObject({ resolved: true, resolvedBy: { id: editor.userId }, editedAt: null });
  await changesNothing(app, async () => {
    expect((await succeed(change(first, { resolved: true }, owner))).comment).toEqual(settled);
    await refused(change(reply, { resolved: true }), "/resolved", "not_allowed");
    expect((await change(first, { resolved: false }, viewer)).status).toBe(403);
  });
  expect((await succeed(change(first, { resolved: false }, both))).comment).toEqual(first);
});

test("a review accepts comments up to its limit, including those sent with verdicts", async () => {
  const estimation = await scene.createEstimation(owner);
  const review = await scene.ask(owner, estimation, reviewer);
  await app.pool.query(
    `insert into review_comments (id, review_id, author_id, body, created_at)
     select 'cmt_' || left(md5($1 || n), 26), $1, $2, 'x', now() from generate_series(2, $3::int) n`,
    [review, editor.userId, limits.commentsPerReview],
  );
  for (let n = 1; n < limits.keptPerAuthor; n += 1)
    await succeed(scene.comment(reviewer, estimation, review, { body: `${n}` }));
  await succeed(scene.comment(reviewer, estimation, review, { body: "The last" }));
  await succeed(scene.comment(owner, estimation, review, { body: "The owner's" }));
  const details = { quota: "commentsPerReview", limit: limits.commentsPerReview };
  for (const response of [
    await scene.comment(reviewer, estimation, review, { body: "One more" }),
    await scene.approve(reviewer, estimation, review, { comment: "One more" }),
  ])
    expect([response.status, response.body.message, response.body.details]).toEqual([409, "limit_reached", details]);
  await succeed(scene.approve(reviewer, estimation, review));
});

test("the number of comments by one person on a review is limited, so that others can comment", async () => {
  const estimation = await scene.createEstimation(owner);
  const review = await scene.ask(owner, estimation, reviewer);
  await app.pool.query(
    `insert into review_comments (id, review_id, author_id, body, created_at)
     select 'cmt_' || left(md5($1 || n), 26), $1, $2, 'x', now() from generate_series(2, $3::int) n`,
    [review, owner.userId, limits.commentsPerAuthor],
  );
  await succeed(scene.comment(owner, estimation, review, { body: "The last" }));
  const response = await scene.comment(owner, estimation, review, { body: "One more" });
  const details = { quota: "commentsPerAuthor", limit: limits.commentsPerAuthor };
  expect([response.status, response.body.message, response.body.details]).toEqual([409, "limit_reached", details]);
  await succeed(scene.comment(reviewer, estimation, review, { body: "Still room" }));
});

test("an estimation accepts reviews up to its limit, including withdrawn ones", async () => {
  const estimation = await scene.createEstimation(owner);
  const review = await scene.ask(owner, estimation, reviewer);
  await app.pool.query(
    `insert into reviews select (jsonb_populate_record(r, jsonb_build_object('id', 'rev_' || left(md5($1 || n), 26), 'status', 'withdrawn'))).*
     from reviews r, generate_series(3, $2::int) n where r.id = $1`,
    [review, limits.reviewsPerEstimation],
  );
  await scene.ask(owner, estimation, editor);
  const response = await scene.request(owner, estimation, { reviewerId: other.userId });
  const details = { quota: "reviewsPerEstimation", limit: limits.reviewsPerEstimation };
  expect([response.status, response.body.details]).toEqual([409, details]);
  // A reviewer who was asked already can be asked again.
  expect((await scene.request(owner, estimation, { reviewerId: editor.userId, note: "Again" })).status).toBe(200);
});
