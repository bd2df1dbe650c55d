import { expect, test } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { startReceiver } from "../../../tests/support/receiver.ts";
import { readUsage } from "../../services/account-usage-store.ts";
import { mailSettings } from "../notifications/index.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ worker: true, config: { rateLimitAuthPerMinute: 1_000 } });
const { act, account, eventsOf, logIn, makeAdministrator, makeEstimations, statusWith, signUpVerified } =
  createScene(app);
const administrator = await makeAdministrator();
const list = async (query: string) => {
  const { data } = await app.request("GET", `/api/admin/users?${query}`, { token: administrator.token });
  return (data.accounts as unknown as { id: string }[]).map(({ id }) => id);
};

test("accounts are found by a part of name or address, and by their state", async () => {
  const [ada, bob] = [await app.signUp("ada.100%_x@example.com"), await app.signUp()];
  await app.request("PATCH", "/api/auth/me", { token: bob.token, body: { name: "Bob Zwölfender" } });
  expect(await list("q=ZWÖLF")).toEqual([bob.userId]);
  expect(await list(`q=${encodeURIComponent("100%_")}`)).toEqual([ada.userId]);
  expect(await list("q=nobody.at.all")).toEqual([]);
  await act(administrator, bob, "disable");
  expect(await list("state=disabled")).toEqual([bob.userId]);
  expect(await list("state=administrator")).toEqual([administrator.userId]);
  expect(await list("state=administrator,disabled")).toEqual([bob.userId, administrator.userId]);
  expect(await list("state=enabled&q=example.com")).not.toContain(bob.userId);
  const erased = "update users set stands_for = 'erased' where id = $1";
  await app.pool.query(erased, [ada.userId]);
  expect(await list("q=100")).toEqual([]);
  expect((await act(administrator, ada, "disable")).status).toBe(404);
});

test("an account shows its quotas in use, sessions, keys by prefix and webhooks by host", async () => {
  const user = await app.signUp();
  await makeEstimations(user, 2);
  const key = await app.makeKey(user, ["tasks:read"]);
  const body = { url: "https://hooks.example.com/secret/path", events: ["estimation.submitted"] };
  await app.request("POST", "/api/webhooks", { token: user.token, body });
  const seen = await account(administrator, user);
  expect(seen).toMatchObject({
    id: user.userId,
    email: user.email,
    lastSignInAt: expect.any(String),
    hasPassword: true,
    work: null,
    sessions: [{ ip: "127.0.0.1", current: false }],
    apiKeys: [{ prefix: key.slice(0, 12), scopes: ["tasks:read"] }],
    webhooks: [{ host: "hooks.example.com", active: true }],
  });
  const used = Object.fromEntries(
    ((seen?.quotas ?? []) as unknown as { quota: string; used: number }[]).map((row) => [row.quota, row.used]),
  );
  expect(used).toEqual(await readUsage(app.services.pool, user.userId));
  expect(used).toMatchObject({ estimations: 2, apiKeys: 1, webhooks: 1, connections: 0, exports: 0 });
  expect(JSON.stringify(seen)).not.toContain("secret/path");
});

test("disabling ends sessions and keys at once and refuses every sign-in; the content stays (V7.4.2)", async () => {
  const user = await signUpVerified();
  const [estimation] = await makeEstimations(user, 1);
  const key = await app.makeKey(user, ["estimations:read"]);
  await app.pool.query("update webhooks set active = true where user_id = $1", [user.userId]);
  const { status, data } = await act(administrator, user, "disable");
  expect([status, data.account?.disabledAt]).toEqual([200, app.clock.now().toISOString()]);
  expect([await statusWith(user.token), await statusWith(key)]).toEqual([401, 401]);
  const refused = await logIn(user);
  expect([refused.status, refused.body.message]).toEqual([403, "account_disabled"]);
  const wrong = await logIn({ ...user, password: "not the one" });
  expect([wrong.status, wrong.body.message]).toEqual([401, "invalid_credentials"]);
  const { rows } = await app.pool.query("select deleted_at from estimations where id = $1", [estimation]);
  expect(rows).toEqual([{ deleted_at: null }]);
  // Others find the account no more, and it takes nothing.
  const found = await app.request("GET", `/api/users?q=${user.email}`, { token: administrator.token });
  expect(found.data.users).toEqual([]);
  // A second time changes nothing.
  expect((await act(administrator, user, "disable")).status).toBe(200);
  const events = await eventsOf(administrator, user);
  expect(events.filter(({ event }) => event === "account.disabled")).toEqual([
    expect.objectContaining({ actor: { id: administrator.userId, name: expect.any(String) } }),
  ]);
  expect((await act(administrator, user, "enable")).status).toBe(200);
  const again = await logIn(user);
  expect(again.status).toBe(200);
  expect([await statusWith(key), await statusWith(user.token)]).toEqual([401, 401]);
  const own = await app.request("GET", "/api/audit-log", { token: String(again.data.token) });
  const told = (own.data.events as unknown as { event: string; actor: object | null; ip: string | null }[]).find(
    ({ event }) => event === "account.disabled",
  );
  expect(told).toMatchObject({ actor: { id: administrator.userId }, ip: null });
});

test("a mailed link, requested before or after, does not lead into a disabled account", async () => {
  const user = await app.signUp();
  await app.request("POST", "/api/auth/forgot-password", { body: { email: user.email } });
  await makeJobsDue(app.pool);
  await until(
    async () => (await app.pool.query("select from mailed_tokens where user_id = $1", [user.userId])).rowCount === 2,
  );
  await act(administrator, user, "disable");
  const links = async () =>
    (await app.pool.query("select from mailed_tokens where user_id = $1", [user.userId])).rowCount;
  expect(await links()).toBe(0);
  await app.request("POST", "/api/auth/forgot-password", { body: { email: user.email } });
  await makeJobsDue(app.pool);
  await until(async () => (await app.pool.query("select from job_leases where name = 'send-mail'")).rowCount === 0);
  expect(await links()).toBe(0);
});

test("a reset that is under way when the account is disabled sets no password", async () => {
  const user = await app.signUp();
  const token = "t".repeat(43);
  await app.pool.query(
    "insert into mailed_tokens (user_id, purpose, hash, expires_at) values ($1, 'reset-password', sha256($2), 'infinity') on conflict (user_id, purpose) do update set hash = excluded.hash",
    [user.userId, Buffer.from(token)],
  );
  // The request has read the link, and waits for the account.
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from users where id = $1 for no key update", [user.userId]);
    const resetting = app.request("POST", "/api/auth/reset-password", {
      body: { token, password: "another password" },
    });
    await until(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await app.pool.query(waiting)).rowCount === 1;
    });
    await client.query("update users set disabled_at = now() where id = $1", [user.userId]);
    await client.query("commit");
    expect((await resetting).body.message).toBe("invalid_reset_token");
  } finally {
    client.release();
  }
  expect((await logIn(user)).body.message).toBe("account_disabled");
});

test("a request that is under way may end, but what it made opens nothing, not even when the account is enabled", async () => {
  const user = await app.signUp();
  const client = await app.pool.connect();
  try {
    await client.query("begin");
    await client.query("select from users where id = $1 for no key update", [user.userId]);
    // It has been let in, and waits to count the keys.
    const making = app.makeKey(user, []);
    await until(async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await app.pool.query(waiting)).rowCount === 1;
    });
    await client.query("update users set disabled_at = now(), token_version = token_version + 1 where id = $1", [
      user.userId,
    ]);
    await client.query("commit");
    const key = await making;
    expect(await statusWith(key)).toBe(401);
    expect((await act(administrator, user, "enable")).status).toBe(200);
    expect(await statusWith(key)).toBe(401);
  } finally {
    client.release();
  }
});

test("deliveries of a disabled account's owner stop within one claim, and nothing is recorded for it", async () => {
  const receiver = await startReceiver((_, response) => response.writeHead(500).end());
  receiver.trustedBy(app.services.config.dataDir);
  const [user, other] = [await signUpVerified(), await signUpVerified()];
  const post = async (by: TestUser, path: string, body?: object) => {
    const { status, data, text } = await app.request("POST", `/api/${path}`, {
      token: by.token,
      ...(body && { body }),
    });
    expect(status, text).toBeLessThan(300);
    return data;
  };
  const content = "# Portal\n\n- Screens\n  - Basket: 8-12-30\n";
  const { estimation: theirs } = await post(other, "estimations/import", { format: "outline", content });
  const { share } = await post(other, `estimations/${theirs?.id}/shares`, { email: user.email, permission: "view" });
  await post(user, `shares/${share?.id}/accept`);
  const events = ["share.invited", "estimation.tasks_generated"];
  const { webhook } = await post(user, "webhooks", { url: `${receiver.url}/hook`, events });
  const [own] = await makeEstimations(user, 1);
  await post(user, `estimations/${own}/shares`, { email: "colleague@example.com", permission: "view" });
  await post(user, `webhooks/${webhook?.id}/test`);
  const deliveries = async () => {
    const { rows } = await app.pool.query(
      `select d.status, array_agg(a.error order by a.number) as errors
       from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id where webhook_id = $1 group by d.id`,
      [webhook?.id],
    );
    return rows as { status: string; errors: (string | null)[] }[];
  };
  // Both have failed once, one of them asked for by hand, and are due again in a minute.
  await until(async () => (await deliveries()).filter(({ status }) => status === "retry_scheduled").length === 2);
  expect(receiver.requests).toHaveLength(2);
  await act(administrator, user, "disable");
  await makeJobsDue(app.pool);
  const ended = await until(async () => {
    const rows = await deliveries();
    return rows.every(({ status }) => status === "failed") && rows;
  });
  expect(ended.map(({ errors }) => errors.at(-1))).toEqual(["webhook_inactive", "webhook_inactive"]);
  for (const move of ["submit", "tasks/generate"]) await post(other, `estimations/${theirs?.id}/${move}`);
  expect([await deliveries(), receiver.requests.length]).toEqual([ended, 2]);
  await act(administrator, user, "enable");
  await post(other, `estimations/${theirs?.id}/tasks/generate`);
  await until(() => receiver.requests.length === 3);
});

test("a disabled account is asked for no review, gets no estimation, and no mail that its owner could turn off", async () => {
  const [owner, user] = [await signUpVerified(), await signUpVerified()];
  const [estimation] = await makeEstimations(owner, 1);
  const path = `/api/estimations/${estimation}`;
  const post = (by: TestUser, at: string, body?: object) =>
    app.request("POST", at, { token: by.token, ...(body && { body }) });
  const shared = await post(owner, `${path}/shares`, { email: user.email, permission: "edit" });
  await post(user, `/api/shares/${shared.data.share?.id}/accept`);
  const settings = mailSettings(app.services);
  expect(await settings.isWanted(user.email, "shareInvited")).toBe(true);
  await act(administrator, user, "disable");
  expect(await settings.isWanted(user.email, "shareInvited")).toBe(false);
  for (const body of [{ reviewerId: user.userId }, { reviewerEmail: user.email }])
    expect((await post(owner, `${path}/reviews`, body)).status).toBe(400);
  expect((await post(owner, `${path}/transfer`, { userId: user.userId })).status).toBe(400);
  await act(administrator, user, "enable");
  expect((await post(owner, `${path}/transfer`, { userId: user.userId })).status).toBe(200);
});

test("ending sessions and sending a link is possible for every account, also an administrator's; taking away is not (V6.4.6, V7.4.5)", async () => {
  const [other, user] = [await makeAdministrator(), await app.signUp()];
  for (const one of [other, user]) {
    expect((await act(administrator, one, "end-sessions")).status).toBe(200);
    expect(await statusWith(one.token)).toBe(401);
    expect((await act(administrator, one, "send-reset-link")).status).toBe(202);
    expect((await eventsOf(administrator, one)).slice(0, 2)).toMatchObject([
      { event: "password.reset_requested", actor: { id: administrator.userId } },
      { event: "sessions.ended", actor: { id: administrator.userId } },
    ]);
  }
  const receiver = await signUpVerified();
  for (const one of [other, administrator]) {
    for (const [what, body] of [
      ["disable"],
      ["erase", { email: one.email }],
      ["hand-over", { toUserId: receiver.userId }],
    ] as const) {
      const refused = await act(administrator, one, what, body);
      expect([refused.status, refused.body.details?.reason]).toEqual([403, "administrator"]);
    }
  }
});
