import { expect, test } from "vitest";
import { events } from "../../contract/events.ts";
import { erasePerson } from "../../server/services/person-erasure.ts";
import { clearText, ERASED_NAME } from "../../server/services/person-erasure-store.ts";
import { exportPerson } from "../../server/services/person-export-store.ts";
import { otherTables, personTables } from "../../server/services/person-tables.ts";
import { start, type TestUser } from "../harness.ts";
import { changesNothing, dump } from "../support/dump.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: sampleConfig });
const { pool } = app.services;

async function send(user: TestUser, method: string, path: string, body?: unknown) {
  const response = await app.request(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });
  expect(response.status, `${method} ${path}: ${response.text}`).toBeLessThan(300);
  return response.data;
}

/** A person with something of every kind, who works with Bob on an estimation of his. */
async function makeScene() {
  const [ada, bob] = [await app.signUp(), await app.signUp()];
  const name = `Ada Zwölfender ${ada.userId.slice(-6)}`;
  await send(ada, "PATCH", "/api/auth/me", { name });
  await app.pool.query("update users set email_verified_at = now() where id = any($1)", [[ada.userId, bob.userId]]);
  const world = await makeWorld(app, ada);
  await send(bob, "POST", "/api/webhooks", {
    url: "https://hooks.example.com/bob",
    events: ["estimation.approved", "share.accepted", "share.invited"],
  });
  const { estimation } = await send(bob, "POST", "/api/estimations", { title: "Bob's" });
  const path = `/api/estimations/${estimation?.id}`;
  await send(bob, "POST", `${path}/shares`, { email: ada.email, permission: "edit" });
  await app.pool.query("update shares set user_id = $2, accepted_at = now() where email = $1", [ada.email, ada.userId]);
  await app.pool.query("update estimation_readers set shared = 'editor' where estimation_id = $1 and user_id = $2", [
    estimation?.id,
    ada.userId,
  ]);
  const { review } = await send(bob, "POST", `${path}/reviews`, { reviewerId: ada.userId });
  await send(ada, "POST", `${path}/reviews/${review?.id}/approve`, { versionId: review?.versionId });
  await send(ada, "POST", `${path}/reviews/${review?.id}/comments`, { body: "Count the spikes twice." });
  const { estimation: second } = await send(bob, "POST", "/api/estimations", { title: "Bob's second" });
  await send(bob, "POST", `/api/estimations/${second?.id}/reviews`, { reviewerId: ada.userId });
  const { team } = await send(bob, "POST", "/api/teams", { name: "Web" });
  await send(bob, "POST", `/api/teams/${team?.id}/invitations`, { email: ada.email, role: "member" });
  await send(ada, "POST", `/api/teams/${team?.id}/accept`);
  const { team: other } = await send(bob, "POST", "/api/teams", { name: "Mobile" });
  await send(bob, "POST", `/api/teams/${other?.id}/invitations`, { email: ada.email, role: "member" });
  const { estimation: trashed } = await send(ada, "POST", "/api/estimations", { title: "Thrown away" });
  await send(ada, "DELETE", `/api/estimations/${trashed?.id}`);
  return { ada, bob, name, world, path, review: String(review?.id), estimationId: String(estimation?.id) };
}

/** Returns the tables with a row that contains one of these texts. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const lines = (await dump(app.pool)).split("\n").filter((line) => texts.some((text) => line.includes(text)));
  return [...new Set(lines.map((line) => /^public\.(\w+) /.exec(line)?.[1] ?? line.slice(0, 60)))].sort();
}

async function erase(ada: TestUser, { to, isTrial = false }: { to?: TestUser; isTrial?: boolean } = {}) {
  const person = { email: ada.email, to: to?.email, isTrial, actorId: null };
  const erased = await erasePerson(pool, app.services, { ...person, isAllowed: () => true });
  if (erased === null) throw new Error("it was refused");
  return erased;
}

async function exported(email: string): Promise<{ found: boolean; text: string }> {
  let text = "";
  const found = await exportPerson(pool, email, app.clock.now(), async (part) => {
    text += part;
  });
  return { found, text };
}

test("every table is listed, and every column that names a person is looked for", async () => {
  const { rows: tables } = await app.pool.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'noted'",
  );
  const listed = [...Object.keys(personTables), ...Object.keys(otherTables)];
  expect(tables.map(({ name }) => name).sort()).toEqual(listed.sort());
  const { rows: columns } = await app.pool.query(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     where c.table_schema = 'public' and (
       c.column_name ~ '^((user|owner|author|reviewer|requester|sharer|sender|reader|person)_ids?|resolved_by_id|email)$'
       or exists (
         select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
         where k.contype = 'f' and k.confrelid = 'users'::regclass and k.conrelid::regclass::text = c.table_name
           and a.attname = c.column_name))`,
  );
  expect(columns.length).toBeGreaterThan(30);
  // The address of an account at a tracker, in a row that is found by its user; and the owner in what is derived from estimations.
  const derived = ["estimation_listings.owner_id", "estimation_texts.owner_id"];
  const known = ["connections.email", "users.email", ...derived];
  const missed = columns
    .filter(({ table, column }) => !new RegExp(`\\b${column}\\b`).test(personTables[table]?.where ?? ""))
    .map(({ table, column }) => `${table}.${column}`);
  expect(missed.sort()).toEqual(known.sort());
});

test("an export has every row about a person, nothing of others' accounts, no secret and no hash", async () => {
  const { ada, bob, name } = await makeScene();
  const { rows: hashes } = await app.pool.query("select password_hash from users where id = $1", [ada.userId]);
  const { found, text } = await exported(` ${ada.email.toUpperCase()} `);
  expect(found).toBe(true);
  const document = JSON.parse(text);
  expect(document).toMatchObject({ userId: ada.userId, email: ada.email });
  expect(Object.keys(document.tables)).toEqual(Object.keys(personTables));
  expect(document.tables.users).toEqual([expect.objectContaining({ id: ada.userId, name, email: ada.email })]);
  expect(document.tables.review_comments).toContainEqual(expect.objectContaining({ body: "Count the spikes twice." }));
  expect(document.tables.decision_trees.length).toBeGreaterThan(0);
  const mentioned = await tablesWith(ada.userId, ada.email, name);
  expect(mentioned.length).toBeGreaterThan(20);
  for (const table of mentioned) {
    expect({ ...personTables, ...otherTables }, table).toHaveProperty(table);
    if (table in personTables) expect(document.tables[table], table).not.toEqual([]);
  }
  // When others have read a notification is theirs.
  const { notifications } = document.tables as Record<string, Record<string, unknown>[]>;
  const knows = (isOwn: boolean) =>
    new Set(notifications?.filter((row) => (row.user_id === ada.userId) === isOwn).map((row) => "read_at" in row));
  expect([knows(true), knows(false)]).toEqual([new Set([true]), new Set([false])]);
  expect(text).not.toContain(hashes[0].password_hash);
  expect(text).not.toMatch(/\\\\x[0-9a-f]{20}|\$argon2/);
  expect(text).not.toContain(bob.email);
  expect(await exported("nobody@example.com")).toEqual({ found: false, text: "" });
});

test("after erasing, neither name nor address is stored anywhere, and what others need stays", async () => {
  const { ada, bob, name, path, review, estimationId } = await makeScene();
  const key = await app.makeKey(ada, ["estimations:read"]);
  await app.pool.query(
    "insert into refused_mails (address_hash, setting, created_at) values (sha256(convert_to($1, 'UTF8')), 'reviewRequested', now())",
    [ada.email],
  );
  const usage = async ({ userId }: TestUser) =>
    (await app.pool.query("select * from estimation_usage where owner_id = $1", [userId])).rows;
  const usageOfBob = await usage(bob);
  const trial = await changesNothing(app, () => erase(ada, { isTrial: true }));
  const erased = await erase(ada);
  expect(erased).toEqual(trial);
  expect(erased).toMatchObject({ userId: ada.userId, deletedEstimations: 1, shares: 3, reviews: 2 });
  for (const count of [erased.estimations, erased.templates, erased.webhooks, erased.apiKeys, erased.connections])
    expect(count).toBeGreaterThan(0);

  expect(await tablesWith(name, ada.email)).toEqual([]);
  const left = await tablesWith(ada.userId);
  const kept = Object.entries(personTables).filter(([, { erasing }]) => erasing !== "remove");
  expect(left.filter((table) => !kept.some(([one]) => one === table))).toEqual(
    ["estimation_listings", "estimation_texts", "job_leases"].filter((table) => left.includes(table)),
  );
  expect((await app.pool.query("select from estimations where owner_id = $1", [ada.userId])).rowCount).toBe(0);
  expect(
    (await app.pool.query("select distinct ip, user_agent from audit_events where user_id = $1", [ada.userId])).rows,
  ).toEqual([{ ip: null, user_agent: null }]);

  for (const token of [ada.token, key])
    expect((await app.request("GET", "/api/estimations", { token })).status).toBe(401);
  const body = { email: ada.email, password: ada.password };
  expect((await app.request("POST", "/api/auth/login", { body })).status).toBe(401);
  const shown = await send(bob, "GET", `${path}/reviews/${review}`);
  expect(shown.review).toMatchObject({ status: "approved", reviewer: { id: ada.userId, name: ERASED_NAME } });
  const comments = await send(bob, "GET", `${path}/reviews/${review}/comments`);
  expect(JSON.stringify(comments)).toContain("Count the spikes twice.");
  expect(JSON.stringify(comments)).toContain(ERASED_NAME);
  expect((await send(bob, "GET", `${path}/shares`)).shares).toEqual([]);
  const activity = await send(bob, "GET", `${path}/activity`);
  expect(JSON.stringify(activity)).toContain(ada.userId);
  expect((await send(bob, "GET", "/api/users?q=deleted")).users).toEqual([]);
  expect(await usage(bob)).toEqual(usageOfBob);
  const ask = { reviewerId: ada.userId };
  expect((await app.request("POST", `${path}/reviews`, { token: bob.token, body: ask })).status).toBe(400);

  const again = await app.signUp(ada.email);
  expect(again.userId).not.toBe(ada.userId);
  expect((await send(again, "GET", "/api/estimations")).estimations).toEqual([]);
  expect((await app.request("GET", `/api/estimations/${estimationId}`, { token: again.token })).status).toBe(404);
});

test("with an heir, estimations and templates belong to somebody else, with all that counts for quotas", async () => {
  const { ada, bob, name, world } = await makeScene();
  const total = async () =>
    (
      await app.pool.query(
        `select sum(estimations)::int as estimations, sum(tree_steps)::int as trees, sum(version_bytes)::int as versions
         from estimation_usage where owner_id = any($1)`,
        [[ada.userId, bob.userId]],
      )
    ).rows[0];
  const before = await total();
  const { rows: standing } = await app.pool.query(
    "select id from estimations where owner_id = $1 and deleted_at is null order by id",
    [ada.userId],
  );
  const erased = await erase(ada, { to: bob });
  expect(erased.estimations).toBe(standing.length);
  for (const { id } of standing) {
    const { estimation } = await send(bob, "GET", `/api/estimations/${id}`);
    expect(estimation).toMatchObject({ access: "owner", ownerId: bob.userId });
  }
  expect((await send(bob, "GET", `/api/templates/${world.template}`)).template).toBeDefined();
  expect((await total()).estimations).toBe(before.estimations);
  expect((await total()).versions).toBe(before.versions);
  expect(await tablesWith(name, ada.email)).toEqual([]);
});

test("an address without an account, of an erased one or twice the same is refused and changes nothing", async () => {
  const ada = await app.signUp();
  const email = "nobody@example.com";
  await changesNothing(app, async () => {
    await expect(erase({ ...ada, email })).rejects.toThrow(`there is no account of ${email}`);
    await expect(erase(ada, { to: { ...ada, email } })).rejects.toThrow(`there is no account of ${email}`);
    await expect(erase(ada, { to: ada })).rejects.toThrow("the address after --to is the same");
  });
  await erase(ada);
  const gone = `erased ${ada.userId}`;
  await changesNothing(app, () => expect(erase({ ...ada, email: gone })).rejects.toThrow("there is no account of"));
});

test("an event keeps its bytes unless it names the person", () => {
  const person = { email: "ada@example.com", name: "Ada" };
  expect(clearText('{ "a" : "Adam", "b": 1.0 }', person)).toBe('{ "a" : "Adam", "b": 1.0 }');
  expect(clearText('{ "ownerName" : "Ada", "b": ["ada@example.com"] }', person)).toBe(
    JSON.stringify({ ownerName: ERASED_NAME, b: [ERASED_NAME] }),
  );
  // Where the same text is not a name.
  expect(clearText('{ "status": "Ada", "tags": ["Ada"], "estimationTitle": "Ada" }', person)).toContain(
    '"status": "Ada"',
  );
});

test("every field of an event that holds a person's name is one that erasing knows", () => {
  const fields = Object.values(events).flatMap(({ data }) => Object.keys(data.properties));
  const names = [...new Set(fields.filter((field) => /name$/i.test(field)))];
  const cleared = names.filter((field) =>
    clearText(JSON.stringify({ [field]: "Ada" }), { name: "Ada", email: "" }).includes(ERASED_NAME),
  );
  expect(cleared).toEqual(names);
});
