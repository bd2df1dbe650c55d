import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { smtpUrl: "smtp://mail.example", webUrl: "https://estimates.example.com" } });
const scene = createScene(app);
const { send, succeed, pathOf, reviewPath } = scene;

/** A user with a verified address. */
async function signUp() {
  const user = await app.signUp();
  await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  return user;
}

/** An estimation, its owner and a user to ask. */
async function setScene() {
  // For the limit of requests a minute.
  await app.clock.advance(60_000);
  const [owner, reviewer] = [await signUp(), await signUp()];
  return { owner, reviewer, estimation: await scene.createEstimation(owner) };
}

describe("a request for a review", () => {
  test("by address or by id makes a version of the content, and gives the reviewer access to read", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const other = await signUp();
    const byAddress = await scene.request(owner, estimation, {
      reviewerEmail: ` ${reviewer.email.toUpperCase()} `,
      note: "Is anything missing?",
    });
    expect(byAddress.status).toBe(201);
    expect(byAddress.data.review).toMatchObject({
      ...{ status: "pending", stale: false, note: "Is anything missing?", decidedAt: null, withdrawnAt: null },
      ...{ estimationId: estimation, estimationTitle: "Checkout" },
      ...{ reviewer: { id: reviewer.userId }, requester: { id: owner.userId }, version: { number: 1 } },
    });
    expect(byAddress.headers.get("location")).toBe(reviewPath(estimation, String(byAddress.data.review?.id)));
    const byId = await scene.request(owner, estimation, { reviewerId: other.userId });
    expect([byId.status, byId.data.review?.version?.number]).toEqual([201, 1]);
    const { versions } = await succeed(send(owner, "GET", `${pathOf(estimation)}/versions`));
    expect(versions).toEqual([expect.objectContaining({ number: 1, cause: "review" })]);
    expect((await scene.read(reviewer, estimation)).access).toBe("reviewer");
  });

  test("sends the specified event to everybody who can read the estimation, including the reviewer", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const viewer = await signUp();
    await scene.share(owner, estimation, viewer, "view");
    for (const user of [owner, reviewer, viewer, await signUp()]) await scene.listen(user);
    const review = await scene.ask(owner, estimation, reviewer);
    const { user } = await succeed(send(owner, "GET", "/api/auth/me"));
    expect(await scene.toldOf(estimation)).toEqual([
      {
        name: "estimation.submitted",
        data: {
          estimationId: estimation,
          reviewerId: reviewer.userId,
          ownerName: user?.name,
          estimationTitle: "Checkout",
          reviewUrl: `https://estimates.example.com/estimations/${estimation}/reviews/${review}`,
        },
        receivers: [owner, reviewer, viewer].map(({ userId }) => userId).sort(),
      },
    ]);
  });

  test("to a user who was already asked changes nothing while the review is pending and the content is the same", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer, { note: "First" });
    await changesNothing(app, async () => {
      const again = await scene.request(owner, estimation, { reviewerEmail: reviewer.email });
      expect([again.status, again.data.review?.id, again.data.review?.note]).toEqual([200, review, "First"]);
    });
  });

  test("to a user who has decided, or after the content changed, makes the review pending and about the current content", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.listen(owner);
    const review = await scene.ask(owner, estimation, reviewer, { note: "First" });
    await succeed(scene.approve(reviewer, estimation, review));
    const decided = await scene.request(owner, estimation, { reviewerId: reviewer.userId, note: "Second" });
    expect([decided.status, decided.data.review]).toEqual([
      200,
      expect.objectContaining({ id: review, status: "pending", decidedAt: null, note: "Second" }),
    ]);
    await succeed(send(owner, "PUT", pathOf(estimation), { title: "Checkout with returns" }));
    expect((await scene.readReview(owner, estimation, review)).stale).toBe(true);
    const edited = await scene.request(owner, estimation, { reviewerId: reviewer.userId });
    expect([edited.status, edited.data.review]).toEqual([
      200,
      expect.objectContaining({
        id: review,
        status: "pending",
        stale: false,
        version: expect.objectContaining({ number: 2 }),
      }),
    ]);
    const names = (await scene.toldOf(estimation)).map(({ name }) => name.split(".")[1]);
    expect(names).toEqual(["submitted", "approved", "submitted", "submitted"]);
    const { activity } = await succeed(send(owner, "GET", `${pathOf(estimation)}/activity`));
    const kinds = (activity as unknown as { kind: string }[]).map(({ kind }) => kind).reverse();
    expect(kinds.filter((kind) => kind.startsWith("review."))).toEqual([
      "review.requested",
      "review.approved",
      "review.requested",
      "review.requested",
    ]);
  });

  test("must name one user with a verified address who is not the owner; anything else is refused and changes nothing", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const unverified = await app.signUp();
    const refused = async (body: object, path: string | null, code: string) => {
      const response = await scene.request(owner, estimation, body);
      const [fault] = (response.body.errors as unknown as { path: string; code: string }[] | undefined) ?? [];
      expect([response.status, fault?.path ?? null, fault?.code ?? response.body.message], response.text).toEqual([
        400,
        path,
        code,
      ]);
      return response;
    };
    await refused({}, "/reviewerId", "required");
    await refused({ note: "Please" }, "/reviewerId", "required");
    await refused({ reviewerId: reviewer.userId, reviewerEmail: reviewer.email }, "/reviewerEmail", "not_allowed");
    await refused({ reviewerId: owner.userId }, null, "reviewer_is_owner");
    await refused({ reviewerEmail: owner.email }, null, "reviewer_is_owner");
    await refused({ reviewerId: `usr_${"0".repeat(26)}` }, "/reviewerId", "unknown_reference");
    await refused({ reviewerId: estimation }, "/reviewerId", "unknown_reference");
    await refused({ reviewerId: unverified.userId }, "/reviewerId", "unknown_reference");
    await refused({ reviewerId: 7 }, "/reviewerId", "wrong_type");
    await refused({ reviewerId: "x".repeat(limits.refLength + 1) }, "/reviewerId", "too_long");
    await refused({ reviewerEmail: "nobody" }, "/reviewerEmail", "wrong_format");
    await refused({ reviewerEmail: `${"a".repeat(10_000)}@example.com` }, "/reviewerEmail", "too_long");
    await refused({ reviewerId: reviewer.userId, note: "x".repeat(limits.reviewNoteLength + 1) }, "/note", "too_long");
    await refused({ reviewerId: reviewer.userId, note: " \n" }, "/note", "blank");
    // Nobody learns whether an address has an account.
    const [none, some] = [
      await refused({ reviewerEmail: "nobody@example.com" }, "/reviewerEmail", "unknown_reference"),
      await refused({ reviewerEmail: unverified.email }, "/reviewerEmail", "unknown_reference"),
    ];
    expect(some.body.errors).toEqual(none.body.errors);
    const note = "é".repeat(limits.reviewNoteLength);
    expect((await scene.request(owner, estimation, { reviewerId: reviewer.userId, note })).status).toBe(201);
  });

  test("can only be made by the owner, with a verified address", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const editor = await signUp();
    await scene.share(owner, estimation, editor, "edit");
    await app.pool.query("update users set email_verified_at = null where id = $1", [owner.userId]);
    const byEditor = await scene.request(editor, estimation, { reviewerId: reviewer.userId });
    expect([byEditor.status, byEditor.body.message]).toEqual([403, "forbidden"]);
    const unproved = await scene.request(owner, estimation, { reviewerId: reviewer.userId });
    expect([unproved.status, unproved.body.details]).toEqual([403, { reason: "email_not_verified" }]);
  });

  test("has a limit per minute, counted for all addresses together", async () => {
    const { owner, estimation } = await setScene();
    const ask = (n: number) => scene.request(owner, estimation, { reviewerEmail: `nobody${n}@example.com` });
    for (let n = 0; n < limits.reviewRequestsPerMinute; n += 1) expect((await ask(n)).status).toBe(400);
    expect((await ask(-1)).status).toBe(429);
  });
});

describe("a verdict", () => {
  test("can be sent a limited number of times a minute", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer);
    for (const decide of [scene.approve, scene.requestChanges]) {
      for (let n = 0; n < limits.verdictsPerMinute; n += 1) await succeed(decide(reviewer, estimation, review));
      await expect((await decide(reviewer, estimation, review)).status).toBe(429);
    }
    await app.clock.advance(60_000);
    await succeed(scene.approve(reviewer, estimation, review));
  });

  test("can only be given by the reviewer, whatever the level, and sends the specified event", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const [editor, viewer, other] = [await signUp(), await signUp(), await signUp()];
    await scene.share(owner, estimation, editor, "edit");
    await scene.share(owner, estimation, viewer, "view");
    await scene.listen(owner);
    const review = await scene.ask(owner, estimation, reviewer);
    const ofEditor = await scene.ask(owner, estimation, editor);
    await scene.ask(owner, estimation, other);
    for (const by of [owner, editor, viewer, other]) {
      expect((await scene.approve(by, estimation, review)).status).toBe(403);
      expect((await scene.requestChanges(by, estimation, review)).status).toBe(403);
    }
    expect((await scene.approve(editor, estimation, ofEditor)).status).toBe(200);
    const { data } = await scene.requestChanges(reviewer, estimation, review, { comment: "Refunds are missing" });
    expect(data.review).toMatchObject({ status: "changes_requested", decidedAt: app.clock.now().toISOString() });
    expect(data.comment).toMatchObject({ body: "Refunds are missing", verdict: "changes_requested", parentId: null });
    // Nothing but these fields is sent.
    const toldBy = async (by: TestUser) => ({
      estimationId: estimation,
      reviewerId: by.userId,
      reviewerName: (await succeed(send(by, "GET", "/api/auth/me"))).user?.name,
      estimationTitle: "Checkout",
      estimationUrl: `https://estimates.example.com/estimations/${estimation}`,
    });
    expect((await scene.toldOf(estimation)).slice(-2).map(({ name, data }) => [name, data])).toEqual([
      ["estimation.approved", await toldBy(editor)],
      ["estimation.changes_requested", await toldBy(reviewer)],
    ]);
  });

  test("can be changed: the latest counts, and repeating it changes nothing", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.listen(owner);
    const review = await scene.ask(owner, estimation, reviewer);
    await succeed(scene.approve(reviewer, estimation, review));
    await changesNothing(app, async () => {
      expect((await scene.approve(reviewer, estimation, review)).data.review?.status).toBe("approved");
    });
    await succeed(scene.requestChanges(reviewer, estimation, review));
    expect((await scene.read(owner, estimation)).reviewState).toBe("changes_requested");
    await succeed(scene.approve(reviewer, estimation, review));
    expect((await scene.read(owner, estimation)).reviewState).toBe("approved");
    const names = (await scene.toldOf(estimation)).map(({ name }) => name.split(".")[1]);
    expect(names).toEqual(["submitted", "approved", "changes_requested", "approved"]);
  });

  test("on a version that the review is not about, or on a withdrawn review, is refused and changes nothing", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.share(owner, estimation, reviewer, "view");
    const review = await scene.ask(owner, estimation, reviewer);
    const { version } = await scene.readReview(owner, estimation, review);
    await succeed(send(owner, "PUT", pathOf(estimation), { description: "With returns" }));
    await scene.ask(owner, estimation, reviewer);
    const now = (await scene.readReview(owner, estimation, review)).version;
    const moved = await scene.approve(reviewer, estimation, review, { versionId: version?.id });
    expect([moved.status, moved.body.message, moved.body.details]).toEqual([
      409,
      "review_moved",
      { versionId: now?.id },
    ]);
    const long = await scene.approve(reviewer, estimation, review, { comment: "x".repeat(limits.commentLength + 1) });
    expect(long.status).toBe(400);
    expect((await scene.approve(reviewer, estimation, review, { versionId: now?.id })).status).toBe(200);
    await succeed(scene.withdraw(owner, estimation, review));
    const ended = await scene.approve(reviewer, estimation, review);
    expect([ended.status, ended.body.message]).toEqual([409, "review_withdrawn"]);
  });

  test("on a review of another estimation gets 404", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const other = await scene.createEstimation(owner);
    const review = await scene.ask(owner, estimation, reviewer);
    await scene.ask(owner, other, reviewer);
    expect((await scene.approve(reviewer, other, review)).status).toBe(404);
  });
});

describe("withdrawing a review", () => {
  test("is allowed only for the owner and the reviewer", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const [editor, other] = [await signUp(), await signUp()];
    await scene.share(owner, estimation, editor, "edit");
    const review = await scene.ask(owner, estimation, reviewer);
    await scene.ask(owner, estimation, other);
    for (const user of [editor, other]) expect((await scene.withdraw(user, estimation, review)).status).toBe(403);
    const { review: ended } = await succeed(scene.withdraw(reviewer, estimation, review));
    expect(ended).toMatchObject({ id: review, status: "withdrawn" });
    expect((await send(reviewer, "GET", pathOf(estimation))).status).toBe(404);
    expect((await succeed(send(reviewer, "GET", "/api/reviews?role=reviewer"))).reviews).toEqual([]);
    expect(await scene.readReview(owner, estimation, review)).toMatchObject({ status: "withdrawn" });
    expect((await scene.withdraw(reviewer, estimation, review)).status).toBe(404);
  });
});

describe("declining a review", () => {
  const DAYS_MS = limits.declinedReviewDays * 86_400_000;

  test("is allowed only for the reviewer, and ends the review and the access by it", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const [editor, other, stranger] = [await signUp(), await signUp(), await signUp()];
    await scene.share(owner, estimation, editor, "edit");
    const review = await scene.ask(owner, estimation, reviewer);
    await scene.ask(owner, estimation, other);
    for (const user of [owner, editor, other]) expect((await scene.decline(user, estimation, review)).status).toBe(403);
    expect((await scene.decline(stranger, estimation, review)).status).toBe(404);
    const { review: ended } = await succeed(scene.decline(reviewer, estimation, review));
    expect(ended).toMatchObject({ id: review, status: "withdrawn" });
    expect((await send(reviewer, "GET", pathOf(estimation))).status).toBe(404);
    expect((await succeed(send(reviewer, "GET", "/api/reviews?role=reviewer"))).reviews).toEqual([]);
    const { activity } = await succeed(send(owner, "GET", `${pathOf(estimation)}/activity`));
    expect(activity?.[0]).toMatchObject({ kind: "review.declined", subject: { reviewId: review } });
  });

  test("prevents the owner from asking the reviewer again, for any estimation and by any address, until the limit ends", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const [another, colleague] = [await scene.createEstimation(owner), await signUp()];
    const standing = await scene.ask(owner, another, reviewer);
    await succeed(scene.decline(reviewer, estimation, await scene.ask(owner, estimation, reviewer)));
    const declinedAt = app.clock.now().getTime();
    const until = new Date(declinedAt + DAYS_MS).toISOString();
    const refused = async () => {
      for (const body of [
        { reviewerId: reviewer.userId },
        { reviewerEmail: reviewer.email },
        { reviewerId: reviewer.userId, note: "Please" },
      ]) {
        for (const id of [estimation, another]) {
          const response = await scene.request(owner, id, body);
          expect([response.status, response.body.message, response.body.details]).toEqual([
            403,
            "reviewer_declined",
            { until },
          ]);
        }
      }
    };
    await refused();
    // Only this owner, and only this reviewer: the other review stays as it is.
    expect(await scene.readReview(reviewer, another, standing)).toMatchObject({ status: "pending" });
    await scene.ask(colleague, await scene.createEstimation(colleague), reviewer);
    await scene.ask(owner, estimation, colleague);
    // Sessions end earlier.
    const key = await app.makeKey(owner, ["admin"]);
    await app.clock.advance(DAYS_MS);
    const later = { ...owner, token: key };
    const again = (by: TestUser) => scene.request(by, estimation, { reviewerId: reviewer.userId });
    expect((await again(later)).body.message).toBe("reviewer_declined");
    await app.clock.advance(1);
    expect((await again(later)).status).toBe(201);
  });

  test("counts from the last time, and changes nothing if the review was withdrawn already", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.share(owner, estimation, reviewer, "view");
    const withdrawn = await scene.ask(owner, estimation, reviewer);
    await succeed(scene.withdraw(owner, estimation, withdrawn));
    await changesNothing(app, () => succeed(scene.decline(reviewer, estimation, withdrawn)));
    const another = await scene.createEstimation(owner);
    const [first, second] = [await scene.ask(owner, estimation, reviewer), await scene.ask(owner, another, reviewer)];
    await succeed(scene.decline(reviewer, estimation, first));
    await app.clock.advance(60_000);
    await succeed(scene.decline(reviewer, another, second));
    await changesNothing(app, () => succeed(scene.decline(reviewer, estimation, first)));
    const { body } = await scene.request(owner, estimation, { reviewerId: reviewer.userId });
    expect(body.details).toEqual({ until: new Date(app.clock.now().getTime() + DAYS_MS).toISOString() });
  });
});

test("a user who may only review an estimation gets the events of their own reviews and no others", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const [other, viewer] = [await signUp(), await signUp()];
  await scene.share(owner, estimation, viewer, "view");
  for (const user of [owner, reviewer, other, viewer]) await scene.listen(user);
  const review = await scene.ask(owner, estimation, reviewer);
  const ofOther = await scene.ask(owner, estimation, other);
  await succeed(scene.approve(reviewer, estimation, review));
  await succeed(scene.requestChanges(other, estimation, ofOther));
  const [own, others] = [reviewer, other].map((one) => [owner, one, viewer].map(({ userId }) => userId).sort());
  expect((await scene.toldOf(estimation)).map(({ receivers }) => receivers)).toEqual([own, others, own, others]);
});

describe("a withdrawn review", () => {
  test("ends the access that it gave, and is no longer in the inbox", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer);
    const key = await app.makeKey(reviewer, ["admin"]);
    await succeed(scene.withdraw(owner, estimation, review));
    expect((await send(reviewer, "GET", pathOf(estimation))).status).toBe(404);
    expect((await scene.approve(reviewer, estimation, review)).status).toBe(404);
    expect((await app.request("GET", pathOf(estimation), { token: key })).status).toBe(404);
    expect((await succeed(send(reviewer, "GET", "/api/reviews?role=reviewer"))).reviews).toEqual([]);
    expect(await scene.readReview(owner, estimation, review)).toMatchObject({ status: "withdrawn", stale: false });
    expect(await scene.read(owner, estimation)).toMatchObject({ reviewState: "none", reviewStale: false });
    await changesNothing(app, () => succeed(scene.withdraw(owner, estimation, review)));
  });

  test("leaves the access that the reviewer has by a share", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.share(owner, estimation, reviewer, "view");
    const review = await scene.ask(owner, estimation, reviewer);
    expect((await scene.read(reviewer, estimation)).access).toBe("viewer");
    await succeed(scene.withdraw(owner, estimation, review));
    expect((await scene.read(reviewer, estimation)).access).toBe("viewer");
    expect((await succeed(send(reviewer, "GET", `${pathOf(estimation)}/reviews/mine`))).review).toMatchObject({
      id: review,
      status: "withdrawn",
    });
  });

  test("is replaced by a new one if the person is asked again", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer);
    await succeed(scene.withdraw(owner, estimation, review));
    const again = await scene.request(owner, estimation, { reviewerId: reviewer.userId });
    expect(again.status).toBe(201);
    expect(again.data.review?.id).not.toBe(review);
    expect((await succeed(send(reviewer, "GET", `${pathOf(estimation)}/reviews/mine`))).review).toEqual(
      again.data.review,
    );
    const { reviews } = await succeed(send(owner, "GET", `${pathOf(estimation)}/reviews`));
    expect(reviews).toEqual([again.data.review, expect.objectContaining({ id: review, status: "withdrawn" })]);
  });
});

describe("the review of an estimation that", () => {
  test("is transferred to its reviewer ends, and the response of the transfer shows that", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.share(owner, estimation, reviewer, "edit");
    const review = await scene.ask(owner, estimation, reviewer);
    const { data } = await send(owner, "POST", `${pathOf(estimation)}/transfer`, { userId: reviewer.userId });
    expect(data.estimation).toMatchObject({ ownerId: reviewer.userId, reviewState: "none", access: "editor" });
    expect((await scene.read(reviewer, estimation)).access).toBe("owner");
    expect((await scene.readReview(reviewer, estimation, review)).status).toBe("withdrawn");
    expect((await scene.approve(reviewer, estimation, review)).status).toBe(409);
    expect((await scene.ask(reviewer, estimation, owner)).startsWith("rev_")).toBe(true);
  });

  test("is deleted is not in the inbox until the estimation is restored", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer);
    const inbox = async () => (await succeed(send(reviewer, "GET", "/api/reviews?role=reviewer"))).reviews;
    await succeed(send(owner, "DELETE", pathOf(estimation)));
    expect(await inbox()).toEqual([]);
    expect((await scene.approve(reviewer, estimation, review)).status).toBe(404);
    await succeed(send(owner, "POST", `${pathOf(estimation)}/restore-deleted`));
    expect(await inbox()).toEqual([expect.objectContaining({ id: review, status: "pending" })]);
    expect((await scene.approve(reviewer, estimation, review)).status).toBe(200);
  });

  test("is copied stays with the original", async () => {
    const { owner, reviewer, estimation } = await setScene();
    await scene.ask(owner, estimation, reviewer);
    const copy = (await succeed(send(owner, "POST", `${pathOf(estimation)}/duplicate`))).estimation;
    expect(copy).toMatchObject({ reviewState: "none", reviewStale: false });
    expect((await send(reviewer, "GET", pathOf(String(copy?.id)))).status).toBe(404);
  });
});

test("a review gives no access to keys that are older than the password reset that first verified the address", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const key = await app.makeKey(reviewer, ["admin"]);
  await app.clock.advance(1_000);
  await app.pool.query("update users set proved_by_reset_at = $2 where id = $1", [reviewer.userId, app.clock.now()]);
  await scene.ask(owner, estimation, reviewer);
  expect((await app.request("GET", pathOf(estimation), { token: key })).status).toBe(401);
  expect((await scene.read(reviewer, estimation)).access).toBe("reviewer");
});
