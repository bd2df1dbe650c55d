import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { createScene } from "./testing/scene.ts";

const MOST = 5;
const app = await start({ config: { invitationsPerHour: MOST } });
const { invite, remove, resend, createEstimation, share, signIn } = createScene(app);
const address = (n: number) => `${n}-${Math.random()}@example.com`;

test("the number of mails per hour is limited, whatever shares are deleted, and resent ones count", async () => {
  const owner = await app.signUp();
  const [estimation, other] = [await createEstimation(owner), await createEstimation(owner)];
  const first = String((await invite(owner, estimation, address(1))).data.share?.id);
  await app.clock.advance(60_000);
  expect((await resend(owner, estimation, first)).status).toBe(202);
  expect((await remove(owner, first)).status).toBe(200);
  const last = String((await invite(owner, estimation, address(2))).data.share?.id);
  for (const n of [3, 4]) expect((await invite(owner, other, address(n))).status).toBe(201);

  for (const send of [() => invite(owner, other, address(5)), () => resend(owner, estimation, last)]) {
    const { status, body, headers } = await send();
    expect([status, body.message, headers.get("retry-after")]).toEqual([429, "rate_limited", String(3_600 - 60)]);
    expect(headers.get("ratelimit-policy")).toBe(`"invitations";q=${MOST};w=3600`);
    expect(headers.get("ratelimit")).toBe(`"invitations";r=0;t=${3_600 - 60}`);
  }
  const nobodyElse = await app.signUp();
  expect((await invite(nobodyElse, await createEstimation(nobodyElse), address(6))).status).toBe(201);

  await app.clock.advance(3_600_000 - 60_000 - 1);
  const again = { ...owner, token: String((await signIn(owner)).data.token) };
  expect((await invite(again, other, address(7))).headers.get("retry-after")).toBe("1");
  await app.clock.advance(1);
  expect((await invite(again, other, address(7))).status).toBe(201);
  expect((await invite(again, other, address(8))).headers.get("retry-after")).toBe("60");
});

test("a share causes at most three mails within any day, including the first", async () => {
  const [owner, user] = [await app.signUp(), await app.signUp()];
  const estimation = await createEstimation(owner);
  const share = String((await invite(owner, estimation, user.email)).data.share?.id);
  const signedIn = async () => ({ ...owner, token: String((await signIn(owner)).data.token) });
  const hours = async (count: number) => {
    await app.clock.advance(count * 3_600_000);
    return signedIn();
  };
  for (const wait of [2, 2]) expect((await resend(await hours(wait), estimation, share)).status).toBe(202);
  const later = await hours(2);
  const { status, headers } = await resend(later, estimation, share);
  expect([status, headers.get("retry-after")]).toEqual([429, String(18 * 3_600)]);
  expect(headers.get("ratelimit-policy")).toBe(`"share";q=${limits.invitationMailsPerDay};w=86400`);
  const other = await invite(later, estimation, address(9));
  expect(other.status, "another share").toBe(201);
  await app.clock.advance(18 * 3_600_000 - 1);
  expect((await resend(await signedIn(), estimation, share)).headers.get("retry-after")).toBe("1");
  await app.clock.advance(1);
  expect((await resend(await signedIn(), estimation, share)).status).toBe(202);
});

test("the database allows one accepted share for each person and estimation", async () => {
  const [owner, user] = [await app.signUp(), await app.signUp()];
  const estimation = await createEstimation(owner);
  await share(owner, estimation, user, "view");
  const again = app.pool.query(
    `insert into shares (id, estimation_id, email, permission, sharer_id, user_id, created_at, sent_at, accepted_at)
     select 'shr_' || lpad('1', 26, '0'), estimation_id, 'other@example.com', permission, sharer_id, user_id, created_at, sent_at, accepted_at
     from shares where estimation_id = $1`,
    [estimation],
  );
  await expect(again).rejects.toThrow(/shares_by_person/);
});

test("of simultaneous requests, exactly as many as allowed succeed", async () => {
  const owner = await app.signUp();
  const estimations = await Promise.all([1, 2, 3].map(() => createEstimation(owner)));
  const responses = await Promise.all(
    estimations.flatMap((estimation) => Array.from({ length: 10 }, (_, n) => invite(owner, estimation, address(n)))),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(MOST);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(30 - MOST);
  const shares = await app.pool.query("select from shares where sharer_id = $1", [owner.userId]);
  expect(shares.rowCount).toBe(MOST);
});

test("a share that exists already needs no mail, and is returned beyond the limit as well", async () => {
  const owner = await app.signUp();
  const estimation = await createEstimation(owner);
  for (let n = 0; n < MOST; n += 1) await invite(owner, estimation, `${n}@example.net`);
  expect((await invite(owner, estimation, "one-more@example.net")).status).toBe(429);
  expect((await invite(owner, estimation, "0@example.net", "edit")).status).toBe(200);
});

test("mails of another process whose clock is a minute ahead count", async () => {
  const owner = await app.signUp();
  const estimation = await createEstimation(owner);
  for (let n = 0; n < MOST; n += 1) await invite(owner, estimation, address(n));
  await app.pool.query(
    "update sent_invitations set times = array(select at + interval '1 minute' from unnest(times) at) where user_id = $1",
    [owner.userId],
  );
  expect((await invite(owner, estimation, address(MOST))).headers.get("retry-after")).toBe("3600");
});
