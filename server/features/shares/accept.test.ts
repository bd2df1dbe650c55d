import { randomUUID } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { effortOf } from "../../../tests/support/effort.ts";
import { inTransaction, isAnybodyWaiting } from "../../../tests/support/transactions.ts";
import { makeMailedToken } from "../auth/mailed-tokens.ts";
import { issueExchangeCode } from "../google-sign-in/exchange-code.ts";
import { AT_ONE_SIGN_IN } from "./accept.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({
  config: {
    smtpUrl: "smtp://127.0.0.1:1",
    invitationsPerHour: 1_000,
    google: { clientId: "id", clientSecret: "secret", issuer: "http://127.0.0.1:1" },
  },
});
const { pool } = app.services;
const { invite, accept, remove, listen, toldOf, createEstimation, verify, read, signIn } = createScene(app);
const owner = await app.signUp();
await verify(owner);
await listen(owner);

const DAY_MS = 86_400_000;
const post = (path: string, body: unknown) => app.request("POST", `/api/auth/${path}`, { body });
const accepted = async (estimation: string) =>
  (await toldOf(estimation)).filter(({ name }) => name === "share.accepted");
const accessOf = async (user: Pick<TestUser, "token">, estimation: string) =>
  (await read(user, estimation)).data.estimation?.access;

async function inviteTo(email: string, permission = "view") {
  const estimation = await createEstimation(owner);
  return { estimation, share: String((await invite(owner, estimation, email, permission)).data.share?.id) };
}

describe("accepting by the link", () => {
  it("gives access at once and sends one event to owner and accepter, even for twenty requests at once", async () => {
    const user = await app.signUp();
    await verify(user);
    await listen(user);
    const { estimation, share } = await inviteTo(user.email, "edit");
    expect((await read(user, estimation)).status).toBe(404);
    const responses = await Promise.all(Array.from({ length: 20 }, () => accept(user, share)));
    for (const { status, data } of responses) {
      expect([status, data.share?.status, data.share?.userId]).toEqual([200, "accepted", user.userId]);
      expect([data.share?.acceptedAt, data.share?.expiresAt]).toEqual([app.clock.now().toISOString(), null]);
    }
    expect(await accessOf(user, estimation)).toBe("editor");
    expect(await accepted(estimation)).toEqual([
      {
        name: "share.accepted",
        data: { shareId: share, estimationId: estimation, accepterEmail: user.userId, accepterUserId: user.userId },
        receivers: [owner.userId, user.userId].sort(),
      },
    ]);
    await changesNothing(app, async () => expect((await accept(user, share)).status).toBe(200));
  });

  it("is refused for an address that is not verified, and gets 404 for shares with others", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    await verify(other);
    const { estimation, share } = await inviteTo(user.email);
    const unverified = await accept(user, share);
    expect([unverified.status, unverified.body.details]).toEqual([403, { reason: "email_not_verified" }]);
    for (const somebodyElse of [other, owner]) {
      const { status, body } = await accept(somebodyElse, share);
      expect([status, body.message]).toEqual([404, "not_found"]);
    }
    const key = await app.makeKey(other, ["admin"]);
    const byKey = await app.request("POST", `/api/shares/${share}/accept`, { token: key });
    expect([byKey.status, byKey.body.message]).toEqual([403, "session_token_required"]);
    expect((await read(user, estimation)).status).toBe(404);
  });

  it(`works ${limits.invitationDays} days after it was last sent, and not a millisecond later`, async () => {
    const [user, late] = [await app.signUp(), await app.signUp()];
    const [first, second] = [await inviteTo(user.email), await inviteTo(late.email)];
    await app.clock.advance(limits.invitationDays * DAY_MS);
    const again = async (one: TestUser) => ({ ...one, token: String((await signIn(one)).data.token) });
    const [onTime, tooLate] = [await again(user), await again(late)];
    // Only now: signing in with a verified address would have accepted them.
    for (const one of [user, late]) await verify(one);
    expect((await accept(onTime, first.share)).status).toBe(200);
    await app.clock.advance(1);
    const refused = await accept(tooLate, second.share);
    expect([refused.status, refused.body.message]).toEqual([409, "invitation_expired"]);
    await signIn(late);
    expect((await read(tooLate, second.estimation)).status).toBe(404);
  });

  it("repeated with an Idempotency-Key gets the first response, and gives no access that has ended", async () => {
    const user = await app.signUp();
    await verify(user);
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const estimation = await createEstimation(sharer);
    const share = String((await invite(sharer, estimation, user.email)).data.share?.id);
    const repeat = () =>
      app.request("POST", `/api/shares/${share}/accept`, {
        token: user.token,
        headers: { "idempotency-key": "accept-once" },
      });
    const first = await repeat();
    expect(first.status).toBe(200);
    await remove(sharer, share);
    const second = await repeat();
    expect([second.status, second.data, second.headers.get("idempotent-replayed")]).toEqual([200, first.data, "true"]);
    expect((await app.request("GET", `/api/estimations/${estimation}`, { token: user.token })).status).toBe(404);
  });

  it("finds nothing once the share or the estimation is deleted", async () => {
    const user = await app.signUp();
    await verify(user);
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    for (const end of [
      ({ share }: { share: string }) => remove(sharer, share),
      ({ estimation }: { estimation: string }) =>
        app.request("DELETE", `/api/estimations/${estimation}`, { token: sharer.token }),
    ]) {
      const estimation = await createEstimation(sharer);
      const share = String((await invite(sharer, estimation, user.email)).data.share?.id);
      expect((await end({ share, estimation })).status).toBe(200);
      const { status } = await accept(user, share);
      expect(status).toBe(404);
    }
  });
});

describe("a sign-in with a verified address accepts what is pending", () => {
  const password = "another horse battery";
  const tokenVersionOf = async ({ userId }: TestUser) =>
    (await app.pool.query("select token_version from users where id = $1", [userId])).rows[0].token_version;
  const ways: Record<string, (user: TestUser) => Promise<unknown>> = {
    "by password": async (user) => {
      await verify(user);
      return signIn(user);
    },
    "by the code of a sign-in with Google": async (user) => {
      await verify(user);
      const account = { id: user.userId, tokenVersion: await tokenVersionOf(user) };
      return post("exchange", { code: await issueExchangeCode(pool, account, app.clock.now()) });
    },
    "by proving the address": async ({ userId }) =>
      post("verify-email", {
        token: await makeMailedToken(
          pool,
          await app.services.linkKeys.account(),
          { userId, purpose: "verify-email", cause: randomUUID() },
          app.clock.now(),
        ),
      }),
    "by a link to reset the password": async ({ userId }) =>
      post("reset-password", {
        token: await makeMailedToken(
          pool,
          await app.services.linkKeys.account(),
          { userId, purpose: "reset-password", cause: randomUUID() },
          app.clock.now(),
        ),
        password,
      }),
  };

  test.for(Object.entries(ways))("%s", async ([, way]) => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    const estimations = [await createEstimation(sharer), await createEstimation(sharer)];
    for (const estimation of estimations) await invite(sharer, estimation, user.email);
    // A sign-in while the address is not verified accepts nothing.
    expect((await signIn(user)).status).toBe(200);
    for (const estimation of estimations) expect(await accepted(estimation)).toEqual([]);
    await way(user);
    const { rows } = await app.pool.query(
      "select estimation_id, level from estimation_readers where user_id = $1 order by 1",
      [user.userId],
    );
    expect(rows).toEqual(estimations.sort().map((id) => ({ estimation_id: id, level: "viewer" })));
    for (const estimation of estimations) expect(await accepted(estimation)).toHaveLength(1);
  });

  it("by registering, if the instance is local, so that every address counts as verified", async () => {
    const local = await start();
    const scene = createScene(local);
    const sharer = await local.signUp();
    await scene.listen(sharer);
    const estimation = await scene.createEstimation(sharer);
    const email = `${randomUUID()}@example.com`;
    await scene.invite(sharer, estimation, email, "edit");
    const user = await local.signUp(email);
    expect((await scene.read(user, estimation)).data.estimation?.access).toBe("editor");
    expect((await scene.toldOf(estimation)).map(({ name }) => name)).toEqual(["share.invited", "share.accepted"]);
  });

  it("once, in many simultaneous sign-ins", async () => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    await verify(user);
    const estimations = await Promise.all([1, 2, 3].map(() => createEstimation(sharer)));
    for (const estimation of estimations) await invite(sharer, estimation, user.email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => signIn(user)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    for (const estimation of estimations) expect(await accepted(estimation)).toHaveLength(1);
  });

  it(`at most ${AT_ONE_SIGN_IN} of them, and the others at the next`, async () => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    await verify(user);
    const count = AT_ONE_SIGN_IN + 1;
    await app.pool.query(
      `with made as (insert into estimations (id, owner_id, title, description, correlation, created_at, updated_at)
         select 'est_' || left(md5($2 || n), 26), $1, 'Many', '', 0.2, now(), now() from generate_series(1, $3::int) n returning id)
       insert into shares (id, estimation_id, email, permission, sharer_id, created_at, sent_at)
       select 'shr' || substr(id, 4), id, $2, 'view', $1, $4, $4 from made`,
      [sharer.userId, user.email, count, app.clock.now()],
    );
    const readable = async () =>
      (await app.pool.query("select from estimation_readers where user_id = $1", [user.userId])).rowCount;
    const statementsOf = async () => (await effortOf(app.connection.database, () => signIn(user))).statements.length;
    const ofMany = await statementsOf();
    expect(await readable()).toBe(AT_ONE_SIGN_IN);
    expect(await statementsOf(), "as many statements for one as for many").toBe(ofMany);
    expect(await readable()).toBe(count);
    const told = await app.pool.query(
      "select from webhook_events where name = 'share.accepted' and data::json ->> 'accepterEmail' = $1",
      [user.userId],
    );
    expect(told.rowCount).toBe(count);
  });
});

test("a deletion before the sign-in wins, even if the sign-in waits for it", async () => {
  const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
  const user = await app.signUp();
  await verify(user);
  const estimation = await createEstimation(sharer);
  const share = String((await invite(sharer, estimation, user.email)).data.share?.id);
  const { signingIn } = await inTransaction(app.pool, async (client) => {
    await client.query("select from estimations where id = $1 for update", [estimation]);
    const signingIn = signIn(user);
    await until(() => isAnybodyWaiting(app.pool));
    await client.query("delete from shares where id = $1", [share]);
    return { signingIn };
  });
  expect((await signingIn).status).toBe(200);
  expect(await accepted(estimation)).toEqual([]);
  expect((await read({ token: String((await signingIn).data.token) }, estimation)).status).toBe(404);
});

test("a sign-in that waits for an estimation does not delay others from the same client address", async () => {
  const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
  const [user, other] = [await app.signUp(), await app.signUp()];
  await verify(user);
  await invite(sharer, await createEstimation(sharer), user.email);
  const { waiting } = await inTransaction(app.pool, async (client) => {
    await client.query("select from estimations for update");
    const waiting = signIn(user);
    await until(() => isAnybodyWaiting(app.pool));
    expect((await signIn(other)).status).toBe(200);
    return { waiting };
  });
  expect((await waiting).status).toBe(200);
});

describe("the list of shares that are addressed to the caller", () => {
  it("has pending and accepted shares, newest first, without expired ones and those of deleted estimations", async () => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    await verify(user);
    const mine = () => app.request("GET", "/api/shares/me", { token: user.token });
    expect((await mine()).data).toEqual({ shares: [], nextCursor: null });
    const shares: string[] = [];
    const estimations: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const estimation = await createEstimation(sharer, `Number ${n}`);
      estimations.push(estimation);
      shares.push(String((await invite(sharer, estimation, user.email)).data.share?.id));
    }
    await accept(user, shares[0] ?? "");
    await app.pool.query("update shares set sent_at = sent_at - interval '31 days' where id = $1", [shares[1]]);
    await app.request("DELETE", `/api/estimations/${estimations[2]}`, { token: sharer.token });
    const { data, text } = await mine();
    expect(
      (data.shares as unknown as { estimationTitle: string; status: string }[]).map((one) => [
        one.estimationTitle,
        one.status,
      ]),
    ).toEqual([
      ["Number 3", "pending"],
      ["Number 0", "accepted"],
    ]);
    expect(text).not.toContain(sharer.email);
  });

  it("has only what waits, or only what was accepted, where that is asked for", async () => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    await verify(user);
    const share = async () => String((await invite(sharer, await createEstimation(sharer), user.email)).data.share?.id);
    const [pending, accepted] = [await share(), await share()];
    await app.request("POST", `/api/shares/${accepted}/accept`, { token: user.token });
    const list = async (query: string) => {
      const { data } = await app.request("GET", `/api/shares/me${query}`, { token: user.token });
      return (data.shares as unknown as { id: string }[]).map(({ id }) => id);
    };
    expect(await list("")).toEqual([accepted, pending]);
    expect(await list("?status=pending")).toEqual([pending]);
    expect(await list("?status=accepted")).toEqual([accepted]);
  });

  it("is read in pages, each share once, and refuses an invalid cursor", async () => {
    const sharer = { ...owner, token: String((await signIn(owner)).data.token) };
    const user = await app.signUp();
    await verify(user);
    const shares: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { data } = await invite(sharer, await createEstimation(sharer), user.email);
      shares.unshift(String(data.share?.id));
    }
    const page = (query: string) => app.request("GET", `/api/shares/me?limit=2${query}`, { token: user.token });
    const seen: string[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { data } = await page(cursor && `&cursor=${cursor}`);
      seen.push((data.shares as unknown as { id: string }[]).map(({ id }) => id));
      cursor = data.nextCursor === null ? null : String(data.nextCursor);
      // Shares that arrive meanwhile come before the first page.
      if (seen.length === 1) await invite(sharer, await createEstimation(sharer), user.email);
    }
    expect(seen).toEqual([shares.slice(0, 2), shares.slice(2, 4), shares.slice(4)]);
    expect((await page("&cursor=x")).status).toBe(400);
  });

  it("is refused while the address is not verified: it may be anybody's", async () => {
    const user = await app.signUp();
    const { status, body } = await app.request("GET", "/api/shares/me", { token: user.token });
    expect([status, body.message, body.details]).toEqual([403, "forbidden", { reason: "email_not_verified" }]);
  });
});
