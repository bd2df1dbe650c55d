import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { makeJobsDue } from "../../../tests/support/jobs.ts";
import { createScene } from "./testing/scene.ts";

const app = await start({ worker: true, config: { rateLimitAuthPerMinute: 1_000 } });
const { act, logIn, makeAdministrator } = createScene(app);
const administrator = await makeAdministrator();

interface Row {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  readonly user: { readonly id: string } | null;
  readonly actor: { readonly id: string } | null;
}
const list = async (query: Record<string, string>) => {
  const search = new URLSearchParams(query);
  const { data, text } = await app.request("GET", `/api/admin/audit-log?${search}`, { token: administrator.token });
  if (!data.events) throw new Error(text);
  return { events: data.events as unknown as Row[], nextCursor: data.nextCursor as unknown as string | null };
};

test("the audit log of everybody is filtered by account, administrator, event and time, each to the millisecond", async () => {
  const [ada, bob] = [await app.signUp(), await app.signUp()];
  await app.clock.advance(60_000);
  await act(administrator, ada, "end-sessions");
  const at = app.clock.now().toISOString();
  await app.clock.advance(1);
  const later = app.clock.now().toISOString();
  await logIn(bob);
  await app.request("POST", "/api/auth/login", { body: { email: "nobody@example.com", password: "wrong horse" } });
  const names = ({ events }: { events: Row[] }) => events.map(({ event }) => event);
  expect(names(await list({ userId: ada.userId }))).toEqual(["sessions.ended", "session.created", "user.registered"]);
  expect(names(await list({ actorId: administrator.userId }))).toEqual(["sessions.ended"]);
  expect(names(await list({ userId: ada.userId, event: "user.registered" }))).toEqual(["user.registered"]);
  expect(names(await list({ from: at, to: later }))).toEqual(["sessions.ended"]);
  expect(names(await list({ from: later }))).toEqual(["session.login_failed", "session.created"]);
  expect(names(await list({ to: at, userId: bob.userId }))).toEqual(["session.created", "user.registered"]);
  expect(names(await list({ from: at, to: at }))).toEqual([]);
  const [failed] = (await list({ event: "session.login_failed" })).events;
  expect(failed?.user).toBeNull();
  expect((await list({ userId: "usr_none" })).events).toEqual([]);
});

test("a leap second is a time like any other", async () => {
  const leap = "2016-12-31T23:59:60Z";
  expect((await list({ from: leap, event: "user.registered" })).events.length).toBeGreaterThan(0);
  expect((await list({ to: leap })).events).toEqual([]);
});

test("pages of several events follow each other without gaps, newest first", async () => {
  for (let at = 0; at < 5; at += 1) await app.signUp();
  const filter = { event: "session.created,user.registered" };
  const whole = (await list({ ...filter, limit: "100" })).events.map(({ id }) => id);
  expect(whole.length).toBeGreaterThan(10);
  expect(whole).toEqual([...whole].sort().reverse());
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof list>> = await list({ ...filter, limit: "3", ...(cursor && { cursor }) });
    paged.push(...page.events.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(whole);
});

test("the status names version, tables, queues, mail, backup, limits and this process", async () => {
  const read = async () =>
    (await app.request("GET", "/api/admin/status", { token: administrator.token })).data.status as unknown as {
      readonly database: { readonly bytes: number; readonly tables: readonly { readonly name: string }[] };
      readonly processes: readonly { readonly id: string; readonly runs: string; readonly connections: number }[];
      readonly limits: readonly { readonly name: string; readonly value: number }[];
      readonly lastMail: { readonly at: string; readonly fault: string | null } | null;
      readonly failedDeliveries: number;
    };
  const files = readdirSync(new URL("../../db/migrations", import.meta.url)).filter((name) => name.endsWith(".sql"));
  const status = await read();
  expect(status).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), migrations: files.length });
  expect(status.database.bytes).toBeGreaterThan(1_000_000);
  expect(status.database.tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["users", "graphile_worker"]));
  expect(status.processes).toEqual([
    { id: expect.stringMatching(/^[0-9a-f]{7}$/), runs: "all", connections: expect.any(Number) },
  ]);
  expect(status.limits).toContainEqual({ name: "rateLimitAuthPerMinute", value: 1_000 });
  await app.request("POST", "/api/auth/forgot-password", { body: { email: administrator.email } });
  await makeJobsDue(app.pool);
  const { lastMail } = await until(async () => {
    const now = await read();
    return now.lastMail && now;
  });
  expect(lastMail).toEqual({ at: expect.any(String), fault: null });
});
