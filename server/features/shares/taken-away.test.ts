import { describe, expect, it, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { invitationsPerHour: 1_000 } });
const { accept, invite, remove, share, read, listen, toldOf, createEstimation, listShares } = createScene(app);
const owner = await app.signUp();

const generate = (token: string, estimation: string) =>
  app.request("POST", `/api/estimations/${estimation}/tasks/generate`, { token });
const lists = async (token: string, estimation: string) =>
  (await app.request("GET", "/api/estimations?q=checkout", { token })).text.includes(estimation);
const deliveriesTo = async ({ userId }: TestUser) =>
  (
    await app.pool.query(
      "select from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.user_id = $1",
      [userId],
    )
  ).rowCount;

describe("a share that is taken away", () => {
  it("ends access from the next request on, by session and by key, to read and to write", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(owner);
    const id = await share(owner, estimation, user, "edit");
    const tokens = [
      user.token,
      await app.makeKey(user, ["admin"]),
      await app.makeKey(user, ["estimations:read", "tasks:write"]),
    ];
    for (const token of tokens) {
      expect((await read({ token }, estimation)).status).toBe(200);
      expect((await generate(token, estimation)).status).toBe(200);
      expect(await lists(token, estimation)).toBe(true);
    }
    const { status, data } = await remove(owner, id);
    expect([status, data.share?.id, data.share?.status]).toEqual([200, id, "accepted"]);
    for (const token of tokens) {
      expect((await read({ token }, estimation)).status).toBe(404);
      expect((await generate(token, estimation)).status).toBe(404);
      expect(await lists(token, estimation)).toBe(false);
    }
    expect((await remove(owner, id)).status).toBe(404);
    expect((await listShares(owner, estimation)).shares).toEqual([]);
  });

  it("ends the events to the user's webhooks; a lower permission does not", async () => {
    const user = await app.signUp();
    const body = { url: "https://hooks.example.com", events: ["estimation.tasks_generated"] };
    await app.request("POST", "/api/webhooks", { token: user.token, body });
    const estimation = await createEstimation(owner);
    const id = await share(owner, estimation, user, "edit");
    await generate(owner.token, estimation);
    expect(await deliveriesTo(user)).toBe(1);
    await invite(owner, estimation, user.email, "view");
    expect((await generate(user.token, estimation)).status).toBe(403);
    await generate(owner.token, estimation);
    expect(await deliveriesTo(user)).toBe(2);
    await remove(owner, id);
    await generate(owner.token, estimation);
    expect(await deliveriesTo(user)).toBe(2);
  });

  it("can no longer be accepted by the link", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(owner);
    const { data } = await invite(owner, estimation, user.email);
    await remove(owner, String(data.share?.id));
    expect((await accept(user, String(data.share?.id))).status).toBe(404);
    expect((await read(user, estimation)).status).toBe(404);
  });
});

test("only the owner manages shares: readers get 403, other users 404", async () => {
  const [editor, viewer, invited, stranger] = [
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
  ];
  const estimation = await createEstimation(owner);
  const ofEditor = await share(owner, estimation, editor, "edit");
  const ofViewer = await share(owner, estimation, viewer, "view");
  const pending = String((await invite(owner, estimation, invited.email)).data.share?.id);
  for (const [user, status, others] of [
    [editor, 403, [ofViewer, pending]],
    [viewer, 403, [ofEditor, pending]],
    [invited, 404, [ofEditor, ofViewer]],
    [stranger, 404, [ofEditor, ofViewer, pending]],
  ] as const) {
    for (const id of others) expect((await remove(user, id)).status).toBe(status);
    expect((await invite(user, estimation, "x@example.com")).status).toBe(status);
    const { token } = user;
    expect((await app.request("GET", `/api/estimations/${estimation}/shares`, { token })).status).toBe(status);
  }
});

describe("the person whom an estimation is shared with", () => {
  it("can leave it, by a session or a key with the scope, without an event, and be invited again", async () => {
    const user = await app.signUp();
    await listen(user);
    const estimation = await createEstimation(owner);
    for (const token of [user.token, await app.makeKey(user, ["shares:manage"])]) {
      const id = await share(owner, estimation, user, "edit");
      const events = (await toldOf(estimation)).length;
      const { status, data } = await remove({ ...user, token }, id);
      expect([status, data.share?.id]).toEqual([200, id]);
      expect((await read(user, estimation)).status).toBe(404);
      expect(await lists(user.token, estimation)).toBe(false);
      expect((await listShares(owner, estimation)).shares).toEqual([]);
      expect(await toldOf(estimation)).toHaveLength(events);
      await expect((await remove(user, id)).status).toBe(404);
    }
    const key = await app.makeKey(user, ["estimations:write"]);
    const id = await share(owner, estimation, user, "edit");
    expect((await remove({ ...user, token: key }, id)).status).toBe(403);
    expect((await read(user, estimation)).status).toBe(200);
  });

  it("declines an invitation, which then cannot be accepted", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(owner);
    const id = String((await invite(owner, estimation, user.email)).data.share?.id);
    const { status, data } = await remove(user, id);
    expect([status, data.share?.status]).toEqual([200, "pending"]);
    expect((await accept(user, id)).status).toBe(404);
    expect((await read(user, estimation)).status).toBe(404);
  });

  it("cannot decline with an unverified address, which may be another person's", async () => {
    const mailing = await start({ config: { smtpUrl: "smtp://127.0.0.1:1" } });
    const scene = createScene(mailing);
    const [sharer, user] = [await mailing.signUp(), await mailing.signUp()];
    await scene.verify(sharer);
    const estimation = await scene.createEstimation(sharer);
    const id = String((await scene.invite(sharer, estimation, user.email)).data.share?.id);
    await expect((await scene.remove(user, id)).status).toBe(404);
    await scene.verify(user);
    expect((await scene.remove(user, id)).status).toBe(200);
  });

  it("leaves once, even if twenty requests and the owner's deletion come at the same time", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(owner);
    const id = await share(owner, estimation, user, "view");
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => remove(n % 2 ? owner : user, id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(404)]);
    expect((await read(user, estimation)).status).toBe(404);
    expect((await read(owner, estimation)).status).toBe(200);
  });
});

test("a reader's cached response is stale once their level changes, and its tag still names the revision", async () => {
  const user = await app.signUp();
  const estimation = await createEstimation(owner);
  await share(owner, estimation, user, "edit");
  const path = `/api/estimations/${estimation}`;
  const has = (tag: string, { token }: TestUser = user) =>
    app.request("GET", path, { token, headers: { "if-none-match": tag } });
  const first = await read(user, estimation);
  const tag = String(first.headers.get("etag"));
  expect(tag).toBe(`"${first.data.estimation?.revision}-editor"`);
  expect((await has(tag)).status).toBe(304);
  expect((await has(`W/${tag.slice(0, -1)}-gzip"`)).status).toBe(304);
  await invite(owner, estimation, user.email, "view");
  const lower = await has(tag);
  expect([lower.status, lower.data.estimation?.access]).toEqual([200, "viewer"]);
  await invite(owner, estimation, user.email, "edit");
  const write = (ifMatch: string) =>
    app.request("PATCH", path, { token: user.token, body: { title: "New" }, headers: { "if-match": ifMatch } });
  expect((await write(tag)).status).toBe(200);
  expect((await write(tag)).status).toBe(412);
  const own = String((await read(owner, estimation)).headers.get("etag"));
  expect(own).toMatch(/^"\d+"$/);
  expect((await has(own, owner)).status).toBe(304);
});
