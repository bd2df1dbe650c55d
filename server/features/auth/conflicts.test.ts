import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { start, type TestUser, until } from "../../../tests/harness.ts";

const app = await start({ config: { rateLimitAuthPerMinute: 1_000 } });
const post = (name: string, body: unknown, token?: string) =>
  app.request("POST", `/api/auth/${name}`, { body, ...(token ? { token } : {}) });

/** A token of a mailed link to reset the password. */
async function mailed({ userId }: TestUser): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const row = [userId, Buffer.from(token), new Date(app.clock.now().getTime() + 60_000)];
  await app.pool.query("insert into mailed_tokens values ($1, 'reset-password', sha256($2), $3)", row);
  return token;
}

const change = ({ token, password }: TestUser) =>
  post("change-password", { currentPassword: password, newPassword: "changed by the session" }, token);
const reset = (token: string) => post("reset-password", { token, password: "set by the mailed link" });

/** Both may succeed; otherwise the second finds its session revoked, or its link used up. Neither gets a server error. */
const expectSettled = (changed: number, done: number) =>
  expect(["200 400", "401 200", "200 200"]).toContain(`${changed} ${done}`);

it("a change and a reset of a password that wait for the same account succeed, one after the other", async () => {
  for (let round = 0; round < 4; round += 1) {
    const user = await app.signUp();
    const token = await mailed(user);
    const holder = await app.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from users where id = $1 for no key update", [user.userId]);
    const waiting = async (count: number) => {
      const { rows } = await app.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length >= count;
    };
    const first = round % 2 ? change(user) : reset(token);
    await until(() => waiting(1));
    const second = round % 2 ? reset(token) : change(user);
    await until(() => waiting(2));
    await holder.query("commit");
    holder.release();
    const statuses = (await Promise.all([first, second])).map(({ status }) => status);
    const [changed = 0, done = 0] = round % 2 ? statuses : statuses.reverse();
    expectSettled(changed, done);
  }
});

it("a change and a reset at the same moment, many times, never cause a server error", async () => {
  for (let round = 0; round < 12; round += 1) {
    const user = await app.signUp();
    const token = await mailed(user);
    const [changed, done] = await Promise.all([change(user), reset(token)]);
    expectSettled(changed.status, done.status);
  }
});

it("a transaction that the database aborts because of another one is retried, wherever an account is used or changed", async () => {
  const user = await app.signUp();
  await app.pool.query(`
    create sequence conflicts;
    create function conflict_once() returns trigger language plpgsql as $$ begin
      if nextval('conflicts') = 1 then raise exception 'given up' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger conflict_once before insert on audit_events for each row execute function conflict_once()`);
  const events = async () =>
    (await app.pool.query("select event from audit_events where user_id = $1 order by id", [user.userId])).rows;
  const before = (await events()).length;
  const conflicting = async (attempt: () => ReturnType<typeof post>) => {
    await app.pool.query("select setval('conflicts', 1, false)");
    const { status, text, data } = await attempt();
    expect(status, text).toBeLessThan(300);
    return data;
  };
  await conflicting(() => post("register", { email: "conflicting@example.com", password: user.password }));
  await conflicting(() => post("login", { email: user.email, password: user.password }));
  await conflicting(() => post("verify-email/resend", undefined, user.token));
  await conflicting(() => post("forgot-password", { email: user.email }));
  await conflicting(() => change(user));
  const token = await mailed(user);
  await conflicting(() => reset(token));
  expect((await events()).slice(before).map(({ event }) => event)).toEqual([
    "session.created",
    "email.verification_requested",
    "password.reset_requested",
    "password.changed",
    "password.reset",
  ]);
});
