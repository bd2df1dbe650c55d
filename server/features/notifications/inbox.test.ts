import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestUser, until } from "../../../tests/harness.ts";
import { removeNotifications } from "./index.ts";

// Where mails are sent, addresses are proved.
const app = await start({ config: { smtpUrl: "smtp://127.0.0.1:1", mailFrom: "no-reply@example.org" } });

const verified = async (): Promise<TestUser> => {
  const user = await app.signUp();
  await app.pool.query("update users set email_verified_at = now() where id = $1", [user.userId]);
  return user;
};
const call = async (by: TestUser, method: string, path: string, body?: object) => {
  const response = await app.request(method, path, { token: by.token, ...(body && { body }) });
  if (response.status >= 400) throw new Error(`${method} ${path}: ${response.text}`);
  return response.data;
};
const list = async (by: TestUser, query = "") => {
  const data = await call(by, "GET", `/api/notifications${query}`);
  return { unread: Number(data.unread), rows: data.notifications as unknown as readonly Json[], next: data.nextCursor };
};
const kindsOf = async (by: TestUser) => (await list(by)).rows.map(({ kind }) => String(kind));
const readAll = async (by: TestUser) =>
  call(by, "POST", "/api/notifications/read", { upTo: (await list(by)).rows[0]?.id });
const nameOf = ({ email }: TestUser) => email.split("@")[0];

async function scene() {
  const [owner, friend] = [await verified(), await verified()];
  const { estimation } = await call(owner, "POST", "/api/estimations", { title: "Shop" });
  const id = String(estimation?.id);
  return { owner, friend, id, path: `/api/estimations/${id}` };
}

test("who is invited is told, whether to an estimation or to a team; an address that is not verified is nobody's", async () => {
  const { owner, friend, id, path } = await scene();
  const { share } = await call(owner, "POST", `${path}/shares`, { email: friend.email, permission: "view" });
  const { team } = await call(owner, "POST", "/api/teams", { name: "Web team" });
  await call(owner, "POST", `/api/teams/${team?.id}/invitations`, { email: friend.email, role: "member" });
  const { unread, rows } = await list(friend);
  expect(unread).toBe(2);
  const person = { id: owner.userId, name: nameOf(owner) };
  expect(rows).toMatchObject([
    { kind: "team.invited", person, estimation: null, team: { id: team?.id, name: "Web team" }, readAt: null },
    { kind: "share.invited", person, estimation: { id, title: "Shop" }, team: null, subject: { shareId: share?.id } },
  ]);
  const stranger = await app.signUp();
  await call(owner, "POST", `${path}/shares`, { email: stranger.email, permission: "view" });
  expect(await list(stranger)).toMatchObject({ unread: 0, rows: [] });
});

test("a review, its decision, comments and replies are told to those they concern, and to nobody else", async () => {
  const { owner, friend, id, path } = await scene();
  const { review } = await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  const reviewId = String(review?.id);
  expect((await list(friend)).rows).toMatchObject([
    { kind: "review.requested", estimation: { id, title: "Shop" }, subject: { reviewId } },
  ]);
  const comments = `${path}/reviews/${reviewId}/comments`;
  const { comment } = await call(friend, "POST", comments, { body: "Why?" });
  expect((await list(owner)).rows).toMatchObject([
    { kind: "review.commented", person: { id: friend.userId }, subject: { reviewId, commentId: comment?.id } },
  ]);
  await call(owner, "POST", comments, { body: "Because.", parentId: comment?.id });
  await call(friend, "POST", `${path}/reviews/${reviewId}/approve`, {});
  expect(await kindsOf(owner)).toEqual(["review.approved", "review.commented"]);
  expect(await kindsOf(friend)).toEqual(["review.commented", "review.requested"]);
});

test("a message in a thread is told to the owner and to who wrote there, as far as they may read it, once while it is not read", async () => {
  const { owner, friend, id, path } = await scene();
  const [quiet, former] = [await verified(), await verified()];
  const shares = [];
  for (const reader of [friend, quiet, former]) {
    const { share } = await call(owner, "POST", `${path}/shares`, { email: reader.email, permission: "view" });
    await call(reader, "POST", `/api/shares/${share?.id}/accept`);
    await readAll(reader);
    shares.push(share?.id);
  }
  const { version } = await call(owner, "POST", `${path}/versions`, {});
  const { threads } = await call(owner, "GET", `${path}/threads`);
  const threadId = String(threads?.[0]?.id);
  const write = async (by: TestUser, thread = threadId) =>
    (await call(by, "POST", `${path}/threads/${thread}/messages`, { body: "Why?" })).message?.id;
  await write(former);
  await call(owner, "DELETE", `/api/shares/${shares[2]}`);
  await write(friend);
  const messageId = await write(friend);
  const told = { kind: "thread.commented", estimation: { id, title: "Shop" }, subject: { threadId, messageId } };
  expect((await list(owner)).rows).toMatchObject([
    { ...told, person: { id: friend.userId }, readAt: null },
    { kind: "thread.commented", person: { id: former.userId } },
  ]);
  await readAll(owner);
  await write(owner);
  expect(await list(friend)).toMatchObject({ unread: 1, rows: [{ ...told, subject: { threadId } }, {}] });
  const { thread } = await call(owner, "POST", `${path}/threads`, { title: "Client B", baseVersionId: version?.id });
  await write(owner, String(thread?.id));
  expect([(await list(friend)).unread, (await list(quiet)).unread, (await list(former)).unread]).toEqual([1, 0, 0]);
  await write(friend, String(thread?.id));
  await write(friend);
  expect((await list(owner)).unread).toBe(2);
});

test("who wrote in a thread long ago is not told of its messages any more", async () => {
  const { owner, friend, id, path } = await scene();
  const { share } = await call(owner, "POST", `${path}/shares`, { email: friend.email, permission: "view" });
  await call(friend, "POST", `/api/shares/${share?.id}/accept`);
  const threadId = String((await call(owner, "GET", `${path}/threads`)).threads?.[0]?.id);
  const write = (by: TestUser) => call(by, "POST", `${path}/threads/${threadId}/messages`, { body: "x" });
  await write(friend);
  const fill = (from: number, to: number) =>
    app.pool.query(
      `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
       select 'msg_' || lpad(n::text, 26, 'Z'), $1, $2, $3, 'x', now() from generate_series($4::int, $5::int) n`,
      [id, threadId, owner.userId, from, to],
    );
  // With the new one, the friend's is the last of the latest, and then it is not.
  await fill(1001, 1098);
  await readAll(friend);
  await write(owner);
  expect((await list(friend)).unread).toBe(1);
  await readAll(friend);
  await write(owner);
  expect((await list(friend)).unread).toBe(0);
});

test("the end of an export is told to who began it", async () => {
  const { owner, path } = await scene();
  const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Server", hours: 8 }] }];
  await call(owner, "PUT", `${path}/tree`, { nodes });
  await call(owner, "POST", `${path}/tasks/generate`);
  const { connection } = await call(owner, "POST", "/api/connections", { target: "github", name: "x", token: "ghp_x" });
  const begin = (more = {}) =>
    call(owner, "POST", `${path}/tasks/export`, {
      ...{ target: "github", connectionId: connection?.id, repository: "acme/shop", ...more },
    });
  const exportId = String((await begin()).export?.id);
  const { endRun } = await import("../exports/end.ts");
  const end = (run: string) =>
    app.services.pool.transaction((tx) => endRun(app.services, tx, run, "done", app.clock.now()));
  await end(exportId);
  const { rows } = await list(owner);
  expect(rows).toMatchObject([{ kind: "export.ended", person: null, subject: { exportId } }]);
  await end(String((await begin({ dryRun: true })).export?.id));
  expect(await kindsOf(owner)).toHaveLength(1);
});

test("what may not be seen any more is not named", async () => {
  const { owner, friend, path } = await scene();
  const { share } = await call(owner, "POST", `${path}/shares`, { email: friend.email, permission: "view" });
  await call(friend, "POST", `/api/shares/${share?.id}/accept`);
  expect((await list(friend)).rows[0]?.estimation).toMatchObject({ title: "Shop" });
  await call(owner, "PATCH", path, { title: "Secret" });
  expect((await list(friend)).rows[0]?.estimation).toMatchObject({ title: "Secret" });
  await call(owner, "DELETE", `/api/shares/${share?.id}`);
  const after = await app.request("GET", "/api/notifications", { token: friend.token });
  expect(after.data.notifications?.[0]?.estimation).toBe(null);
  expect(after.text).not.toContain("Secret");
  // Nor once an invitation is withdrawn, or has expired.
  const again = await call(owner, "POST", `${path}/shares`, { email: friend.email, permission: "view" });
  const { team } = await call(owner, "POST", "/api/teams", { name: "Hidden team" });
  await call(owner, "POST", `/api/teams/${team?.id}/invitations`, { email: friend.email, role: "member" });
  expect((await app.request("GET", "/api/notifications", { token: friend.token })).text).toMatch(
    /Hidden team.*Secret/s,
  );
  for (const table of ["shares", "team_invitations"])
    await app.pool.query(`update ${table} set sent_at = sent_at - interval '31 days'`);
  const expired = (await app.request("GET", "/api/notifications", { token: friend.token })).text;
  expect(expired).not.toMatch(/Secret|Hidden team/);
  expect(again.share).toBeDefined();
});

test("notifications are marked as read by name and up to one, and only one's own", async () => {
  const { owner, friend, path } = await scene();
  await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  for (let count = 0; count < 3; count += 1) {
    const { estimation } = await call(owner, "POST", "/api/estimations", { title: `Shop ${count}` });
    await call(owner, "POST", `/api/estimations/${estimation?.id}/reviews`, { reviewerId: friend.userId });
  }
  const { rows } = await list(friend);
  const [newest, second] = rows.map(({ id }) => String(id));
  expect(await call(owner, "POST", "/api/notifications/read", { ids: [newest] })).toEqual({ unread: 0 });
  expect(await call(friend, "POST", "/api/notifications/read", {})).toEqual({ unread: 4 });
  expect(await call(friend, "POST", "/api/notifications/read", { ids: [newest, "ntf_x"] })).toEqual({ unread: 3 });
  expect((await list(friend)).rows[0]?.readAt).toBe(app.clock.now().toISOString());
  expect(await call(friend, "POST", "/api/notifications/read", { upTo: second })).toEqual({ unread: 0 });
  const pages = await list(friend, "?limit=3");
  expect(pages.rows).toHaveLength(3);
  expect((await list(friend, `?limit=3&cursor=${pages.next}`)).rows).toHaveLength(1);
  const ids = (count: number) => ({ ids: Array(count).fill(newest) });
  const mark = (count: number) =>
    app.request("POST", "/api/notifications/read", { token: friend.token, body: ids(count) });
  expect((await mark(limits.pageSizeMax)).status).toBe(200);
  expect((await mark(limits.pageSizeMax + 1)).status).toBe(400);
});

test("a comment takes the place of one that was not read, of the same person on the same review only", async () => {
  const { owner, friend, path } = await scene();
  const other = await verified();
  const { share } = await call(owner, "POST", `${path}/shares`, { email: other.email, permission: "edit" });
  await call(other, "POST", `/api/shares/${share?.id}/accept`);
  const { review } = await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  const comment = (by: TestUser) => call(by, "POST", `${path}/reviews/${review?.id}/comments`, { body: "x" });
  await comment(owner);
  await comment(other);
  const last = await comment(owner);
  expect(await kindsOf(friend)).toEqual(["review.commented", "review.commented", "review.requested"]);
  expect((await list(friend)).rows).toMatchObject([
    { person: { id: owner.userId }, subject: { commentId: last.comment?.id } },
    { person: { id: other.userId } },
    {},
  ]);
  await readAll(friend);
  await comment(owner);
  expect(await kindsOf(friend)).toHaveLength(4);
});

test("of one person only so many are kept, the newest, and those of others stay", async () => {
  const { owner, friend, path } = await scene();
  const other = await verified();
  const { review } = await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  const add = (by: TestUser, from: number, to: number) =>
    app.pool.query(
      `insert into notifications (id, user_id, actor_id, kind, subject, created_at)
       select 'ntf_' || lpad(n::text || right($1, 8), 26, '0'), $1, $2, 'export.ended', '{}', $5
       from generate_series($3::int, $4::int) n`,
      [friend.userId, by.userId, from, to, app.clock.now()],
    );
  await add(other, 1, 1);
  await add(owner, 2, limits.notificationsFromOne - 1);
  const count = async (by: TestUser) => {
    const of = "select from notifications where user_id = $1 and actor_id = $2";
    return (await app.pool.query(of, [friend.userId, by.userId])).rowCount;
  };
  const comment = () => call(owner, "POST", `${path}/reviews/${review?.id}/comments`, { body: "More" });
  await comment();
  expect(await count(owner)).toBe(limits.notificationsFromOne);
  await readAll(friend);
  await comment();
  expect(await count(owner)).toBe(limits.notificationsFromOne);
  expect(await count(other)).toBe(1);
  expect((await list(friend)).rows[0]).toMatchObject({ kind: "review.commented", readAt: null });
});

test("who has lost the access is not told of comments any more, nor who did what it was told of", async () => {
  const { owner, friend, path } = await scene();
  const former = await verified();
  const { share } = await call(owner, "POST", `${path}/shares`, { email: former.email, permission: "edit" });
  await call(former, "POST", `/api/shares/${share?.id}/accept`);
  const { review } = await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  const comments = `${path}/reviews/${review?.id}/comments`;
  const { comment } = await call(former, "POST", comments, { body: "Why?" });
  const reply = () => call(friend, "POST", comments, { body: "Because.", parentId: comment?.id });
  await reply();
  expect(await kindsOf(former)).toEqual(["review.commented", "share.invited"]);
  expect((await list(former)).rows[0]?.person).toMatchObject({ id: friend.userId });
  await readAll(former);
  await call(owner, "DELETE", `/api/shares/${share?.id}`);
  await reply();
  const { unread, rows } = await list(former);
  expect(unread).toBe(0);
  expect(rows).toMatchObject([
    { kind: "review.commented", person: null, estimation: null },
    { kind: "share.invited", person: null, estimation: null },
  ]);
});

test("the newest of a user are kept, and for so many days", async () => {
  const { owner, friend, path } = await scene();
  const { review } = await call(owner, "POST", `${path}/reviews`, { reviewerId: friend.userId });
  const count = async () =>
    Number(
      (await app.pool.query("select count(*) from notifications where user_id = $1", [friend.userId])).rows[0].count,
    );
  await app.pool.query(
    `insert into notifications (id, user_id, kind, subject, created_at)
     select 'ntf_' || lpad(n::text, 26, '0'), $1, 'export.ended', '{}', $3 from generate_series(1, $2::int) n`,
    [friend.userId, limits.notifications - 2, app.clock.now()],
  );
  const comment = () => call(owner, "POST", `${path}/reviews/${review?.id}/comments`, { body: "More" });
  const first = "select from notifications where id = 'ntf_' || lpad('1', 26, '0')";
  await comment();
  expect([await count(), (await app.pool.query(first)).rowCount]).toEqual([limits.notifications, 1]);
  await readAll(friend);
  await comment();
  expect([await count(), (await app.pool.query(first)).rowCount]).toEqual([limits.notifications, 0]);
  expect((await list(friend)).rows[0]).toMatchObject({ kind: "review.commented" });
  const day = 86_400_000;
  const before = () => new Date(app.clock.now().getTime() - limits.notificationDays * day);
  await app.clock.advance(limits.notificationDays * day);
  expect(await removeNotifications(app.services.pool, before(), 10_000)).toBe(0);
  await app.clock.advance(1);
  await removeNotifications(app.services.pool, before(), 10_000);
  expect(await count()).toBe(0);
});

test("the stream says at once how many are not read", async () => {
  const { owner, friend, path } = await scene();
  const closing = new AbortController();
  const { body } = await fetch(`${app.url}/api/live`, {
    headers: { authorization: `Bearer ${friend.token}` },
    signal: closing.signal,
  });
  let text = "";
  void (async () => {
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) text += part;
  })().catch(() => {});
  const says = (unread: number) => until(() => text.includes(`{"type":"notified","unread":${unread}}`));
  await says(0);
  await call(owner, "POST", `${path}/shares`, { email: friend.email, permission: "view" });
  await says(1);
  const [first] = (await list(friend)).rows;
  text = "";
  await call(friend, "POST", "/api/notifications/read", { upTo: first?.id });
  await says(0);
  closing.abort();
});
