import { createHmac, randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import type pg from "pg";
import { expect, test } from "vitest";
import { type Json, request, start, type TestApp, until } from "../../tests/harness.ts";
import { makeDatabase } from "../../tests/support/embedded/template.ts";
import { emptyDatabase } from "../../tests/support/empty-database.ts";
import { runService, type ServiceProcess } from "../../tests/support/service-process.ts";
import { createUnsubscribeTokens } from "../features/notifications/unsubscribe-tokens.ts";
import { open, seal } from "../platform/sealing.ts";
import { sealedColumns } from "../services/sealed-store.ts";

type Settings = Record<string, string>;

const text = (secret: Uint8Array) => Buffer.from(secret).toString("base64url");
const password = "a long enough password";

const urlOf = ({ host, port, user, password: secret, database }: pg.PoolConfig) =>
  `postgresql://${user}:${secret}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;

/** A database, and the settings of processes on it: with the former secrets, both, the new ones beside the former, and the new ones. */
async function makeScene() {
  const [sessionSecret, encryptionKey] = [randomBytes(32), randomBytes(32)];
  const next = { sessionSecret: randomBytes(32), encryptionKey: randomBytes(32) };
  // The test's own process has both, so that it does not stand in the way.
  const config = { sessionSecretFormer: next.sessionSecret, encryptionKeyFormer: next.encryptionKey };
  const app = await start({ config: { sessionSecret, encryptionKey, ...config } });
  const shared = {
    DATABASE_URL: urlOf(app.connection),
    DATA_DIR: path.join(app.services.config.dataDir, "processes"),
    RATE_LIMIT_PER_MINUTE: "1000000",
  };
  const former = { ...shared, SESSION_SECRET: text(sessionSecret), ENCRYPTION_KEY: text(encryptionKey) };
  const current = { ...shared, SESSION_SECRET: text(next.sessionSecret), ENCRYPTION_KEY: text(next.encryptionKey) };
  const both = {
    ...current,
    SESSION_SECRET_FORMER: former.SESSION_SECRET,
    ENCRYPTION_KEY_FORMER: former.ENCRYPTION_KEY,
  };
  return { app, former, both, current, formerKey: encryptionKey, key: next.encryptionKey };
}

async function stop(service: ServiceProcess): Promise<void> {
  service.send("SIGTERM");
  expect(await service.exitCode, service.output.err).toBe(0);
}

async function succeedCommand(args: string[], settings: Settings): Promise<void> {
  const command = runService(args, settings);
  expect(await command.exitCode, command.output.err).toBe(0);
}

async function rotate(settings: Settings): Promise<{ code: number | null; out: string; faults: string[] }> {
  const command = runService(["rotate-key"], settings);
  return { code: await command.exitCode, out: command.output.out, faults: command.faults() };
}

/** Sends a request that must succeed. */
async function succeed(url: string, token: string, method: string, where: string, body?: unknown): Promise<Json> {
  const response = await request(url, method, where, { token, ...(body === undefined ? {} : { body }) });
  expect(response.status, `${method} ${where}: ${response.text}`).toBeLessThan(300);
  return response.data;
}

async function makeWebhook(url: string, token: string) {
  const body = { url: "https://hooks.example.com/in", events: [] };
  const { webhook, secret } = await succeed(url, token, "POST", "/api/webhooks", body);
  const { delivery } = await succeed(url, token, "POST", `/api/webhooks/${webhook?.id}/test`);
  return { secret: String(secret), log: `/api/webhooks/${webhook?.id}/deliveries/${delivery?.id}` };
}

/** Checks that a process signs a webhook's request with its secret. */
async function expectSigned(url: string, token: string, { secret, log }: { secret: string; log: string }) {
  const { delivery } = await succeed(url, token, "GET", log);
  const signature = createHmac("sha256", secret).update(String(delivery?.requestBody)).digest("hex");
  expect(delivery?.requestHeaders?.["X-Service-Signature"]).toBe(`sha256=${signature}`);
}

const node = (title: string) => ({
  title,
  kind: "group",
  options: [{ title: "Form", hours: { optimistic: 1, likely: 2, pessimistic: 3 } }],
});

/** Makes an estimation with a node that was removed, which only its id's proof can bring back. */
async function removeNode(url: string, token: string) {
  const { estimation } = await succeed(url, token, "POST", "/api/estimations", { title: "Shop" });
  const tree = `/api/estimations/${estimation?.id}/tree`;
  const { tree: stored } = await succeed(url, token, "PUT", tree, { nodes: [node("Checkout")] });
  await succeed(url, token, "PUT", tree, { nodes: [] });
  return { tree, nodes: stored?.nodes };
}

async function signIn(url: string, email: string): Promise<string> {
  const { status, data, text: raw } = await request(url, "POST", "/api/auth/login", { body: { email, password } });
  expect(status, raw).toBe(200);
  return String(data.token);
}

const unsubscribeToken = ({ services }: TestApp, email: string) =>
  createUnsubscribeTokens(services.linkKeys.unsubscribe).make(email, "reviewRequested");

test("both secrets are changed while two processes serve, one restarted after the other, and nothing is refused", async () => {
  const { app, former, both, current } = await makeScene();
  const refused = "a process of the service still runs without the new secrets";
  const email = "ada@example.com";
  let [first, second] = [runService(["serve"], former), runService(["serve"], former)];
  let urls = [await first.url(), await second.url()] as const;
  const sessions: string[] = [];
  sessions.push(
    String((await request(urls[0], "POST", "/api/auth/register", { body: { email, password } })).data.token),
  );
  const token = sessions[0] ?? "";
  const removed = await removeNode(urls[0], token);
  const webhooks = [await makeWebhook(urls[0], token)];
  const link = unsubscribeToken(app, email);
  /** Signs in and makes a webhook at each process, and checks that each accepts what any process has made so far. */
  const expectAllAccepted = async () => {
    for (const url of urls) {
      sessions.push(await signIn(url, email));
      webhooks.push(await makeWebhook(url, token));
    }
    for (const url of urls) {
      for (const session of sessions) await succeed(url, session, "GET", "/api/auth/me");
      for (const webhook of webhooks) await expectSigned(url, token, webhook);
    }
  };

  expect(await rotate(both)).toMatchObject({ code: 1, faults: [expect.stringContaining(refused)] });
  await stop(first);
  first = runService(["serve"], both);
  urls = [await first.url(), urls[1]];
  await expectAllAccepted();
  // One process still has the former secrets only.
  expect(await rotate(both)).toMatchObject({ code: 1, faults: [expect.stringContaining(refused)] });
  await expectAllAccepted();

  await stop(second);
  second = runService(["serve"], both);
  urls = [urls[0], await second.url()];
  const done = await rotate(both);
  expect(done).toMatchObject({ code: 0, faults: [] });
  expect(done.out).toContain(`encrypted anew: ${webhooks.length + 4}\n`);
  await expectAllAccepted();
  expect((await rotate(both)).out).toContain("encrypted anew: 0\n");

  const late = runService(["serve"], former);
  expect([await late.exitCode, late.faults().length]).toEqual([1, 2]);

  await stop(first);
  first = runService(["serve"], current);
  urls = [await first.url(), urls[1]];
  // Sessions of before are only valid where the former secret is set, and last an hour.
  expect((await request(urls[0], "GET", "/api/auth/me", { token })).status).toBe(401);
  const later = await signIn(urls[0], email);
  for (const url of urls) {
    await succeed(url, later, "GET", "/api/auth/me");
    for (const webhook of webhooks) await expectSigned(url, later, webhook);
  }
  const back = await succeed(urls[0], later, "PUT", removed.tree, { nodes: removed.nodes });
  expect(back.tree?.nodes?.[0]?.id).toBe(removed.nodes?.[0]?.id);
  const page = await fetch(`${urls[0]}/unsubscribe?token=${link}`, { method: "POST" });
  expect(page.status).toBe(200);
  expect((await app.pool.query("select setting from refused_mails")).rows).toEqual([{ setting: "reviewRequested" }]);
});

test("a change that was killed is completed by the next run; meanwhile both keys are needed, and suffice", async () => {
  const { app, both, current, formerKey, key } = await makeScene();
  const { userId } = await app.signUp();
  const ids = Array.from({ length: 500 }, (_, at) => `con_${String(at).padStart(26, "0")}`);
  await app.pool.query(
    `insert into connections (id, user_id, target, name, token, token_set_at, created_at, updated_at)
     select id, $1, 'github', id, token, now(), now(), now() from unnest($2::text[], $3::bytea[]) as made (id, token)`,
    [userId, ids, ids.map((id) => seal(formerKey, `token of ${id}`, id))],
  );
  const foreign = ids[3] ?? "";
  const lost = seal(randomBytes(32), "lost before", foreign);
  await app.pool.query("update connections set token = $2 where id = $1", [foreign, lost]);
  const sealedWith = async (one: Uint8Array) => {
    const { rows } = await app.pool.query("select id, token from connections order by id");
    return rows.filter((row) => opens(one, row.token, row.id)).map(({ id }) => id as string);
  };
  const isWaiting = async () => {
    const { rows } = await app.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };

  // It gets as far as the second batch, and is killed there.
  const holder = await app.pool.connect();
  await holder.query("begin");
  await holder.query("select from connections where id = $1 for update", [ids[300]]);
  const cut = runService(["rotate-key"], both);
  await until(isWaiting);
  expect([(await sealedWith(key)).length, (await sealedWith(formerKey)).length]).toEqual([199, 300]);
  cut.send("SIGKILL");
  expect(await cut.exitCode).toBeNull();
  await holder.query("rollback");
  holder.release();

  const missing = runService(["serve"], current);
  expect(await missing.exitCode).toBe(1);
  expect(missing.faults()).toEqual([
    "ENCRYPTION_KEY_FORMER is missing, and something is still encrypted with it: restore it, and complete the change with: npx node main.js rotate-key",
  ]);
  for (const id of [ids[0], ids[450]])
    expect(opened(app, await tokenOf(app, id ?? ""), id ?? "")).toBe(`token of ${id}`);

  // A backup of now is restored with both keys, and is completed there like here.
  const file = path.join(app.services.config.dataDir, "midway.backup");
  await succeedCommand(["backup", file], both);
  const elsewhere = await emptyDatabase();
  const there = { DATABASE_URL: urlOf(elsewhere.connection) };
  const former = { ...current, SESSION_SECRET: both.SESSION_SECRET_FORMER, ENCRYPTION_KEY: both.ENCRYPTION_KEY_FORMER };
  const outdated = runService(["restore", file], { ...former, ...there });
  expect([await outdated.exitCode, outdated.faults()]).toEqual([
    1,
    [`cannot restore ${file}: it was made with another ENCRYPTION_KEY`],
  ]);
  await succeedCommand(["restore", file], { ...both, ...there });
  const early = runService(["serve"], { ...current, ...there });
  expect([await early.exitCode, early.faults()]).toEqual([1, missing.faults()]);
  expect((await rotate({ ...both, ...there })).out).toContain("encrypted anew: 304\n");
  const { rows: moved } = await elsewhere.pool.query("select id, token from connections");
  expect(moved.filter(({ id, token }) => opens(key, token, id)).length).toBe(ids.length - 1);

  const done = await rotate(both);
  expect(done).toMatchObject({ code: 0, faults: [] });
  expect(done.out).toContain("encrypted anew: 304\n");
  expect(done.out).toContain("neither key opens, left as they are: 1\n");
  expect(await sealedWith(key)).toEqual(ids.filter((id) => id !== foreign));
  expect(await tokenOf(app, foreign)).toEqual(lost);
  const after = runService(["serve"], current);
  await after.url();
});

const opened = ({ services }: TestApp, sealed: Buffer, id: string) => services.sealing.open(sealed, id);

async function tokenOf({ pool }: TestApp, id: string): Promise<Buffer> {
  return (await pool.query("select token from connections where id = $1", [id])).rows[0].token;
}

function opens(key: Uint8Array, sealed: Uint8Array, context: string): boolean {
  try {
    open([key], sealed, context);
    return true;
  } catch {
    return false;
  }
}

test("generated secrets are changed by renaming their files", async () => {
  const settings = { DATA_DIR: await makeDatabase() };
  const file = (name: string) => path.join(settings.DATA_DIR, name);
  const email = "ada@example.com";
  let service = runService(["serve"], settings);
  let url = await service.url();
  const { data } = await request(url, "POST", "/api/auth/register", { body: { email, password } });
  const webhook = await makeWebhook(url, String(data.token));
  expect(await rotate(settings)).toMatchObject({
    code: 1,
    faults: ["there is no former secret: set SESSION_SECRET_FORMER or ENCRYPTION_KEY_FORMER"],
  });
  for (const name of ["session-secret", "encryption-key"]) await rename(file(name), file(`${name}.former`));
  await stop(service);
  service = runService(["serve"], settings);
  url = await service.url();
  await succeed(url, String(data.token), "GET", "/api/auth/me");
  expect(await rotate(settings)).toMatchObject({ code: 0, faults: [] });
  await stop(service);
  for (const name of ["session-secret", "encryption-key"]) await rm(file(`${name}.former`));
  service = runService(["serve"], settings);
  url = await service.url();
  await expectSigned(url, await signIn(url, email), webhook);
});

test("every column of bytes is known to be sealed or not", async () => {
  const { app } = await makeScene();
  const { rows } = await app.pool.query(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea'`,
  );
  const notSealed = [
    ...["api_keys.hash", "client_links.token_hash", "exchange_codes.hash"],
    ...["finished_sign_ins.hash", "mailed_tokens.hash"],
    ...["held_invitations.address_hash", "invitation_mails.address_hash", "refused_mails.address_hash"],
    ...["idempotency_keys.fingerprint", "known_sign_ins.pair", "request_counts.counter", "try_counts.counter"],
    ...["reviewed_contents.content_hash", "reviewed_contents.reviewed_hash", "reviewed_contents.tree_hash"],
    ...["reviews.content_hash", "version_snapshots.content_hash", "versions.content_hash"],
    ...["secret_marks.former_mark", "secret_marks.mark", "stored_evidence_parts.bytes"],
  ];
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(rows.map(({ name }) => name).sort()).toEqual([...notSealed, ...sealed].sort());
});
