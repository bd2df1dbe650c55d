import { afterAll, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, until } from "../../../tests/harness.ts";
import { countDueJobs } from "../../../tests/support/jobs.ts";
import { startMailServer } from "../../../tests/support/mail-server.ts";
import { createScene } from "./testing/scene.ts";

const mail = await startMailServer();
const app = await start({
  worker: true,
  config: { smtpUrl: mail.url, webUrl: "https://app.example.org", rateLimitPerMinute: 1_000_000 },
});
afterAll(mail.stop);

/** Waits until no mail is due any more, then returns those to an address. */
async function mailsTo(address: string) {
  await until(async () => (await countDueJobs(app.pool, "send-mail")) === 0);
  return mail.mails.filter(({ to, headers }) => to.includes(address) && String(headers.subject).includes("client"));
}

async function opened({ isVerified = true } = {}) {
  const scene = await createScene(app);
  if (isVerified)
    await app.pool.query("update users set email_verified_at = now() where id = $1", [scene.owner.userId]);
  const link = await scene.link();
  const say = (what: string, more: object = {}) =>
    app.request("POST", `/api/links/${link.token}/${what}`, {
      body: { name: "Robin", email: "robin@client.example", note: "When could you begin?", ...more },
    });
  return { ...scene, link, say };
}

test("the owner is mailed an acceptance, with what was claimed cut to a line, and without the address of the page", async () => {
  const { say, owner, link, id } = await opened();
  await say("accept", { name: `Robin\n${"x".repeat(150)}` });
  const [received, ...others] = await mailsTo(owner.email);
  expect(others).toEqual([]);
  expect(received?.headers.subject).toBe("Accepted by a client: Shop");
  for (const part of [
    "Robin",
    "robin@client.example",
    "not proved",
    "When could you begin?",
    `/estimations/${id}/shares`,
  ])
    expect(received?.body.replace(/\s+/g, " ")).toContain(part);
  expect(received?.body).not.toContain("x".repeat(81));
  expect(received?.body).not.toContain(link.token);
});

test(`of one estimation at most ${limits.linkMailsPerDay} comments are mailed within a day, and every acceptance`, async () => {
  const { say, owner, link, id } = await opened();
  await say("comment");
  await app.pool.query(
    `insert into client_answers select (jsonb_populate_record(a, jsonb_build_object('id', 'ans_' || left(md5(a.id || n), 26)))).*
     from client_answers a, generate_series(3, $2::int) n where a.link_id = $1`,
    [link.id, limits.linkMailsPerDay],
  );
  await say("comment");
  expect(await mailsTo(owner.email)).toHaveLength(2);
  await say("comment");
  expect(await mailsTo(owner.email)).toHaveLength(2);
  await say("accept");
  expect(await mailsTo(owner.email)).toHaveLength(3);
  await app.pool.query(
    "update client_answers set created_at = created_at - interval '1 day' where estimation_id = $1",
    [id],
  );
  await say("comment");
  expect(await mailsTo(owner.email)).toHaveLength(4);
});

test("nothing is mailed to an address that is not verified, nor about an estimation that was deleted", async () => {
  const { say, owner } = await opened({ isVerified: false });
  await say("accept");
  expect(await mailsTo(owner.email)).toEqual([]);
});
