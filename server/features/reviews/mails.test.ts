import { afterAll, expect, test } from "vitest";
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

async function signUp(name: string): Promise<TestUser> {
  const user = await app.signUp();
  await app.pool.query("update users set email_verified_at = now(), name = $2 where id = $1", [user.userId, name]);
  return user;
}

const SUBJECTS = [
  "You are asked for a review",
  "Your estimation was approved",
  "Changes to your estimation are requested",
  "A review was commented",
];

/** Waits until no mail is to be sent any more, then returns those about reviews to a user, in their order. */
async function mailsTo({ email }: TestUser) {
  await until(async () => (await countJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, headers }) => to.includes(email) && SUBJECTS.includes(headers.subject ?? ""));
}

const subjectsTo = async (user: TestUser) => (await mailsTo(user)).map(({ headers }) => headers.subject);

async function setScene(title = "Checkout") {
  const [owner, reviewer] = [await signUp("Noor\r\nHaddad"), await signUp("Ada Moreau")];
  return { owner, reviewer, estimation: await scene.createEstimation(owner, title) };
}

test("the reviewer is mailed who asks for what, as one line each, with the page of the review", async () => {
  const { owner, reviewer, estimation } = await setScene(`Checkout\u202e ${"𝄞".repeat(100)}`);
  const review = await scene.ask(owner, estimation, reviewer, { note: "Is the payment\n\ncomplete?" });
  const [received, ...others] = await mailsTo(reviewer);
  expect(others).toEqual([]);
  const title = `Checkout ${"𝄞".repeat(70)}…`;
  expect(received?.headers.subject).toBe("You are asked for a review");
  expect(received?.body).toContain(`Noor Haddad (${owner.email}) asks you to review the estimation "${title}".`);
  expect(received?.body).toContain("Note: Is the payment complete?");
  const page = `https://app.example.org/estimations/${estimation}/reviews/${review}`;
  expect(received?.body.split("\n")).toContain(page);
  expect(received?.html).toContain(`href="${page}"`);
  expect(received?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  expect(await mailsTo(owner)).toEqual([]);
});

test("the owner is mailed each verdict, once, and nobody a verdict that says the same again", async () => {
  const { owner, reviewer, estimation } = await setScene();
  const review = await scene.ask(owner, estimation, reviewer);
  await scene.succeed(scene.requestChanges(reviewer, estimation, review));
  expect(await subjectsTo(owner)).toEqual(["Changes to your estimation are requested"]);
  await app.clock.advance(1_000);
  await scene.succeed(scene.approve(reviewer, estimation, review));
  await scene.succeed(scene.approve(reviewer, estimation, review));
  expect(await subjectsTo(owner)).toEqual(["Changes to your estimation are requested", "Your estimation was approved"]);
  const ids = (await mailsTo(owner)).map(({ headers }) => headers["message-id"]);
  expect(new Set(ids).size).toBe(2);
});

test("owner, reviewer and thread are mailed a comment, but not its author, and several within ten minutes once", async () => {
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
    const [said, ...more] = (await mailsTo(user)).filter(({ headers }) => headers.subject === "A review was commented");
    expect(more).toEqual([]);
    expect(said?.body).toContain(`Kim Berg (${editor.email}) commented on the review of "Checkout":`);
    expect(said?.body).toContain("Why so <few> hours? Really?");
    expect(said?.html).toContain("Why so &lt;few&gt; hours? Really?");
  }
  await scene.succeed(scene.comment(reviewer, estimation, review, { body: "Indeed", parentId: comment?.id }));
  expect(await subjectsTo(editor)).toEqual(["A review was commented"]);
  expect((await subjectsTo(reviewer)).filter((one) => one === "A review was commented")).toHaveLength(1);
  await app.clock.advance(11 * 60_000);
  await scene.succeed(scene.comment(editor, estimation, review, { body: "Once more" }));
  expect((await subjectsTo(reviewer)).filter((one) => one === "A review was commented")).toHaveLength(2);
  expect(await subjectsTo(bystander)).toEqual(["You are asked for a review"]);
});

test("a kind that is turned off is not mailed, and what is over by then is not either", async () => {
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
