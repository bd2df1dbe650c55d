import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({
  config: { smtpUrl: "smtp://127.0.0.1:1", webUrl: "https://app.example.org", invitationsPerHour: 1_000 },
});
const { invite, accept, remove, resend, listShares, listen, toldOf, createEstimation, verify, read } = createScene(app);
const owner = await signUpVerified();
const fresh = () => `${randomUUID()}@example.com`;
const countMails = async () =>
  (await app.pool.query("select from job_leases where payload ->> 'kind' = 'share-invitation'")).rowCount;

async function signUpVerified(): Promise<TestUser> {
  const user = await app.signUp();
  await verify(user);
  return user;
}

describe("sharing with an address", () => {
  it("returns the share, lists it, sends one mail, and sends the hash of the address to the owner's webhooks", async () => {
    const estimation = await createEstimation(owner, "Größe 𝄞");
    await listen(owner);
    const email = `Ada.${randomUUID()}@Example.com`;
    const mails = (await countMails()) ?? 0;
    const { status, data, headers } = await invite(owner, estimation, ` ${email} `, "edit");
    expect(status).toBe(201);
    const now = app.clock.now();
    expect(data.share).toEqual({
      id: expect.stringMatching(/^shr_/),
      estimationId: estimation,
      estimationTitle: "Größe 𝄞",
      email: email.toLowerCase(),
      permission: "edit",
      status: "pending",
      team: null,
      userId: null,
      userName: null,
      sharerName: owner.email.split("@")[0],
      createdAt: now.toISOString(),
      sentAt: now.toISOString(),
      undeliveredAt: null,
      acceptedAt: null,
      expiresAt: new Date(now.getTime() + limits.invitationDays * 86_400_000).toISOString(),
    });
    expect(headers.get("location")).toBe(`/api/shares/${data.share?.id}`);
    expect(await listShares(owner, estimation)).toEqual({ shares: [data.share], nextCursor: null });
    expect(await countMails()).toBe(mails + 1);
    expect(await toldOf(estimation)).toEqual([
      {
        name: "share.invited",
        data: {
          shareId: data.share?.id,
          estimationId: estimation,
          sharerName: owner.email.split("@")[0],
          recipientEmailHash: createHash("sha256").update(email.toLowerCase()).digest("hex"),
          estimationTitle: "Größe 𝄞",
          estimationUrl: `https://app.example.org/estimations/${estimation}`,
        },
        receivers: [owner.userId],
      },
    ]);
    const stored = await app.pool.query(
      "select data::text from webhook_events union all select body from webhook_deliveries",
    );
    expect(JSON.stringify(stored.rows).toLowerCase()).not.toContain(email.toLowerCase());
  });

  it("again, or twenty times at once, returns the same share, with one mail and one event", async () => {
    const estimation = await createEstimation(owner);
    const email = fresh();
    const mails = (await countMails()) ?? 0;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => invite(owner, estimation, email.toUpperCase())),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(responses.map(({ data }) => data.share?.id)).size).toBe(1);
    await changesNothing(app, async () => expect((await invite(owner, estimation, email)).status).toBe(200));
    expect([await countMails(), (await toldOf(estimation)).length]).toEqual([mails + 1, 1]);
  });

  it("with another permission changes it at once, pending and accepted, without mail or event", async () => {
    const estimation = await createEstimation(owner);
    const user = await signUpVerified();
    const { data } = await invite(owner, estimation, user.email, "view");
    const mails = await countMails();
    expect((await invite(owner, estimation, user.email, "edit")).data.share?.permission).toBe("edit");
    await accept(user, String(data.share?.id));
    expect((await read(user, estimation)).data.estimation?.access).toBe("editor");
    const changed = await invite(owner, estimation, user.email, "view");
    expect([changed.status, changed.data.share?.status, changed.data.share?.permission]).toEqual([
      200,
      "accepted",
      "view",
    ]);
    expect((await read(user, estimation)).data.estimation?.access).toBe("viewer");
    expect(await countMails()).toBe(mails);
    expect((await toldOf(estimation)).filter(({ name }) => name === "share.invited")).toHaveLength(1);
  });

  it("repeated under its Idempotency-Key returns 201 again and does the work once", async () => {
    const estimation = await createEstimation(owner);
    const send = () =>
      app.request("POST", `/api/estimations/${estimation}/shares`, {
        token: owner.token,
        body: { email: "once@example.com", permission: "view" },
        headers: { "idempotency-key": estimation },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(second.text).toBe(first.text);
  });

  test.each([
    ["one's own address", () => owner.email, "view", "/email", "not_allowed"],
    ["one's own address in another spelling", () => ` ${owner.email.toUpperCase()} `, "view", "/email", "not_allowed"],
    ["an invalid address", () => "ada", "view", "/email", "wrong_format"],
    ["two addresses", () => "ada@example.com,b@example.com", "view", "/email", "wrong_format"],
    ["an address with an invisible character", () => "a\u200bda@example.com", "view", "/email", "wrong_format"],
    ["10,000 characters", () => `${"a".repeat(10_000)}@example.com`, "view", "/email", "too_long"],
    ["an unknown permission", () => "ada@example.com", "own", "/permission", "not_one_of"],
    ["a permission in capitals", () => "ada@example.com", "VIEW", "/permission", "not_one_of"],
    ["no permission", () => "ada@example.com", null, "/permission", "wrong_type"],
  ])("with %s is refused and changes nothing", async (_, email, permission, path, code) => {
    const estimation = await createEstimation(owner);
    const { status, body } = await invite(owner, estimation, email(), permission as string);
    expect([status, body.message, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([
      400,
      "validation_failed",
      path,
      code,
    ]);
  });

  it("is refused to an owner whose address is not verified, who can still list and delete", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(user);
    await verify(user);
    const { data } = await invite(user, estimation, fresh());
    await app.pool.query("update users set email_verified_at = null where id = $1", [user.userId]);
    const share = String(data.share?.id);
    for (const send of [() => invite(user, estimation, fresh()), () => resend(user, estimation, share)]) {
      const { status, body } = await send();
      expect([status, body.message, body.details]).toEqual([403, "forbidden", { reason: "email_not_verified" }]);
    }
    expect((await listShares(user, estimation)).shares).toHaveLength(1);
    expect((await remove(user, share)).status).toBe(200);
  });

  it("is refused beyond the limit of shares of an estimation, except for addresses that have one already", async () => {
    const estimation = await createEstimation(owner);
    await app.pool.query(
      `insert into shares (id, estimation_id, email, permission, sharer_id, created_at, sent_at)
       select 'shr_' || left(md5($1 || n), 26), $1, n || '@example.org', 'view', $2, now(), now() from generate_series(1, $3::int) n`,
      [estimation, owner.userId, limits.sharesPerEstimation - 1],
    );
    expect((await invite(owner, estimation, fresh())).status).toBe(201);
    const refused = await invite(owner, estimation, fresh());
    const details = { quota: "sharesPerEstimation", limit: limits.sharesPerEstimation };
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([409, "limit_reached", details]);
    expect((await invite(owner, estimation, "1@example.org", "edit")).status).toBe(200);
  });
});

describe("the list of an estimation's shares", () => {
  it("is newest first, page by page", async () => {
    const estimation = await createEstimation(owner);
    const made: string[] = [];
    for (let n = 0; n < 5; n += 1) made.unshift(String((await invite(owner, estimation, fresh())).data.share?.id));
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const path: string = `/api/estimations/${estimation}/shares?limit=2${cursor && `&cursor=${cursor}`}`;
      const { data } = await app.request("GET", path, { token: owner.token });
      seen.push(...(data.shares as unknown as { id: string }[]).map(({ id }) => id));
      cursor = data.nextCursor as unknown as string | null;
    }
    expect(seen).toEqual(made);
  });
});

describe("sending an invitation again", () => {
  it("renews it from now on, even if it had expired, with a mail and without an event", async () => {
    const estimation = await createEstimation(owner);
    const { data } = await invite(owner, estimation, fresh());
    const share = String(data.share?.id);
    await app.pool.query("update shares set sent_at = sent_at - interval '31 days' where id = $1", [share]);
    expect((await listShares(owner, estimation)).shares?.[0]?.status).toBe("expired");
    const mails = (await countMails()) ?? 0;
    const again = await resend(owner, estimation, share);
    const sentAt = app.clock.now().toISOString();
    expect([again.status, again.data.share?.status, again.data.share?.sentAt]).toEqual([202, "pending", sentAt]);
    expect([await countMails(), (await toldOf(estimation)).length]).toEqual([mails + 1, 1]);
  });

  it("is refused once it was accepted, and gets 404 below another estimation", async () => {
    const [estimation, other] = [await createEstimation(owner), await createEstimation(owner)];
    const user = await signUpVerified();
    const share = String((await invite(owner, estimation, user.email)).data.share?.id);
    expect((await resend(owner, other, share)).status).toBe(404);
    await accept(user, share);
    const refused = await resend(owner, estimation, share);
    expect([refused.status, refused.body.message]).toEqual([409, "invitation_accepted"]);
  });
});
