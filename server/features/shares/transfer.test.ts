import { describe, expect, it, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { accountTexts } from "../estimations/index.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { invitationsPerHour: 1_000 } });
const { accept, invite, remove, share, read, transfer, listen, toldOf, createEstimation, listShares } =
  createScene(app);
const STEP = 64 * 1024;

async function twoPeople() {
  const [owner, editor] = [await app.signUp(), await app.signUp()];
  const estimation = await createEstimation(owner);
  await share(owner, estimation, editor, "edit");
  return { owner, editor, estimation };
}

const usageOf = async ({ userId }: TestUser) => {
  const { rows } = await app.pool.query(
    `select estimations, tree_steps as steps, version_bytes > 0 as "hasVersions" from estimation_usage where owner_id = $1`,
    [userId],
  );
  return rows[0] ?? { estimations: 0, steps: 0, hasVersions: false };
};

const largeTree = {
  nodes: [{ title: "n", kind: "group", options: [1, 2].map(() => ({ title: "o", description: "𝄞".repeat(10_000) })) }],
};

describe("a transfer", () => {
  it("makes the editor the owner and the owner an editor by an accepted share, as a new revision", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const before = (await read(owner, estimation)).data.estimation;
    await app.clock.advance(1_000);
    const { status, data, headers } = await transfer(owner, estimation, editor.userId);
    const revision = Number(before?.revision) + 1;
    expect(status).toBe(200);
    expect(data.estimation).toEqual({
      ...before,
      ownerId: editor.userId,
      access: "editor",
      revision,
      updatedAt: app.clock.now().toISOString(),
    });
    expect(headers.get("etag")).toBe(`"${revision}"`);
    expect((await read(editor, estimation)).data.estimation?.access).toBe("owner");
    const { shares } = await listShares(editor, estimation);
    expect(shares).toEqual([
      expect.objectContaining({ email: owner.email, permission: "edit", status: "accepted", userId: owner.userId }),
    ]);
    for (const [user, access] of [
      [owner, "editor"],
      [editor, "owner"],
    ] as const) {
      const list = await app.request("GET", `/api/estimations?access=${access}`, { token: user.token });
      expect(list.text).toContain(estimation);
      // A list names those whom its estimations belong to, but not its reader.
      expect(list.data.owners).toEqual(access === "owner" ? [] : [{ id: editor.userId, name: expect.any(String) }]);
    }
  });

  it("can be reversed, and the new owner can remove the former owner's access", async () => {
    const { owner, editor, estimation } = await twoPeople();
    await transfer(owner, estimation, editor.userId);
    expect((await transfer(editor, estimation, owner.userId)).status).toBe(200);
    expect((await read(owner, estimation)).data.estimation?.access).toBe("owner");
    expect((await read(editor, estimation)).data.estimation?.access).toBe("editor");
    await transfer(owner, estimation, editor.userId);
    const { shares } = await listShares(editor, estimation);
    await remove(editor, String(shares?.[0]?.id));
    expect((await read(owner, estimation)).status).toBe(404);
  });

  it("keeps pending invitations, which the new owner can then delete", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const invited = await app.signUp();
    const pending = String((await invite(owner, estimation, invited.email)).data.share?.id);
    await transfer(owner, estimation, editor.userId);
    expect((await remove(owner, pending)).status).toBe(403);
    expect((await accept(invited, pending)).status).toBe(200);
    expect((await remove(editor, pending)).status).toBe(200);
  });

  it("sends events about shares to the new owner from then on, and no longer to the former one", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const [before, after] = [await app.signUp(), await app.signUp()];
    const pending = String((await invite(owner, estimation, before.email)).data.share?.id);
    for (const user of [owner, editor]) await listen(user);
    await transfer(owner, estimation, editor.userId);
    expect((await accept(before, pending)).status).toBe(200);
    expect((await invite(editor, estimation, after.email)).status).toBe(201);
    expect((await toldOf(estimation)).map(({ name, receivers }) => [name, receivers])).toEqual([
      ["share.accepted", [editor.userId]],
      ["share.invited", [editor.userId]],
    ]);
  });

  it("happens before a deletion at the same moment, or gets 404", async () => {
    for (let n = 0; n < 5; n += 1) {
      const { owner, editor, estimation } = await twoPeople();
      const [moved, deleted] = await Promise.all([
        transfer(owner, estimation, editor.userId),
        app.request("DELETE", `/api/estimations/${estimation}`, { token: owner.token }),
      ]);
      // The former owner has no right to delete.
      expect([
        [200, 403],
        [404, 200],
      ]).toContainEqual([moved.status, deleted.status]);
      const counted = [(await usageOf(owner)).estimations, (await usageOf(editor)).estimations];
      expect(counted).toEqual(moved.status === 200 ? [0, 1] : [0, 0]);
      expect((await read(editor, estimation)).status).toBe(moved.status);
    }
  });

  it("moves what counts against the quotas, even between two people at the same time", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const theirs = await createEstimation(editor);
    await share(editor, theirs, owner, "edit");
    const { token } = owner;
    await app.request("PUT", `/api/estimations/${estimation}/tree`, { token, body: largeTree });
    await app.request("POST", `/api/estimations/${estimation}/versions`, { token, body: {} });
    expect([await usageOf(owner), await usageOf(editor)]).toEqual([
      { estimations: 1, steps: 2, hasVersions: true },
      { estimations: 1, steps: 0, hasVersions: false },
    ]);
    const responses = await Promise.all([
      transfer(owner, estimation, editor.userId),
      transfer(editor, theirs, owner.userId),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect([await usageOf(owner), await usageOf(editor)]).toEqual([
      { estimations: 1, steps: 0, hasVersions: false },
      { estimations: 1, steps: 2, hasVersions: true },
    ]);
  });

  it("happens once if it is requested twenty times at once", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const responses = await Promise.all(Array.from({ length: 20 }, () => transfer(owner, estimation, editor.userId)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(403)]);
    expect((await usageOf(editor)).estimations).toBe(1);
  });

  it("repeated under its Idempotency-Key returns the same, although the caller is no longer the owner", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const send = (body: object, token = owner.token) =>
      app.request("POST", `/api/estimations/${estimation}/transfer`, {
        token,
        body,
        headers: { "idempotency-key": estimation },
      });
    const first = await send({ userId: editor.userId });
    await changesNothing(app, async () => {
      const second = await send({ userId: editor.userId });
      expect([second.status, second.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
      expect(second.text).toBe(first.text);
      // The key is the caller's own, whatever the caller may do by now.
      expect((await send({ userId: owner.userId })).body.message).toBe("idempotency_key_reused");
    });
    await app.clock.advance(24 * 3_600_000);
    const { data } = await app.request("POST", "/api/auth/login", {
      body: { email: owner.email, password: owner.password },
    });
    await expect((await send({ userId: editor.userId }, String(data.token))).status).toBe(403);
  });

  it("is refused with a stale If-Match", async () => {
    const { owner, editor, estimation } = await twoPeople();
    const { status } = await app.request("POST", `/api/estimations/${estimation}/transfer`, {
      token: owner.token,
      body: { userId: editor.userId },
      headers: { "if-match": '"7"' },
    });
    expect(status).toBe(412);
  });
});

test("only an editor who has accepted can become the owner", async () => {
  const owner = await app.signUp();
  const [viewer, invited, stranger] = [await app.signUp(), await app.signUp(), await app.signUp()];
  const estimation = await createEstimation(owner);
  await share(owner, estimation, viewer, "view");
  await invite(owner, estimation, invited.email, "edit");
  for (const userId of [
    viewer.userId,
    invited.userId,
    stranger.userId,
    owner.userId,
    "usr_none",
    "",
    "x".repeat(100),
  ]) {
    const { status, body } = await transfer(owner, estimation, userId);
    expect([status, body.message, body.errors?.[0]?.path, body.errors?.[0]?.code], userId).toEqual([
      400,
      "validation_failed",
      "/userId",
      "not_allowed",
    ]);
  }
  for (const userId of [null, 7, {}, "x".repeat(10_000)])
    expect((await transfer(owner, estimation, userId)).status).toBe(400);
});

test("a transfer that fills more than half of the new owner's quota of estimations, trees, versions or texts changes nothing", async () => {
  const { owner, editor, estimation } = await twoPeople();
  await app.request("PUT", `/api/estimations/${estimation}/tree`, { token: owner.token, body: largeTree });
  await app.request("POST", `/api/estimations/${estimation}/versions`, { token: owner.token, body: {} });
  await app.pool.query(
    `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
     values ('msg_' || left(md5($1), 26), $1, 'thr_' || substr($1, 5), $2, repeat('x', $3), now())`,
    [estimation, owner.userId, 2 * STEP],
  );
  const { pool, quotas } = app.services;
  await accountTexts(pool, quotas, { id: estimation, ownerId: owner.userId, access: "owner" }, 2 * STEP);
  const [estimations = 0, treeBytes = 0, versionBytes = 0, textBytes = 0] = (
    ["estimations", "treeBytes", "versionBytes", "textBytes"] as const
  ).map((quota) => app.services.config.quotas[quota] / 2);
  const { rows } = await app.pool.query(
    "select version_bytes::float8 as bytes from estimation_usage where owner_id = $1",
    [owner.userId],
  );
  const set = (count: number, steps: number, bytes: number, textSteps: number) =>
    app.pool.query(
      `insert into estimation_usage (owner_id, estimations, tree_steps, version_bytes, text_steps)
       values ($1, $2, $3, $4, $5)
       on conflict (owner_id) do update
       set estimations = excluded.estimations, tree_steps = excluded.tree_steps, version_bytes = excluded.version_bytes,
         text_steps = excluded.text_steps`,
      [editor.userId, count, steps, bytes, textSteps],
    );
  for (const [count, steps, bytes, textSteps, quota, limit] of [
    [estimations, 0, 0, 0, "estimations", estimations],
    [0, treeBytes / STEP - 1, 0, 0, "treeBytes", treeBytes],
    [0, 0, versionBytes - rows[0].bytes + 1, 0, "versionBytes", versionBytes],
    [0, 0, 0, textBytes / STEP - 1, "textBytes", textBytes],
  ] as const) {
    await set(count, steps, bytes, textSteps);
    const { status, body } = await transfer(owner, estimation, editor.userId);
    expect([status, body.message, body.details]).toEqual([409, "limit_reached", { quota, limit }]);
  }
  await set(estimations - 1, treeBytes / STEP - 2, versionBytes - rows[0].bytes, textBytes / STEP - 2);
  expect((await transfer(owner, estimation, editor.userId)).status).toBe(200);
  const steps = await app.pool.query(
    "select owner_id, text_steps::int as steps from estimation_usage where owner_id = any ($1)",
    [[owner.userId, editor.userId]],
  );
  expect(new Map(steps.rows.map((row) => [row.owner_id, row.steps]))).toEqual(
    new Map([
      [owner.userId, 0],
      [editor.userId, textBytes / STEP],
    ]),
  );
});

test("whatever is transferred to a user, half of each quota is left for that user's own work", async () => {
  const quotas = { ...app.services.config.quotas, estimations: 1, textBytes: 4 * STEP };
  const small = await start({ config: { quotas } });
  const scene = createScene(small);
  const [owner, editor] = [await small.signUp(), await small.signUp()];
  const estimation = await scene.createEstimation(owner);
  await scene.share(owner, estimation, editor, "edit");
  // The half of an odd number is rounded up: one estimation can be transferred.
  expect((await scene.transfer(owner, estimation, editor.userId)).status).toBe(200);
  const next = await scene.createEstimation(owner);
  await scene.share(owner, next, editor, "edit");
  const { status, body } = await scene.transfer(owner, next, editor.userId);
  expect([status, body.details]).toEqual([409, { quota: "estimations", limit: 1 }]);
});

test("others fill at most half of an owner's quotas of trees, versions and texts, the owner all of them", async () => {
  const quotas = { ...app.services.config.quotas, treeBytes: 4 * STEP, versionBytes: 5 * STEP, textBytes: 4 * STEP };
  const small = await start({ config: { quotas, invitationsPerHour: 1_000 } });
  const scene = createScene(small);
  const [former, owner] = [await small.signUp(), await small.signUp()];
  const estimation = await scene.createEstimation(former);
  await scene.share(former, estimation, owner, "edit");
  expect((await scene.transfer(former, estimation, owner.userId)).status).toBe(200);
  const path = `/api/estimations/${estimation}`;
  const treeOf = (steps: number) => {
    const option = { title: "o", description: "x".repeat(9_000) };
    const options = Array.from({ length: (steps * STEP) / 10_000 }, () => option);
    return { nodes: [{ title: `${steps}`, kind: "group", options }] };
  };
  const put = ({ token }: TestUser, steps: number) =>
    small.request("PUT", `${path}/tree`, { token, body: treeOf(steps) });
  const pin = ({ token }: TestUser) => small.request("POST", `${path}/versions`, { token, body: {} });
  const refused = async (quota: "treeBytes" | "versionBytes" | "textBytes", limit: number, sent: Promise<Replied>) => {
    const { status, body } = await sent;
    expect([status, body.message, body.details]).toEqual([409, "limit_reached", { quota, limit }]);
  };
  type Replied = Awaited<ReturnType<typeof put>>;

  expect((await put(former, 2)).status).toBe(200);
  await refused("treeBytes", 2 * STEP, put(former, 3));
  expect((await put(owner, 4)).status).toBe(200);
  await refused("treeBytes", 4 * STEP, put(owner, 5));
  expect((await put(former, 1)).status, "less than before").toBe(200);

  // A tenth is left for submitting.
  const most = (part: number) => Math.floor(part * 0.9);
  for (const steps of [1, 2]) {
    expect((await put(owner, steps)).status).toBe(200);
    if (steps === 1) expect((await pin(former)).status).toBe(201);
    else await refused("versionBytes", most(2.5 * STEP), pin(former));
  }
  expect((await pin(owner)).status).toBe(201);

  await small.pool.query("update estimation_usage set text_steps = 3 where owner_id = $1", [owner.userId]);
  const { threads = [] } = (await small.request("GET", `${path}/threads`, { token: owner.token })).data;
  const write = ({ token }: TestUser) =>
    small.request("POST", `${path}/threads/${threads[0]?.id}/messages`, { token, body: { body: "m" } });
  await refused("textBytes", 2 * STEP, write(former));
  expect((await write(owner)).status).toBe(201);
});

test("deleting transferred estimations makes no room for more transfers, but leaves room for one's own", async () => {
  const quotas = { ...app.services.config.quotas, estimations: 4 };
  const small = await start({ config: { quotas, invitationsPerHour: 1_000 } });
  const scene = createScene(small);
  const [owner, editor] = [await small.signUp(), await small.signUp()];
  const handOver = async () => {
    const estimation = await scene.createEstimation(owner);
    await scene.share(owner, estimation, editor, "edit");
    const response = await scene.transfer(owner, estimation, editor.userId);
    const { token } = response.status === 200 ? editor : owner;
    await small.request("DELETE", `/api/estimations/${estimation}`, { token });
    return response;
  };
  for (let n = 0; n < 4; n += 1) expect((await handOver()).status).toBe(200);
  const { status, body } = await handOver();
  expect([status, body.details]).toEqual([409, { quota: "estimations", limit: 4 }]);
  for (let n = 0; n < 4; n += 1) await scene.createEstimation(editor);
});
