import { connect } from "node:net";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { type ErrorKey, errorKeys, errorRow } from "../../contract/errors.ts";
import { type EndpointId, endpointRows } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { loadConfig } from "../../server/config.ts";
import { fail } from "../../server/http/failure.ts";
import { createServer } from "../../server/http/server.ts";
import { systemClock } from "../../server/platform/clock.ts";
import { type Answer, type RequestOptions, request, start, type TestApp } from "../harness.ts";
import { outsideHandlers, outsideRows } from "../support/outside-rows.ts";
import { serveRows } from "../support/planted-rows.ts";
import { createFaults, type Fault } from "./loops/faults.ts";

const faults = createFaults();
const app = await start({ plant: faults.plant });
const owner = await app.signUp();
const estimation = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "x" } });
const path = `/api/estimations/${estimation.data.estimation?.id}`;

interface Refusal {
  readonly status: number;
  readonly text: string;
}

const asOwner = (method: string, url: string, options: RequestOptions = {}) =>
  app.request(method, url, { token: owner.token, ...options });
const register = (body: object, on: TestApp = app) => on.request("POST", "/api/auth/register", { body });
const newKey = async () => (await asOwner("POST", "/api/api-keys", { body: { name: "k", scopes: [] } })).data;

/** A revoked key's path. */
async function revokedKey(): Promise<string> {
  const key = `/api/api-keys/${(await newKey()).apiKey?.id}`;
  await asOwner("DELETE", key);
  return key;
}

const move = (name: string, below = path) => asOwner("POST", `${below}/${name}`);

/** The path of a submitted estimation. */
async function submitted(): Promise<string> {
  const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
  const below = `/api/estimations/${data.estimation?.id}`;
  const nodes = [{ title: "n", kind: "group", options: [{ title: "o", hours: 1 }] }];
  await asOwner("PUT", `${below}/tree`, { body: { nodes } });
  expect((await move("submit", below)).status).toBe(200);
  return below;
}

interface Threads {
  readonly estimation: string;
  readonly base: string;
  readonly main: string;
  /** A thread that changed the same as Main. */
  readonly other: string;
  /** Of merging it into Main. */
  readonly conflict: string;
}

/** Calls below an estimation with two threads that changed the same; Main has an edit that no version has. */
async function inThreads(
  provoke: (
    send: (method: string, below: string, body?: object) => Promise<Answer>,
    threads: Threads,
  ) => Promise<Answer>,
): Promise<Answer> {
  const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
  const estimation = String(data.estimation?.id);
  const send = (method: string, below: string, body?: object) =>
    asOwner(method, `/api/estimations/${estimation}${below}`, { body });
  const base = String((await send("POST", "/versions")).data.version?.id);
  const other = String((await send("POST", "/threads", { title: "y", baseVersionId: base })).data.thread?.id);
  const main = String((await send("GET", "/threads")).data.threads?.[0]?.id);
  await send("POST", `/threads/${other}/switch`);
  await send("PUT", "", { title: "other" });
  await send("POST", `/threads/${main}/switch`);
  await send("PUT", "", { title: "main" });
  const { data: tried } = await send("POST", `/threads/${other}/merge`, { into: main, dryRun: true });
  return provoke(send, { estimation, base, main, other, conflict: String(tried.merge?.conflicts?.[0]?.id) });
}

/** Makes the next version of an estimation one too many. */
const fillVersions = (estimation: string) =>
  app.pool.query("update versions set number = number + $2 where estimation_id = $1", [estimation, limits.versions]);

/** Somebody who is asked for a review and has a share too, the path of the review and that of a comment of the owner. */
async function asked() {
  const { userId, email, token } = await app.signUp();
  const { data } = await asOwner("POST", `${path}/reviews`, { body: { reviewerId: userId } });
  const shared = await asOwner("POST", `${path}/shares`, { body: { email, permission: "view" } });
  await app.request("POST", `/api/shares/${shared.data.share?.id}/accept`, { token });
  const review = `${path}/reviews/${data.review?.id}`;
  const { data: said } = await asOwner("POST", `${review}/comments`, { body: { body: "!" } });
  return { token, reviewId: String(data.review?.id), review, comment: `${review}/comments/${said.comment?.id}` };
}

/** Sends a verdict on another version than the one that the review is about. */
async function decideAnother(verdict: string) {
  const { token, review } = await asked();
  return app.request("POST", `${review}/${verdict}`, { token, body: { versionId: `ver_${"0".repeat(26)}` } });
}

async function afterWithdrawal<R>(work: (of: Awaited<ReturnType<typeof asked>>) => Promise<R>): Promise<R> {
  const of = await asked();
  await asOwner("POST", `${of.review}/withdraw`);
  return work(of);
}

/** Gives a review as many comments as it may have. */
async function fullOfComments() {
  const of = await asked();
  await app.pool.query(
    `insert into review_comments (id, review_id, author_id, body, created_at)
     select 'cmt_' || left(md5($1 || n), 26), $1, $2, 'x', now() from generate_series(2, $3::int) n`,
    [of.reviewId, owner.userId, limits.commentsPerReview],
  );
  return of;
}

/** An estimation with as many reviews as it may have. */
async function fullOfReviews(): Promise<string> {
  const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
  const below = `/api/estimations/${data.estimation?.id}`;
  await asOwner("POST", `${below}/reviews`, { body: { reviewerId: (await app.signUp()).userId } });
  await app.pool.query(
    `insert into reviews select (jsonb_populate_record(r, jsonb_build_object('id', 'rev_' || left(md5($1 || n), 26), 'status', 'withdrawn'))).*
     from reviews r, generate_series(2, $2::int) n where r.estimation_id = $1`,
    [data.estimation?.id, limits.reviewsPerEstimation],
  );
  return below;
}

/** Sends bytes to a server and reads its whole answer. */
function raw(url: string, bytes: string): Promise<Refusal> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text: text.slice(text.indexOf("{")) }));
    socket.on("error", reject);
  });
}

/** Runs a statement that breaks an app of its own; returns what that then answers. */
async function broken(statement: string): Promise<Refusal> {
  const other = await start();
  const user = await other.signUp();
  await other.pool.query(statement);
  return other.request("GET", "/api/estimations", { token: user.token });
}

/** Repeats a request that failed while it waited for a network, `seconds` after it. */
async function repeatedOutside(seconds: number): Promise<Refusal> {
  const other = await start();
  const { token } = await other.signUp();
  // Nothing listens there.
  const { url } = await serveRows(other.services, outsideRows, outsideHandlers("http://127.0.0.1:1"));
  const options = { token, body: { note: "x" }, headers: { "idempotency-key": "k" } };
  expect((await request(url, "POST", "/api/notes", options)).status).toBe(500);
  await other.clock.advance(seconds * 1_000);
  return request(url, "POST", "/api/notes", options);
}

/** For each error a request that causes it: a missing one does not compile. */
const provocations: { readonly [K in ErrorKey]: () => Promise<Refusal> } = {
  validation_failed: () => asOwner("PUT", path, { body: { title: "" } }),
  invalid_json: () => asOwner("PUT", path, { body: "{" }),
  bad_request: () => app.request("GET", "/api/%zz"),
  invalid_exchange_code: () => app.request("POST", "/api/auth/exchange", { body: { code: "none" } }),
  invalid_reset_token: () =>
    app.request("POST", "/api/auth/reset-password", { body: { token: "none", password: "correct horse battery" } }),
  invalid_verification_token: () => app.request("POST", "/api/auth/verify-email", { body: { token: "none" } }),
  reviewer_is_owner: () => asOwner("POST", `${path}/reviews`, { body: { reviewerEmail: owner.email } }),
  review_moved: () => decideAnother("approve"),
  review_withdrawn: () =>
    afterWithdrawal(({ review }) => asOwner("POST", `${review}/comments`, { body: { body: "?" } })),
  webhook_url_must_be_https: () => asOwner("POST", "/api/webhooks", { body: { url: "http://x.example", events: [] } }),
  authorization_missing: () => app.request("GET", path),
  api_key_invalid: () => app.request("GET", path, { token: "svc_live_none" }),
  token_invalid: () => app.request("GET", path, { token: "none" }),
  async token_revoked() {
    const { token } = await app.signUp();
    await app.request("POST", "/api/auth/logout", { token });
    return app.request("GET", "/api/auth/me", { token });
  },
  invalid_credentials: () =>
    app.request("POST", "/api/auth/login", { body: { email: owner.email, password: "not the one" } }),
  async api_key_insufficient_scope() {
    return app.request("GET", path, { token: String((await newKey()).plaintext) });
  },
  async session_token_required() {
    return app.request("GET", "/api/api-keys", { token: String((await newKey()).plaintext) });
  },
  async forbidden() {
    const mailing = await start({ config: { smtpUrl: "smtp://mail.example" } });
    const { token } = await mailing.signUp();
    return mailing.request("GET", "/api/users?q=a", { token });
  },
  async registration_closed() {
    const closed = await start({ config: { registration: "closed" } });
    return register({ email: "a@example.com", password: "correct horse battery" }, closed);
  },
  google_sign_in_disabled: () => app.request("GET", "/api/auth/google"),
  not_found: () => asOwner("GET", `/api/estimations/est_${"0".repeat(26)}`),
  method_not_allowed: () => asOwner("POST", path),
  async request_timeout() {
    const { app: server } = createServer(
      { config: loadConfig({}), log: pino({ level: "silent" }), clock: systemClock },
      { requestMs: 200 },
    );
    await server.listen({ host: "127.0.0.1", port: 0 });
    const answer = await raw(server.listeningOrigin, "POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n");
    await server.close();
    return answer;
  },
  email_taken: () => register({ email: ` ${owner.email.toUpperCase()} `, password: "correct horse battery" }),
  async limit_reached() {
    const user = await app.signUp();
    await app.pool.query(
      `insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', 'wh_' || left(md5($1 || n), 26), 'user_id', $1::text))).*
       from webhooks w, generate_series(1, $2::int) n where w.id = $3`,
      [user.userId, app.services.config.quotas.webhooks, await aWebhook()],
    );
    return app.request("POST", "/api/webhooks", { token: user.token, body: { url: "https://x.example", events: [] } });
  },
  estimation_locked: async () => asOwner("PUT", await submitted(), { body: { title: "y" } }),
  invalid_transition: () => move("mark-exported"),
  tree_incomplete: () => move("submit"),
  async template_empty() {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "Empty" } });
    const body = { estimationId: data.estimation?.id, name: "Nothing" };
    return asOwner("POST", "/api/templates", { body });
  },
  head_moved: () => asOwner("POST", `${path}/versions`, { body: { expectedHeadVersionId: "none" } }),
  merge_conflict: () => inThreads((send, { main, other }) => send("POST", `/threads/${other}/merge`, { into: main })),
  thread_not_open: () =>
    inThreads(async (send, { other }) => {
      await send("PATCH", `/threads/${other}`, { status: "closed" });
      return send("POST", `/threads/${other}/switch`);
    }),
  thread_in_use: () => inThreads((send, { main }) => send("DELETE", `/threads/${main}`)),
  async invitation_accepted() {
    const { token, share } = await invite();
    await app.request("POST", `/api/shares/${share}/accept`, { token });
    return asOwner("POST", `${path}/shares/${share}/resend`);
  },
  async invitation_expired() {
    const { token, share } = await invite();
    await app.pool.query("update shares set sent_at = sent_at - interval '31 days' where id = $1", [share]);
    return app.request("POST", `/api/shares/${share}/accept`, { token });
  },
  api_key_revoked: async () => asOwner("POST", `${await revokedKey()}/rotate`),
  async delivery_under_way() {
    const webhook = `/api/webhooks/${await aWebhook()}`;
    const { data } = await asOwner("POST", `${webhook}/test`);
    return asOwner("POST", `${webhook}/deliveries/${data.delivery?.id}/redeliver`);
  },
  async webhook_inactive() {
    const webhook = `/api/webhooks/${await aWebhook()}`;
    await asOwner("PATCH", webhook, { body: { active: false } });
    return asOwner("POST", `${webhook}/redeliver-failed`, { body: { since: "2026-01-31T10:30:00+01:00" } });
  },
  async idempotency_key_reused() {
    const post = (title: string) =>
      asOwner("POST", "/api/estimations", { body: { title }, headers: { "idempotency-key": "again" } });
    await post("one");
    return post("two");
  },
  revision_mismatch: () => asOwner("PUT", path, { body: { title: "y" }, headers: { "if-match": '"0"' } }),
  payload_too_large: () => asOwner("PUT", path, { body: " ".repeat(limits.bodyBytes + 1) }),
  unsupported_media_type: () => asOwner("PUT", path, { body: "x", headers: { "content-type": "text/plain" } }),
  async rate_limited() {
    const slow = await start({ config: { rateLimitPerMinute: 1 } });
    await slow.request("GET", "/api/auth/me");
    return slow.request("GET", "/api/auth/me");
  },
  header_fields_too_large: () =>
    raw(app.url, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"y".repeat(limits.headerBytes)}\r\n\r\n`),
  transfer_coding_unknown: () =>
    raw(
      app.url,
      "POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    ),
  async answer_not_kept() {
    const create = () =>
      asOwner("POST", "/api/estimations", { body: { title: "Kept" }, headers: { "idempotency-key": "not-kept" } });
    await create();
    await app.pool.query("update idempotency_keys set data = '{}' where key = 'not-kept'");
    return create();
  },
  request_under_way: () => repeatedOutside(app.services.config.requestTimeoutSeconds - 1),
  outcome_unknown: () => repeatedOutside(app.services.config.requestTimeoutSeconds),
  internal_error: () => broken("alter table estimations rename to gone"),
  service_unavailable: () =>
    broken(`do $$ begin execute format('alter database %I with connection limit 0', current_database());
      perform pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid(); end $$`),
};

/** A user with an invitation to the estimation. */
async function invite(permission = "view") {
  const user = await app.signUp();
  const { data } = await asOwner("POST", `${path}/shares`, { body: { email: user.email, permission } });
  return { ...user, share: String(data.share?.id) };
}

/** What an invited user whose address is not verified is answered, at a path or below the invitation. */
async function unverified(method: string, at: string): Promise<Refusal> {
  const mailing = await start({ config: { smtpUrl: "smtp://mail.example" } });
  const [sharer, user] = [await mailing.signUp(), await mailing.signUp()];
  await mailing.pool.query("update users set email_verified_at = now() where id = $1", [sharer.userId]);
  const { token } = sharer;
  const { data } = await mailing.request("POST", "/api/estimations", { token, body: { title: "x" } });
  const body = { email: user.email, permission: "view" };
  const made = await mailing.request("POST", `/api/estimations/${data.estimation?.id}/shares`, { token, body });
  const url = at.startsWith("/") ? at : `/api/shares/${made.data.share?.id}/${at}`;
  return mailing.request(method, url, { token: user.token });
}

async function aWebhook(): Promise<string> {
  const { data } = await asOwner("POST", "/api/webhooks", { body: { url: "https://x.example", events: [] } });
  return String(data.webhook?.id);
}

/** Throws if an answer is not the declared error `key` in its envelope, or reveals something internal. */
function expectDeclared(key: ErrorKey, answer: Refusal): void {
  const { status, message, code } = errorRow(key);
  const body = JSON.parse(answer.text);
  expect([answer.status, body.success, body.message]).toEqual([status, false, message]);
  expect(body.requestId).toMatch(/\S/);
  expect(body.docUrl).toMatch(new RegExp(`/docs#error-${key}$`));
  expect(body.code).toBe(code);
  expect(body.error).toEqual(code ? { code, message } : undefined);
  const known = ["success", "message", "code", "error", "errors", "details", "hint", "docUrl", "requestId"];
  expect(Object.keys(body).filter((name) => !known.includes(name))).toEqual([]);
  expect(answer.text).not.toMatch(/select |insert |estimations"|node_modules|\.ts:|at \w+ \(/);
}

describe("every declared error", () => {
  test.each(errorKeys)("%s is answered as declared, in the envelope, and tells nothing internal", async (key) => {
    const answer = await provocations[key]();
    expectDeclared(key, answer);
  });
});

test.each<[string, (body: Record<string, unknown>) => object]>([
  ["another message", (body) => ({ ...body, message: "not found" })],
  ["no id of the request", (body) => ({ ...body, requestId: "" })],
  ["an undeclared field", (body) => ({ ...body, stack: "" })],
  ["a statement", (body) => ({ ...body, details: { query: "select 1" } })],
  ["a place in the code", (body) => ({ ...body, details: { at: "mount.ts:42" } })],
])("an error answer with %s is found", async (_, spoil) => {
  const answer = await provocations.not_found();
  expectDeclared("not_found", answer);
  const text = JSON.stringify(spoil(JSON.parse(answer.text)));
  expect(() => expectDeclared("not_found", { ...answer, text })).toThrow();
  expect(() => expectDeclared("not_found", { ...answer, status: 403 })).toThrow("403");
});

/** Takes 40,000 bytes: two of them go beyond a step in which trees are accounted. */
const LARGE = { title: "large", description: "𝄞".repeat(limits.descriptionLength) };

/** A user who has an estimation with a tree, and by then the quotas of both. */
async function fullUser() {
  const small = await start();
  const { token } = await small.signUp();
  const { data } = await small.request("POST", "/api/estimations", { token, body: { title: "x" } });
  const below = `/api/estimations/${data.estimation?.id}`;
  const nodes = [{ title: "n", kind: "group", options: [{ title: "o" }, LARGE] }];
  const stored = await small.request("PUT", `${below}/tree`, { token, body: { nodes } });
  const { id: node, options } = stored.data.tree?.nodes?.[0] ?? {};
  const { treeBytes, estimations } = small.services.config.quotas;
  await small.pool.query("update estimation_usage set tree_steps = $1, estimations = $2", [
    treeBytes / (64 * 1024),
    estimations,
  ]);
  const send = (method: string, path: string, body?: object) =>
    small.request(method, path.startsWith("/api/") ? path : below + path, { token, body });
  return { send, node, option: options?.[0]?.id, pool: small.pool, estimationId: data.estimation?.id };
}

/** The same with a timeline that is accounted from its next byte on. */
async function fullUserWithTimeline() {
  const { send, node, pool, estimationId } = await fullUser();
  const milestone = { id: `mst_${"0".repeat(26)}`, title: "", dueDate: "2027-03-01", nodeIds: [], taskIds: [] };
  const bytes = 64 * 1024 - 1;
  const title = "x".repeat(bytes - JSON.stringify([milestone]).length);
  await pool.query("insert into timelines (estimation_id, milestones, bytes) values ($1, $2::json, $3)", [
    estimationId,
    JSON.stringify([{ ...milestone, title }]),
    bytes,
  ]);
  return { send, node, milestone: milestone.id };
}

/** A user whose versions take the whole quota, who has an estimation with a version and other content by then. */
async function userWithVersions() {
  const small = await start();
  const { token } = await small.signUp();
  const { data } = await small.request("POST", "/api/estimations", { token, body: { title: "x" } });
  const below = `/api/estimations/${data.estimation?.id}`;
  const send = (method: string, under: string, body?: object) =>
    small.request(method, under.startsWith("/api/") ? under : below + under, { token, body });
  await send("PUT", "/tree", { nodes: [{ title: "n", kind: "group", options: [{ title: "o" }] }] });
  const { version } = (await send("POST", "/versions")).data;
  await send("PUT", "", { title: "y" });
  await small.pool.query("update estimation_usage set version_bytes = $1", [small.services.config.quotas.versionBytes]);
  return { send, version: version?.id, estimationId: String(data.estimation?.id) };
}

/** A new user of an instance that is not local, so that the address is not verified, with an estimation that has a node. */
async function newcomer() {
  const mailing = await start({ config: { smtpUrl: "smtp://mail.example" } });
  const { token } = await mailing.signUp();
  const send = (method: string, at: string, body?: object) => mailing.request(method, at, { token, body });
  const { data } = await send("POST", "/api/estimations", { title: "x" });
  const estimationId = String(data.estimation?.id);
  await send("PUT", `/api/estimations/${estimationId}/tree`, { nodes: [{ title: "n", kind: "group" }] });
  return { send, estimationId };
}

async function aTemplate(of: { send: Awaited<ReturnType<typeof newcomer>>["send"]; estimationId: string }) {
  const body = { estimationId: of.estimationId, name: "x" };
  return String((await of.send("POST", "/api/templates", body)).data.template?.id);
}

/** For each row and each error that it declares itself, a request that causes it. */
const own: Readonly<Record<string, () => Promise<Refusal>>> = {
  "registerUser registration_closed": provocations.registration_closed,
  "registerUser email_taken": provocations.email_taken,
  "logIn invalid_credentials": provocations.invalid_credentials,
  "changePassword invalid_credentials": () =>
    asOwner("POST", "/api/auth/change-password", {
      body: { currentPassword: "not the one", newPassword: "correct horse battery" },
    }),
  "resetPassword invalid_reset_token": provocations.invalid_reset_token,
  "verifyEmail invalid_verification_token": provocations.invalid_verification_token,
  "searchUsers forbidden": provocations.forbidden,
  "startGoogleSignIn google_sign_in_disabled": provocations.google_sign_in_disabled,
  "finishGoogleSignIn google_sign_in_disabled": () => app.request("GET", "/api/auth/google/callback?code=x&state=y"),
  "createApiKey limit_reached": async () => {
    const user = await app.signUp();
    await app.makeKey(user, []);
    await app.pool.query(
      `insert into api_keys select (jsonb_populate_record(k, jsonb_build_object('id', 'key_' || lpad(n::text, 26, '0'),
         'hash', '\\x' || encode(sha256(($1 || n)::bytea), 'hex')))).* from api_keys k, generate_series(2, $2::int) n where k.user_id = $1`,
      [user.userId, app.services.config.quotas.apiKeys],
    );
    return app.request("POST", "/api/api-keys", { token: user.token, body: { name: "k", scopes: [] } });
  },
  "updateApiKey api_key_revoked": async () => asOwner("PATCH", await revokedKey(), { body: { name: "x" } }),
  "rotateApiKey api_key_revoked": provocations.api_key_revoked,
  "createWebhook webhook_url_must_be_https": provocations.webhook_url_must_be_https,
  "createWebhook limit_reached": provocations.limit_reached,
  "createConnection limit_reached": async () => {
    const small = await start({ config: { quotas: { ...app.services.config.quotas, connections: 0 } } });
    const { token } = await small.signUp();
    return small.request("POST", "/api/connections", { token, body: { target: "github", name: "x", token: "ghp_x" } });
  },
  "createEstimation limit_reached": async () => (await fullUser()).send("POST", "/api/estimations", { title: "y" }),
  "restoreDeletedEstimation limit_reached": async () => {
    const { send } = await fullUser();
    await send("DELETE", "");
    await send("POST", "/api/estimations", { title: "y" });
    return send("POST", "/restore-deleted");
  },
  "duplicateEstimation limit_reached": async () => (await fullUser()).send("POST", "/duplicate"),
  "importEstimation limit_reached": async () =>
    (await fullUser()).send("POST", "/api/estimations/import", { format: "outline", content: "# y" }),
  "replaceTree limit_reached": async () =>
    (await fullUser()).send("PUT", "/tree", { nodes: [{ title: "n", kind: "group", options: [LARGE, LARGE] }] }),
  "createNode limit_reached": async () => (await fullUser()).send("POST", "/tree/nodes", { ...LARGE, kind: "group" }),
  "updateNode limit_reached": async () => {
    const { send, node } = await fullUser();
    return send("PATCH", `/tree/nodes/${node}`, LARGE);
  },
  "createOption limit_reached": async () => {
    const { send, node } = await fullUser();
    return send("POST", `/tree/nodes/${node}/options`, LARGE);
  },
  "updateOption limit_reached": async () => {
    const { send, option } = await fullUser();
    return send("PATCH", `/tree/options/${option}`, LARGE);
  },
  "updateTimeline limit_reached": async () =>
    (await fullUserWithTimeline()).send("PUT", "/timeline", { hoursPerDay: 6 }),
  "createMilestone limit_reached": async () =>
    (await fullUserWithTimeline()).send("POST", "/milestones", { title: "x", dueDate: "2027-03-01" }),
  "updateMilestone limit_reached": async () => {
    const { send, node, milestone } = await fullUserWithTimeline();
    return send("PATCH", `/milestones/${milestone}`, { nodeIds: [node] });
  },
  "submitEstimation invalid_transition": async () => move("submit", await submitted()),
  "submitEstimation tree_incomplete": provocations.tree_incomplete,
  "submitEstimation limit_reached": async () => (await userWithVersions()).send("POST", "/submit"),
  "markTasksGenerated invalid_transition": () => move("mark-tasks-generated"),
  "markExported invalid_transition": provocations.invalid_transition,
  "reopenEstimation invalid_transition": () => move("reopen"),
  "createVersion limit_reached": async () => (await userWithVersions()).send("POST", "/versions"),
  "createVersion head_moved": provocations.head_moved,
  "restoreVersion limit_reached": async () => {
    const { send, version } = await userWithVersions();
    return send("POST", `/versions/${version}/restore`);
  },
  "getNotifications forbidden": async () => (await newcomer()).send("GET", "/api/auth/me/notifications"),
  "updateNotifications forbidden": async () =>
    (await newcomer()).send("PATCH", "/api/auth/me/notifications", { shareInvited: false }),
  "createTemplate not_found": () =>
    asOwner("POST", "/api/templates", { body: { estimationId: "est_none", name: "x" } }),
  "createTemplate forbidden": async () => {
    const { send, estimationId } = await newcomer();
    return send("POST", "/api/templates", { estimationId, name: "x", visibility: "instance" });
  },
  "createTemplate template_empty": provocations.template_empty,
  "createTemplate limit_reached": async () => {
    const small = await start({ config: { quotas: { ...app.services.config.quotas, templates: 0 } } });
    const { token } = await small.signUp();
    const { data } = await small.request("POST", "/api/estimations", { token, body: { title: "x" } });
    const estimationId = data.estimation?.id;
    const nodes = [{ title: "n", kind: "group" }];
    await small.request("PUT", `/api/estimations/${estimationId}/tree`, { token, body: { nodes } });
    return small.request("POST", "/api/templates", { token, body: { estimationId, name: "x" } });
  },
  "deleteTemplate forbidden": async () => {
    const { data } = await asOwner("POST", "/api/estimations", { body: { title: "x" } });
    const estimationId = data.estimation?.id;
    const nodes = [{ title: "n", kind: "group" }];
    await asOwner("PUT", `/api/estimations/${estimationId}/tree`, { body: { nodes } });
    const body = { estimationId, name: "x", visibility: "instance" };
    const { template } = (await asOwner("POST", "/api/templates", { body })).data;
    const { token } = await app.signUp();
    return app.request("DELETE", `/api/templates/${template?.id}`, { token });
  },
  "applyTemplate limit_reached": async () => {
    const { send, estimationId } = await userWithVersions();
    const templateId = await aTemplate({ send, estimationId });
    return send("POST", "/apply-template", { templateId, mode: "append" });
  },
  "createThread limit_reached": () =>
    inThreads(async (send, { estimation, base }) => {
      await app.pool.query(
        `insert into threads select 'thr_' || left(md5($1 || n), 26), $1, 'x', null, null, 'open', false, now()
         from generate_series(1, $2::int) n`,
        [estimation, limits.threads],
      );
      return send("POST", "/threads", { title: "x", baseVersionId: base });
    }),
  "updateThread thread_in_use": () =>
    inThreads((send, { main }) => send("PATCH", `/threads/${main}`, { status: "closed" })),
  "deleteThread thread_in_use": provocations.thread_in_use,
  "switchThread thread_not_open": provocations.thread_not_open,
  "switchThread limit_reached": () =>
    inThreads(async (send, { estimation, other }) => {
      await fillVersions(estimation);
      return send("POST", `/threads/${other}/switch`);
    }),
  "mergeThread merge_conflict": provocations.merge_conflict,
  "mergeThread head_moved": () =>
    inThreads((send, { main, other }) =>
      send("POST", `/threads/${other}/merge`, { into: main, expectedHeads: { from: "none", into: "none" } }),
    ),
  "mergeThread thread_not_open": () =>
    inThreads(async (send, { main, other }) => {
      await send("PATCH", `/threads/${other}`, { status: "closed" });
      return send("POST", `/threads/${main}/merge`, { into: other });
    }),
  "mergeThread limit_reached": () =>
    inThreads(async (send, { estimation, main, other, conflict }) => {
      await fillVersions(estimation);
      const resolutions = [{ id: conflict, side: "from" }];
      return send("POST", `/threads/${other}/merge`, { into: main, resolutions });
    }),
  "createThreadMessage limit_reached": () =>
    inThreads(async (send, { estimation, main }) => {
      await app.pool.query(
        `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
         select 'msg_' || left(md5($1 || n), 26), $1, $2, $3, 'x', now() from generate_series(1, $4::int) n`,
        [estimation, main, owner.userId, limits.threadMessages],
      );
      return send("POST", `/threads/${main}/messages`, { body: "x" });
    }),
  "updateWebhook webhook_url_must_be_https": async () =>
    asOwner("PATCH", `/api/webhooks/${await aWebhook()}`, { body: { url: "http://x.example" } }),
  "createShare limit_reached": async () => {
    const other = await app.signUp();
    const { data } = await app.request("POST", "/api/estimations", { token: other.token, body: { title: "x" } });
    await app.pool.query(
      `insert into shares (id, estimation_id, email, permission, sharer_id, created_at, sent_at)
       select 'shr_' || left(md5($1 || n), 26), $1, n || '@example.org', 'view', $2, now(), now() from generate_series(1, $3::int) n`,
      [data.estimation?.id, other.userId, limits.sharesPerEstimation],
    );
    const body = { email: "one-more@example.org", permission: "view" };
    return app.request("POST", `/api/estimations/${data.estimation?.id}/shares`, { token: other.token, body });
  },
  "requestReview reviewer_is_owner": provocations.reviewer_is_owner,
  "requestReview limit_reached": async () =>
    asOwner("POST", `${await fullOfReviews()}/reviews`, { body: { reviewerId: (await app.signUp()).userId } }),
  "approveReview review_moved": provocations.review_moved,
  "requestChanges review_moved": () => decideAnother("request-changes"),
  "approveReview review_withdrawn": () =>
    afterWithdrawal(({ token, review }) => app.request("POST", `${review}/approve`, { token })),
  "requestChanges review_withdrawn": () =>
    afterWithdrawal(({ token, review }) => app.request("POST", `${review}/request-changes`, { token })),
  "approveReview limit_reached": async () => {
    const { token, review } = await fullOfComments();
    return app.request("POST", `${review}/approve`, { token, body: { comment: "x" } });
  },
  "requestChanges limit_reached": async () => {
    const { token, review } = await fullOfComments();
    return app.request("POST", `${review}/request-changes`, { token, body: { comment: "x" } });
  },
  "createComment review_withdrawn": provocations.review_withdrawn,
  "createComment limit_reached": async () =>
    asOwner("POST", `${(await fullOfComments()).review}/comments`, { body: { body: "x" } }),
  "updateComment review_withdrawn": () =>
    afterWithdrawal(({ comment }) => asOwner("PATCH", comment, { body: { body: "x" } })),
  "deleteComment review_withdrawn": () => afterWithdrawal(({ comment }) => asOwner("DELETE", comment)),
  "resendShare invitation_accepted": provocations.invitation_accepted,
  "listMyShares forbidden": () => unverified("GET", "/api/shares/me"),
  "acceptShare forbidden": () => unverified("POST", "accept"),
  "acceptShare invitation_expired": provocations.invitation_expired,
  "transferEstimation limit_reached": async () => {
    const { token, share, userId } = await invite("edit");
    await app.request("POST", `/api/shares/${share}/accept`, { token });
    await app.pool.query("insert into estimation_usage (owner_id, estimations, tree_steps) values ($1, $2, 0)", [
      userId,
      app.services.config.quotas.estimations,
    ]);
    return asOwner("POST", `${path}/transfer`, { body: { userId } });
  },
  "redeliver delivery_under_way": provocations.delivery_under_way,
  "redeliverFailed webhook_inactive": provocations.webhook_inactive,
};

describe("every error that an endpoint names of its own", () => {
  const named = endpointRows.flatMap(([id, { errors = [] }]) => errors.map((key) => [`${id} ${key}`, key] as const));

  const expectRunInto = async (name: string, key: ErrorKey): Promise<void> => {
    expect(own, `no provocation of ${name}`).toHaveProperty([name]);
    const answer = await own[name]?.();
    expect([answer?.status, JSON.parse(answer?.text ?? "{}").message]).toEqual([
      errorRow(key).status,
      errorRow(key).message,
    ]);
  };

  test.each(named)("%s is run into", expectRunInto);

  test.each<[string, EndpointId, ErrorKey, Fault, RegExp]>([
    [
      "does what it should refuse",
      "rotateApiKey",
      "api_key_revoked",
      { handler: async () => ({ data: (await newKey()) as never }) },
      /expected \[ 200, .*\[ 409,/,
    ],
    [
      "refuses with another error",
      "updateApiKey",
      "api_key_revoked",
      { handler: async () => fail("not_found") },
      /expected \[ 404, 'not_found' \] to deeply equal \[ 409,/,
    ],
    ["names an error that nothing provokes", "listTasks", "email_taken", {}, /no provocation of listTasks email_taken/],
  ])("the loop is red where a row %s: %s", async (_, id, key, fault, complaint) => {
    await faults.during(id, fault, () => expect(expectRunInto(`${id} ${key}`, key)).rejects.toThrow(complaint));
  });

  test("is all that is provoked here", () => {
    expect(Object.keys(own).filter((name) => !named.some(([known]) => known === name))).toEqual([]);
  });
});
