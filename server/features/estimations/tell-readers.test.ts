import { describe, expect, it } from "vitest";
import { start, type TestUser } from "../../../tests/harness.ts";
import { effortOf } from "../../../tests/support/effort.ts";
import { setReader, setTeamLevel } from "./reader-store.ts";
import { join, leave, makeTeam } from "./testing/teams.ts";

const app = await start();
const EVENT = "estimation.tasks_generated";

async function createEstimation(owner: TestUser): Promise<string> {
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  return String(data.estimation?.id);
}

const createWebhook = ({ token }: TestUser, more: object = {}) =>
  app.request("POST", "/api/webhooks", { token, body: { url: "https://hooks.example.com", events: [EVENT], ...more } });

const addReader = (estimation: string, userId: string, sources: Parameters<typeof setReader>[2]) =>
  setReader(app.services.pool, { estimationId: estimation, userId }, sources);

/** Users who may read the estimation, each with a webhook, made by copying the owner and the owner's webhook. */
async function addReadersWithWebhooks(estimation: string, { userId }: TestUser, count: number): Promise<void> {
  const copyOf = (table: string, changes: string) => `
    insert into ${table} select copy.* from ${table} t, generate_series(1, $2) n,
      jsonb_populate_record(t, ${changes}) copy where`;
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  await app.pool.query(
    `${copyOf("users", `jsonb_build_object('id', ${id("usr")}, 'email', n || '@example.org')`)} t.id = $1`,
    [userId, count],
  );
  await app.pool.query(
    `${copyOf("webhooks", `jsonb_build_object('id', ${id("wh")}, 'user_id', ${id("usr")})`)} t.user_id = $1`,
    [userId, count],
  );
  await app.pool.query(
    `insert into estimation_readers (estimation_id, user_id, shared) select $1, ${id("usr")}, 'viewer' from generate_series(1, $2) n`,
    [estimation, count],
  );
}

const generate = async ({ token }: TestUser, estimation: string) => {
  const { status } = await app.request("POST", `/api/estimations/${estimation}/tasks/generate`, { token });
  expect(status).toBe(200);
};

const receiversOf = async (estimation: string): Promise<string[]> => {
  const { rows } = await app.pool.query(
    `select w.user_id from webhook_deliveries d join webhooks w on w.id = d.webhook_id
     join webhook_events e on e.id = d.event_id where e.data::json ->> 'estimationId' = $1`,
    [estimation],
  );
  return rows.map(({ user_id }) => user_id).sort();
};

describe("an event of an estimation", () => {
  it("goes to the active, subscribed webhooks of all readers except those who may only review it, and to no others", async () => {
    const [owner, editor, viewer, reviewer, inactive, other, stranger] = (await Promise.all(
      Array.from({ length: 7 }, () => app.signUp()),
    )) as [TestUser, TestUser, TestUser, TestUser, TestUser, TestUser, TestUser];
    for (const user of [owner, editor, viewer, reviewer, stranger]) await createWebhook(user);
    await createWebhook(inactive, { active: false });
    await createWebhook(other, { events: ["share.invited"] });
    const estimation = await createEstimation(owner);
    await addReader(estimation, editor.userId, { shared: "editor" });
    await addReader(estimation, reviewer.userId, { reviews: true });
    for (const { userId } of [viewer, inactive, other]) await addReader(estimation, userId, { shared: "viewer" });
    await generate(editor, estimation);
    const readers = [owner, editor, viewer].map(({ userId }) => userId).sort();
    expect(await receiversOf(estimation)).toEqual(readers);

    await addReader(estimation, viewer.userId, { shared: null });
    await generate(owner, estimation);
    const rest = readers.filter((id) => id !== viewer.userId);
    expect(await receiversOf(estimation)).toEqual([...readers, ...rest].sort());
  });

  it("goes to the members that a team has at that moment, once to each", async () => {
    const [owner, member, late, former] = (await Promise.all(Array.from({ length: 4 }, () => app.signUp()))) as [
      TestUser,
      TestUser,
      TestUser,
      TestUser,
    ];
    for (const user of [owner, member, late, former]) await createWebhook(user);
    const estimation = await createEstimation(owner);
    const teams = [await makeTeam(app, owner, member, former), await makeTeam(app, member)];
    for (const teamId of teams) {
      await app.services.pool.transaction((tx) => setTeamLevel(tx, { id: estimation }, teamId, "viewer"));
    }
    await addReader(estimation, member.userId, { shared: "editor" });
    await leave(app, teams[0] ?? "", former);
    await generate(member, estimation);
    const readers = [owner, member].map(({ userId }) => userId).sort();
    expect(await receiversOf(estimation)).toEqual(readers);
    await join(app, teams[1] ?? "", late);
    await generate(owner, estimation);
    expect(await receiversOf(estimation)).toEqual([...readers, ...readers, late.userId].sort());
  });

  it("takes one statement more at most for a team of 500 with webhooks, whose deliveries the job writes", async () => {
    const owner = await app.signUp();
    await createWebhook(owner);
    const [alone, shared] = [await createEstimation(owner), await createEstimation(owner)];
    const teamId = await makeTeam(app);
    const id = (prefix: string) => `'${prefix}_t' || lpad(n::text, 25, '0')`;
    const copyOf = (table: string, changes: string) =>
      `insert into ${table} select copy.* from ${table} t, generate_series(1, 500) n, jsonb_populate_record(t, ${changes}) copy where`;
    await app.pool.query(
      `${copyOf("users", `jsonb_build_object('id', ${id("usr")}, 'email', n || '@team.example')`)} t.id = $1`,
      [owner.userId],
    );
    await app.pool.query(
      `${copyOf("webhooks", `jsonb_build_object('id', ${id("wh")}, 'user_id', ${id("usr")})`)} t.user_id = $1`,
      [owner.userId],
    );
    await app.pool.query(
      `insert into team_members select $1, ${id("usr")}, 'member', now() from generate_series(1, 500) n`,
      [teamId],
    );
    await app.services.pool.transaction((tx) => setTeamLevel(tx, { id: shared }, teamId, "viewer"));
    const count = async (estimation: string) => {
      const { statements } = await effortOf(app.connection.database, () => generate(owner, estimation));
      return statements.length;
    };
    const forOne = await count(alone);
    expect(await count(shared)).toBeLessThanOrEqual(forOne + 1);
    expect(await receiversOf(shared)).toEqual([]);
    const { rows } = await app.pool.query(
      "select sum(cardinality(user_ids))::int as users from webhook_spreads where sender_id = $1",
      [owner.userId],
    );
    expect(rows).toEqual([{ users: 501 }]);
  });

  it("takes the same number of statements for 500 webhooks as for one, and no more for 1,001", async () => {
    const owner = await app.signUp();
    await createWebhook(owner);
    const [alone, shared] = [await createEstimation(owner), await createEstimation(owner)];
    await addReadersWithWebhooks(shared, owner, 499);
    const count = async (estimation: string) => {
      const { statements } = await effortOf(app.connection.database, () => generate(owner, estimation));
      return statements.length;
    };
    const forOne = await count(alone);
    expect(await count(shared)).toBe(forOne);
    expect((await receiversOf(alone)).length).toBe(1);
    expect((await receiversOf(shared)).length).toBe(500);
    const jobs = await app.pool.query(
      `select from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where d.due_at <= now() and e.data::json ->> 'estimationId' = $1`,
      [shared],
    );
    expect(jobs.rowCount).toBe(500);

    await addReader(shared, (await app.signUp()).userId, { shared: "viewer" });
    const [reader] = (await app.pool.query("select max(user_id) as id from estimation_readers")).rows;
    await app.pool.query(
      `insert into webhooks select copy.* from webhooks t, generate_series(1, 501) n,
         jsonb_populate_record(t, jsonb_build_object('id', 'wi_' || lpad(n::text, 26, '0'), 'user_id', $2::text)) copy
       where t.user_id = $1`,
      [owner.userId, reader.id],
    );
    expect(await count(shared)).toBeLessThanOrEqual(forOne);
    expect((await receiversOf(shared)).length).toBe(500);
    const { rows } = await app.pool.query("select from webhook_spreads where sender_id = $1", [owner.userId]);
    expect(rows.length).toBeGreaterThan(0);
  });
});
