import { describe, expect, it, test } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ config: { invitationsPerHour: 1_000 } });
const { accept, invite, remove, share, read, createEstimation, listShares } = createScene(app);
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
  it("ends access with the next request, by session and by key, to read and to write", async () => {
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
    await changesNothing(app, async () => {
      for (const token of tokens) {
        expect((await read({ token }, estimation)).status).toBe(404);
        expect((await generate(token, estimation)).status).toBe(404);
        expect(await lists(token, estimation)).toBe(false);
      }
      expect((await remove(owner, id)).status).toBe(404);
    });
    expect((await listShares(owner, estimation)).shares).toEqual([]);
  });

  it("ends what the user's webhooks are told, and a lower permission leaves it", async () => {
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

  it("is not accepted any more by the link", async () => {
    const user = await app.signUp();
    const estimation = await createEstimation(owner);
    const { data } = await invite(owner, estimation, user.email);
    await remove(owner, String(data.share?.id));
    expect((await accept(user, String(data.share?.id))).status).toBe(404);
    expect((await read(user, estimation)).status).toBe(404);
  });
});

test("shares are the owner's: to readers forbidden, and to everybody else not there", async () => {
  const [editor, viewer, invited, stranger] = [
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
    await app.signUp(),
  ];
  const estimation = await createEstimation(owner);
  const ids = [await share(owner, estimation, editor, "edit"), await share(owner, estimation, viewer, "view")];
  const pending = String((await invite(owner, estimation, invited.email)).data.share?.id);
  await changesNothing(app, async () => {
    for (const [user, status] of [
      [editor, 403],
      [viewer, 403],
      [invited, 404],
      [stranger, 404],
    ] as const) {
      for (const id of [...ids, pending]) expect((await remove(user, id)).status).toBe(status);
      expect((await invite(user, estimation, "x@example.com")).status).toBe(status);
      const { token } = user;
      expect((await app.request("GET", `/api/estimations/${estimation}/shares`, { token })).status).toBe(status);
    }
  });
});
