import { afterAll, describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { countJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { reviewMails } from "./mails.ts";
import { createScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", mailFrom: "Estimations <no-reply@example.org>" },
});
afterAll(mail.stop);
const scene = createScene(app);
const DAY_MS = 86_400_000;

async function signUp(name: string): Promise<TestUser> {
  const user = await app.signUp();
  await app.pool.query("update users set email_verified_at = now(), name = $2 where id = $1", [user.userId, name]);
  return user;
}

/** Waits until no mail is to be sent any more, then returns those about reviews to a user, in their order. */
async function mailsTo({ email }: TestUser) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(
    ({ to, headers }) => to.includes(email) && headers["list-unsubscribe"]?.includes("token=review"),
  );
}

/** What mails about reviews say, by words that only those of a kind have. */
const KINDS = {
  requested: "asks you to review",
  approved: "approved the estimation",
  changes: "requested changes to",
  comment: "commented on the review",
} as const;
const kindOf = ({ body }: { readonly body: string }) =>
  Object.entries(KINDS).find(([, words]) => body.includes(words))?.[0];
const kindsTo = async (user: TestUser) => (await mailsTo(user)).map(kindOf);

async function setScene(title = "Checkout") {
  await app.clock.advance(60_000);
  const [owner, reviewer] = [await signUp("Noor\r\nHaddad"), await signUp("Ada Moreau")];
  return { owner, reviewer, estimation: await scene.createEstimation(owner, title) };
}

test("the reviewer gets a mail with one line for who asks and one for what, and a link to the review", async () => {
  const { owner, reviewer, estimation } = await setScene(`Checkout\u202e ${"𝄞".repeat(100)}`);
  const review = await scene.ask(owner, estimation, reviewer, { note: "Is the payment\n\ncomplete?" });
  const [received, ...others] = await mailsTo(reviewer);
  expect(others).toEqual([]);
  const title = `Checkout ${"𝄞".repeat(70)}…`;
  expect(received?.html).toContain(`<title>Review of ${title}</title>`);
  expect(received?.body).toContain(`Noor Haddad (${owner.email}) asks you to review the estimation "${title}".`);
  expect(received?.body).toContain("\n> Is the payment complete?\n");
  const page = `https://app.example.org/estimations/${estimation}/reviews/${review}`;
  expect(received?.body.split("\n")).toContain(page);
  expect(received?.html).toContain(`href="${page}"`);
  expect(received?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  expect(await mailsTo(owner)).toEqual([]);
});

test("all mails of a review are one conversation with one subject, and those of another review are another", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "Why?" }));
  await scene.succeed(scene.requestChanges(reviewer, estimation, review));
  // A verdict whose mail still waits when the next one is given has none.
  await mailsTo(owner);
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  const mails = [...(await mailsTo(reviewer)), ...(await mailsTo(owner))];
  expect(mails.map(kindOf).toSorted()).toEqual(["approved", "changes", "comment", "requested"]);
  const of = (name: string) => new Set(mails.map(({ headers }) => headers[name]));
  expect([...of("subject")]).toEqual(["Review of Checkout"]);
  expect(of("message-id").size).toBe(4);
  const [first = "", ...others] = of("in-reply-to");
  expect([first, others, [...of("references")]]).toEqual([
    expect.stringMatching(/^<[0-9a-f]{40}@example\.org>$/),
    [],
    [first],
  ]);
  const another = await signUp("Lee Wong");
  await scene.ask(owner, estimation, another);
  const [mail] = await mailsTo(another);
  expect(mail?.headers.subject).toBe("Review of Checkout");
  expect(mail?.headers["in-reply-to"]).not.toBe(first);
});

test("the approval of an example is mailed to nobody", async () => {
  const owner = await signUp("Noor Haddad");
  const { status } = await app.request("POST", "/api/estimations/examples", { token: owner.token });
  expect(status).toBe(200);
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  expect(await mailsTo(owner)).toEqual([]);
});

test("the owner gets one mail for each verdict, and nobody gets one for a verdict that is repeated", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.requestChanges(reviewer, estimation, review));
  expect(await kindsTo(owner)).toEqual(["changes"]);
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  await scene.succeed(scene.approve(reviewer, estimation, review));
  expect(await kindsTo(owner)).toEqual(["changes", "approved"]);
  const ids = (await mailsTo(owner)).map(({ headers }) => headers["message-id"]);
  expect(new Set(ids).size).toBe(2);
});

test("the mail about a verdict has the reviewer's comment; the mail about a later verdict has no earlier comment", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.requestChanges(reviewer, estimation, review, { comment: "Refunds <are>\nmissing" }));
  const [first] = await mailsTo(owner);
  expect(first?.body).toContain("\n> Refunds <are> missing\n");
  expect(first?.html).toContain("Refunds &lt;are&gt; missing");
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  expect((await mailsTo(owner))[1]?.body).not.toContain("Refunds");
});

test("owner, reviewer and participants of the thread get a mail about a comment, except its author; several comments within ten minutes are one mail", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const editor = await signUp("Kim Berg");
  const bystander = await signUp("Lee Wong");
  await scene.share(owner, estimation, editor, "edit");
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.ask(owner, estimation, bystander);
  const { comment } = await scene.succeed(
    scene.comment(editor, estimation, review, { body: "Why so <few> hours?\nReally?" }),
  );
  await scene.succeed(scene.comment(editor, estimation, review, { body: "And here?" }));
  for (const user of [owner, reviewer]) {
    const [said, ...more] = (await mailsTo(user)).filter(({ body }) => kindOf({ body }) === "comment");
    expect(more).toEqual([]);
    expect(said?.body).toContain(`Kim Berg (${editor.email}) commented on the review of "Checkout":`);
    expect(said?.body).toContain("Why so <few> hours? Really?");
    expect(said?.html).toContain("Why so &lt;few&gt; hours? Really?");
  }
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "Indeed", parentId: comment?.id }));
  expect(await kindsTo(editor)).toEqual(["comment"]);
  expect((await kindsTo(reviewer)).filter((one) => one === "comment")).toHaveLength(1);
  await app.clock.advance(11 * 60_000);
  await scene.succeed(scene.comment(editor, estimation, review, { body: "Once more" }));
  expect((await kindsTo(reviewer)).filter((one) => one === "comment")).toHaveLength(2);
  expect(await kindsTo(bystander)).toEqual(["requested"]);
});

test("no mail is sent if its kind is turned off, or if what it is about has changed since", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const body = { reviewRequested: false };
  await scene.succeed(scene.send(reviewer, "PATCH", "/api/auth/me/notifications", body));
  const review = await scene.ask(owner, estimation, reviewer);
  expect(await mailsTo(reviewer)).toEqual([]);
  // What a job that waited for the mail server would write.
  const write = (kind: string, at: Date) =>
    reviewMails(app.services)
      .find(({ name }) => name === kind)
      ?.write({ reviewId: review, at: at.toISOString() }, { askedAt: at, cause: "x" });
  const asked = app.clock.now();
  expect(await write("review-requested", asked)).toMatchObject({ to: reviewer.email });
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  const decided = app.clock.now();
  expect(await write("review-requested", asked)).toBeNull();
  expect(await write("review-decided", decided)).toMatchObject({ to: owner.email });
  expect(await write("review-decided", asked)).toBeNull();
  await scene.succeed(scene.withdraw(owner, estimation, review));
  expect(await write("review-decided", decided)).toBeNull();
});

test("a reader gets a mail about the first comment that concerns them, whoever got mails about others before", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const editor = await signUp("Kim Berg");
  await scene.share(owner, estimation, editor, "edit");
  const review = await scene.ask(owner, estimation, reviewer);
  const first = await scene.succeed(scene.comment(editor, estimation, review, { body: "Why so few hours?" }));
  await scene.succeed(scene.approve(reviewer, estimation, review, { comment: "Fine" }));
  // The reviewer has spoken already, but not to the editor.
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "In general" }));
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "So", parentId: first.comment?.id }));
  expect((await mailsTo(editor)).map(({ body }) => /^> (.*)$/m.exec(body)?.[1])).toEqual(["So"]);
  expect((await mailsTo(owner)).map(({ body }) => /^> (.*)$/m.exec(body)?.[1]).toSorted()).toEqual([
    "Fine",
    "In general",
    "Why so few hours?",
  ]);
});

test("deleting a comment and writing it again sends no further mail", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const review = await scene.ask(owner, estimation, reviewer);
  for (let n = 0; n < 3; n += 1) {
    const { comment } = await scene.succeed(scene.comment(reviewer, estimation, review, { body: "Why?" }));
    expect(await kindsTo(owner)).toEqual(["comment"]);
    const path = `${scene.reviewPath(estimation, review)}/comments/${comment?.id}`;
    await scene.succeed(scene.send(reviewer, "DELETE", path));
  }
});

test("the mails about reviews that one person causes to another in a day are limited, over all estimations", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const other = await scene.createEstimation(owner, "Another");
  await getAcquainted(owner, reviewer);
  const before = (await mailsTo(reviewer)).length;
  const countNew = async () => (await mailsTo(reviewer)).length - before;
  const ask = (n: number) => scene.ask(owner, n % 2 ? estimation : other, reviewer, { note: `Please ${n}` });
  for (let n = 0; n < limits.reviewMailsPerSenderAndDay; n += 1) {
    await app.clock.advance(1_000);
    await ask(n);
    // Each is sent before the next one makes it pointless.
    expect(await countNew()).toBe(n + 1);
  }
  await app.clock.advance(1_000);
  await ask(limits.reviewMailsPerSenderAndDay);
  const most = limits.reviewMailsPerSenderAndDay;
  expect(await countNew()).toBe(most);
  // The request counts all the same, and others are not held up.
  const { reviews } = await scene.succeed(scene.send(reviewer, "GET", "/api/reviews?role=reviewer&status=pending"));
  expect(reviews).toMatchObject([{ note: `Please ${most}` }, { note: `Please ${most - 1}` }]);
  const someone = await signUp("Lee Wong");
  const theirs = await scene.createEstimation(someone, "Theirs");
  await scene.ask(someone, theirs, reviewer);
  expect(await countNew()).toBe(most + 1);
  // The first one was sent nearly a day ago, then a day ago.
  for (const [ageMs, expected] of [
    [DAY_MS - 1, most + 1],
    [DAY_MS, most + 2],
  ] as const) {
    await app.pool.query(
      "update review_mails set at = $2 where id = (select min(id) from review_mails where reader_id = $1)",
      [reviewer.userId, new Date(app.clock.now().getTime() - ageMs)],
    );
    await scene.ask(owner, estimation, reviewer, { note: `Once more ${ageMs}` });
    expect(await countNew()).toBe(expected);
  }
});

/** The reviewer judges an estimation of the owner; its mails do not count any more. */
async function getAcquainted(owner: TestUser, reviewer: TestUser): Promise<void> {
  const earlier = await scene.createEstimation(owner, "Earlier");
  await scene.succeed(scene.approve(reviewer, earlier, await scene.ask(owner, earlier, reviewer)));
  await app.pool.query("delete from review_mails where reader_id = any($1)", [[owner.userId, reviewer.userId]]);
}

describe("a stranger", () => {
  /** Notes so many mails of today to the reader, as if others had caused them. */
  const noteMails = (reader: TestUser, count: number) =>
    app.pool.query(
      `insert into review_mails (reader_id, sender_id, review_id, kind, at)
       select $1, $1, (select min(id) from reviews), 'review-requested', $2 from generate_series(1, $3::int)`,
      [reader.userId, app.clock.now(), count],
    );
  const countNoted = async (reader: TestUser, sender: TestUser) => {
    const { rowCount } = await app.pool.query("select from review_mails where reader_id = $1 and sender_id = $2", [
      reader.userId,
      sender.userId,
    ]);
    return rowCount;
  };

  test("causes few mails to a reader in a day, and more once the reader has reviewed one of their estimations", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const most = limits.reviewMailsPerSenderAndDay / 2;
    let review = "";
    for (let n = 0; n <= most; n += 1) {
      review = await scene.ask(owner, estimation, reviewer, { note: `Please ${n}` });
      expect(await countNoted(reviewer, owner)).toBe(Math.min(n + 1, most));
    }
    await scene.succeed(scene.approve(reviewer, estimation, review));
    const next = await scene.createEstimation(owner, "Next");
    await scene.ask(owner, next, reviewer);
    expect(await countNoted(reviewer, owner)).toBe(most + 1);
  });

  test("cannot use up the mails that a reader gets from people they know, not even together with other strangers", async () => {
    const { owner, reviewer } = await setScene();
    await getAcquainted(owner, reviewer);
    const stranger = await signUp("Sam Strange");
    const theirs = await scene.createEstimation(stranger, "Theirs");
    await noteMails(reviewer, limits.reviewMailsPerDay / 2 - 1);
    await scene.ask(stranger, theirs, reviewer);
    expect(await countNoted(reviewer, stranger)).toBe(1);
    await scene.ask(stranger, theirs, reviewer, { note: "Again" });
    expect(await countNoted(reviewer, stranger)).toBe(1);
    await scene.ask(owner, await scene.createEstimation(owner, "Ours"), reviewer);
    expect(await countNoted(reviewer, owner)).toBe(1);
  });

  test("still reaches the owner of an estimation that they were asked to review", async () => {
    const { owner, reviewer, estimation } = await setScene();
    const review = await scene.ask(owner, estimation, reviewer);
    await noteMails(owner, limits.reviewMailsPerDay / 2);
    await scene.succeed(scene.approve(reviewer, estimation, review));
    expect(await countNoted(owner, reviewer)).toBe(1);
  });
});

test("the mails about reviews that a reader gets in a day are limited, however many people cause them", async () => {
  const { owner, reviewer, estimation } = await setScene();
  await app.pool.query(
    `insert into review_mails (reader_id, sender_id, review_id, kind, at)
     select $1, u.id, r.id, 'review-requested', $2 from reviews r, users u, generate_series(1, $3::int)
     where r.id = $4 and u.id = $1`,
    [owner.userId, app.clock.now(), limits.reviewMailsPerDay - 1, await scene.ask(owner, estimation, reviewer)],
  );
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "The last" }));
  expect(await kindsTo(owner)).toEqual(["comment"]);
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  expect(await kindsTo(owner)).toHaveLength(1);
  await app.pool.query("update review_mails set at = at - interval '1 day' where reader_id = $1", [owner.userId]);
  await scene.succeed(scene.requestChanges(reviewer, estimation, review));
  expect(await kindsTo(owner)).toEqual(["comment", "changes"]);
  const { rows } = await app.pool.query("select from review_mails where reader_id = $1", [owner.userId]);
  expect(rows).toHaveLength(1);
});
