import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene } from "./testing/scene.ts";

const app = await start();
const scene = createScene(app);
const { send, succeed, pathOf, reviewPath } = scene;

type OptionJson = { id: string; title: string };
type NodeJson = { id: string; title: string; options: OptionJson[] };

/** An estimation with two options, its owner, a reviewer who is asked, and how marks are set. */
async function setScene() {
  const [owner, reviewer] = [await app.signUp(), await app.signUp()];
  const estimation = await scene.createEstimation(owner);
  const review = await scene.ask(owner, estimation, reviewer);
  const readNodes = async () =>
    (await succeed(send(owner, "GET", `${pathOf(estimation)}/tree`))).tree?.nodes as unknown as NodeJson[];
  const [node] = await readNodes();
  const [card, invoice] = (node as NodeJson).options.map(({ id }) => id) as [string, string];
  const path = reviewPath(estimation, review);
  const mark = (by: TestUser, body: object) => send(by, "PUT", `${path}/viewed`, { viewed: true, ...body });
  const viewed = async (by = reviewer) => (await succeed(send(by, "GET", path))).viewed;
  const put = (nodes: readonly unknown[]) => succeed(send(owner, "PUT", `${pathOf(estimation)}/tree`, { nodes }));
  return {
    owner,
    reviewer,
    estimation,
    review,
    path,
    node: node as NodeJson,
    card,
    invoice,
    readNodes,
    mark,
    viewed,
    put,
  };
}

describe("marking options as viewed", () => {
  test("keeps the marks for the reviewer, who alone sees them", async () => {
    const { owner, reviewer, card, invoice, mark, viewed, path } = await setScene();
    expect(await viewed()).toEqual([]);
    const first = await succeed(mark(reviewer, { optionIds: [invoice] }));
    expect(first.marks).toMatchObject({ optionIds: [invoice], viewed: true });
    await succeed(mark(reviewer, { optionIds: [card, invoice] }));
    expect(await viewed()).toEqual([card, invoice].sort());
    expect(await viewed(owner)).toBeNull();
    await changesNothing(app, () => mark(reviewer, { optionIds: [card] }));
    await succeed(mark(reviewer, { optionIds: [card], viewed: false }));
    expect(await viewed()).toEqual([invoice]);
    expect((await send(owner, "GET", `${path}/comments`)).data.comments).toEqual([]);
  });

  test("is refused to everybody else, for what is not in the version, and once the review is withdrawn", async () => {
    const { owner, reviewer, estimation, review, card, mark, path } = await setScene();
    expect((await mark(owner, { optionIds: [card] })).status).toBe(403);
    expect((await mark(await app.signUp(), { optionIds: [card] })).status).toBe(404);
    const unknown = await mark(reviewer, { optionIds: [card, "opt_unknown"] });
    expect([unknown.status, unknown.body.errors]).toEqual([
      400,
      [expect.objectContaining({ path: "/optionIds/1", code: "unknown_reference" })],
    ]);
    const stale = await app.request("PUT", `${path}/viewed`, {
      token: reviewer.token,
      headers: { "if-match": '"0"' },
      body: { optionIds: [card], viewed: true },
    });
    expect(stale.status).toBe(412);
    await succeed(scene.withdraw(owner, estimation, review));
    await scene.share(owner, estimation, reviewer, "view");
    expect((await mark(reviewer, { optionIds: [card] })).body.message).toBe("review_withdrawn");
  });

  test(`takes from 1 to ${limits.viewedPerRequest} options at once`, async () => {
    const { owner, reviewer, estimation, put, readNodes } = await setScene();
    const options = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `Option ${n}`, hours: 1 }));
    const groups = Array.from({ length: 6 }, (_, n) => ({
      title: `Part ${n}`,
      kind: "group",
      options: options(limits.nodeOptions),
    }));
    await put(groups);
    const ids = (await readNodes()).flatMap((node) => node.options.map(({ id }) => id));
    const review = await scene.ask(owner, estimation, reviewer);
    const mark = (optionIds: string[]) =>
      send(reviewer, "PUT", `${reviewPath(estimation, review)}/viewed`, { optionIds, viewed: true });
    expect((await mark([])).status).toBe(400);
    expect((await mark(ids.slice(0, limits.viewedPerRequest + 1))).status).toBe(400);
    expect((await mark([ids[0], ids[0]] as string[])).status).toBe(400);
    const { marks } = await succeed(mark(ids.slice(0, limits.viewedPerRequest)));
    expect((marks as unknown as { optionIds: string[] }).optionIds).toHaveLength(limits.viewedPerRequest);
  });
});

describe("asking for the review again", () => {
  test("takes the marks of the options that changed, moved or went, and no others", async () => {
    const { owner, reviewer, estimation, node, card, invoice, mark, viewed, put, readNodes } = await setScene();
    await put([
      node,
      {
        title: "Screens",
        kind: "group",
        options: [
          { title: "Cart", hours: 3 },
          { title: "List", hours: 2 },
        ],
      },
    ]);
    await scene.ask(owner, estimation, reviewer);
    const screens = (await readNodes())[1] as NodeJson;
    const [cart, list] = screens.options.map(({ id }) => id) as [string, string];
    await succeed(mark(reviewer, { optionIds: [card, invoice, cart, list] }));

    // Another title of the question is not of the options, nor is what was added below one.
    const below = { title: "Provider", kind: "group", options: [{ title: "Own", hours: 9 }] };
    const [first, second] = node.options as [OptionJson, OptionJson];
    await put([
      {
        ...node,
        title: "How do they pay?",
        options: [
          { ...first, nodes: [below] },
          { ...second, title: "By invoice" },
        ],
      },
      screens,
    ]);
    expect(await viewed()).toEqual([card, invoice, cart, list].sort());
    await scene.ask(owner, estimation, reviewer);
    expect(await viewed()).toEqual([card, cart, list].sort());

    const [payment] = (await readNodes()) as [NodeJson];
    await put([{ ...payment, options: [...payment.options, screens.options[0]] }]);
    await scene.ask(owner, estimation, reviewer);
    expect(await viewed()).toEqual([card]);
  });

  test("refuses marks of a version that is no longer the one to review", async () => {
    const { owner, reviewer, estimation, path, card, mark, put } = await setScene();
    const before = (await succeed(send(reviewer, "GET", path))).review as { version?: { id: string } };
    await put([{ title: "Other", kind: "group", options: [{ title: "Else", hours: 1 }] }]);
    await scene.ask(owner, estimation, reviewer);
    const moved = await mark(reviewer, { optionIds: [card], versionId: before.version?.id });
    expect([moved.status, moved.body.message]).toEqual([409, "review_moved"]);
  });
});

test("a review names the version that its reviewer judged last, also after it was withdrawn and asked for anew", async () => {
  const { owner, reviewer, estimation, review, put } = await setScene();
  const judged = async (of: string) =>
    (await scene.readReview(owner, estimation, of)).judgedVersion as unknown as { number: number } | null;
  expect(await judged(review)).toBeNull();
  await succeed(scene.requestChanges(reviewer, estimation, review));
  expect((await judged(review))?.number).toBe(1);
  await put([{ title: "Other", kind: "group", options: [{ title: "Else", hours: 1 }] }]);
  await scene.ask(owner, estimation, reviewer);
  const now = await scene.readReview(owner, estimation, review);
  expect([now.version?.number, (await judged(review))?.number]).toEqual([2, 1]);
  await succeed(scene.withdraw(owner, estimation, review));
  const anew = await scene.ask(owner, estimation, reviewer);
  expect(anew).not.toBe(review);
  expect((await judged(anew))?.number).toBe(1);
  await succeed(scene.approve(reviewer, estimation, anew));
  expect((await judged(anew))?.number).toBe(2);
});

test("a review keeps the verdict that its reviewer gave last, and when, also while they are asked again", async () => {
  const { owner, reviewer, estimation, review, put } = await setScene();
  const judged = async (of: string) => (await scene.readReview(owner, estimation, of)).judgedVersion;
  await succeed(scene.approve(reviewer, estimation, review));
  const verdict = { number: 1, verdict: "approved", decidedAt: app.clock.now().toISOString() };
  expect(await judged(review)).toMatchObject(verdict);
  app.clock.advance(60_000);
  await put([{ title: "Other", kind: "group", options: [{ title: "Else", hours: 1 }] }]);
  await scene.ask(owner, estimation, reviewer);
  expect(await scene.readReview(owner, estimation, review)).toMatchObject({ status: "pending", decidedAt: null });
  expect(await judged(review)).toMatchObject(verdict);
  await succeed(scene.withdraw(owner, estimation, review));
  expect(await judged(await scene.ask(owner, estimation, reviewer))).toMatchObject(verdict);
});

test("what the requested version is compared with stays after the verdict, until another version is requested", async () => {
  const { owner, reviewer, estimation, review, put } = await setScene();
  const change = (title: string) => put([{ title, kind: "group", options: [{ title: "Else", hours: 1 }] }]);
  /** The numbers of the version and of its base, as both see them. */
  const compared = async (of = review) => {
    const [theirs, own] = await Promise.all(
      [owner, reviewer].map(async (by) => {
        const { version, baseVersion } = await scene.readReview(by, estimation, of);
        return [version?.number, baseVersion && (baseVersion as unknown as { number: number }).number];
      }),
    );
    expect(own).toEqual(theirs);
    return own;
  };
  expect(await compared()).toEqual([1, null]);
  await succeed(scene.requestChanges(reviewer, estimation, review));
  expect(await compared()).toEqual([1, null]);
  await change("Second");
  await scene.ask(owner, estimation, reviewer);
  expect(await compared()).toEqual([2, 1]);
  await succeed(scene.requestChanges(reviewer, estimation, review));
  expect(await compared()).toEqual([2, 1]);
  await succeed(scene.approve(reviewer, estimation, review));
  await scene.ask(owner, estimation, reviewer, { note: "Please look at the second again" });
  expect(await compared()).toEqual([2, 1]);
  await change("Third");
  await scene.ask(owner, estimation, reviewer);
  expect(await compared()).toEqual([3, 2]);
  // The reviewer has not judged the third.
  await change("Fourth");
  await scene.ask(owner, estimation, reviewer);
  expect(await compared()).toEqual([4, 2]);
  await succeed(scene.withdraw(owner, estimation, review));
  const anew = await scene.ask(owner, estimation, reviewer);
  expect(await compared(anew)).toEqual([4, 2]);
  await succeed(scene.approve(reviewer, estimation, anew));
  await succeed(scene.withdraw(owner, estimation, anew));
  await change("Fifth");
  expect(await compared(await scene.ask(owner, estimation, reviewer))).toEqual([5, 4]);
});

describe("the list of one's reviews", () => {
  const list = async (by: TestUser, query: string) => succeed(send(by, "GET", `/api/reviews?${query}`));

  test("has those that one asked for, of estimations that are still one's own", async () => {
    const { owner, reviewer, estimation, review } = await setScene();
    const asked = await list(owner, "role=requester");
    expect([asked.reviews, asked.count]).toEqual([[expect.objectContaining({ id: review })], 1]);
    expect(await list(owner, "role=reviewer")).toMatchObject({ reviews: [], count: 0 });
    expect(await list(reviewer, "role=requester")).toMatchObject({ reviews: [], count: 0 });
    const heir = await app.signUp();
    await scene.share(owner, estimation, heir, "edit");
    await succeed(send(owner, "POST", `${pathOf(estimation)}/transfer`, { userId: heir.userId }));
    expect(await list(owner, "role=requester")).toMatchObject({ reviews: [], count: 0 });
  });

  test("says how many there are on all pages, of the statuses that are asked for", async () => {
    const { owner, reviewer, estimation, review } = await setScene();
    const others = [await scene.createEstimation(owner), await scene.createEstimation(owner)];
    for (const other of others) await scene.ask(owner, other, reviewer);
    const first = await list(reviewer, "status=pending&limit=1");
    expect([first.reviews, first.count]).toEqual([[expect.anything()], 3]);
    const next = await list(reviewer, `status=pending&limit=1&cursor=${first.nextCursor}`);
    expect(next.count).toBe(3);
    await succeed(scene.approve(reviewer, estimation, review));
    expect((await list(reviewer, "status=pending")).count).toBe(2);
    expect((await list(reviewer, "status=pending,approved")).count).toBe(3);
    await succeed(send(owner, "DELETE", pathOf(others[0] as string)));
    expect((await list(reviewer, "status=pending")).count).toBe(1);
  });

  test(`counts up to ${limits.reviewsCounted}`, async () => {
    const { reviewer, review } = await setScene();
    const add = (count: number) =>
      app.pool.query(
        `insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
         select 'est_' || left(md5($1 || n), 26), e.owner_id, 'Bulk', '', 0.2, now(), now()
         from generate_series(1, $2::int) n, reviews r join estimations e on e.id = r.estimation_id where r.id = $1
         on conflict do nothing`,
        [review, count],
      );
    const ask = (count: number) =>
      app.pool.query(
        `insert into reviews select (jsonb_populate_record(r, jsonb_build_object(
           'id', 'rev_' || left(md5($1 || n), 26), 'estimation_id', 'est_' || left(md5($1 || n), 26)))).*
         from reviews r, generate_series(1, $2::int) n where r.id = $1 on conflict do nothing`,
        [review, count],
      );
    for (const [count, told] of [
      [limits.reviewsCounted - 2, limits.reviewsCounted - 1],
      [limits.reviewsCounted - 1, limits.reviewsCounted],
      [limits.reviewsCounted, limits.reviewsCounted],
    ] as const) {
      await add(count);
      await ask(count);
      expect((await list(reviewer, "status=pending&limit=1")).count).toBe(told);
    }
  });
});
