import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { plansOf } from "../../../tests/support/plans.ts";
import { countActiveOf } from "./store.ts";

const LIMIT = limits.exportsPerConnection;
const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Build server", hours: 8 }] }];

// No worker runs: what was started stays under way.
const app = await start();
const { token, userId, email } = await app.signUp();
const call = (method: string, path: string, body?: object) => app.request(method, path, { token, body });

async function connect(): Promise<string> {
  const { data } = await call("POST", "/api/connections", { target: "github", name: "Shop", token: "ghp_x" });
  return String(data.connection?.id);
}

/** The path of an estimation with tasks. */
async function estimate(): Promise<string> {
  const { data } = await call("POST", "/api/estimations", { title: "Shop" });
  const path = `/api/estimations/${data.estimation?.id}`;
  await call("PUT", `${path}/tree`, { nodes });
  await call("POST", `${path}/tasks/generate`);
  return path;
}

const begin = (path: string, connectionId: string) =>
  call("POST", `${path}/tasks/export`, { target: "github", connectionId, repository: "acme/shop" });

test(`${LIMIT} exports by one connection are under way at the same time, and no further one`, async () => {
  const [connectionId, another] = [await connect(), await connect()];
  const paths: string[] = [];
  for (let at = 0; at <= LIMIT; at += 1) paths.push(await estimate());
  // All at once: they wait for each other to count.
  const responses = await Promise.all(paths.map((path) => begin(path, connectionId)));
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(LIMIT).fill(202), 409]);
  const refusedAt = responses.findIndex(({ status }) => status === 409);
  const beyond = String(paths[refusedAt]);
  const details = { quota: "exportsPerConnection", limit: LIMIT };
  expect(responses[refusedAt]?.body).toMatchObject({ message: "limit_reached", details });
  expect((await begin(beyond, connectionId)).status).toBe(409);

  const startedAt = responses.findIndex(({ status }) => status === 202);
  const exportId = responses[startedAt]?.data.export?.id;
  const resume = () => call("POST", `${paths[startedAt]}/exports/${exportId}/resume`);
  const end = () =>
    app.pool.query("update export_runs set status = 'cancelled', ended_at = now() where id = $1", [exportId]);
  await end();
  expect((await resume()).status).toBe(202);
  await end();
  expect((await begin(beyond, connectionId)).status).toBe(202);
  const refused = await resume();
  expect([refused.status, refused.body.details]).toEqual([409, details]);
  // Another connection has its own.
  expect((await begin(await estimate(), another)).status).toBe(202);
});

test("a user has no more exports under way than the setting allows, over all connections", async () => {
  const most = 3;
  const small = await start({ config: { quotas: { ...app.services.config.quotas, exports: most } } });
  const someone = await small.signUp();
  const send = (method: string, path: string, body?: object) =>
    small.request(method, path, { token: someone.token, body });
  const runBy = async () => {
    const body = { target: "github", name: "Shop", token: "ghp_x" };
    const { id: connectionId } = (await send("POST", "/api/connections", body)).data.connection ?? {};
    const { id } = (await send("POST", "/api/estimations", { title: "Shop" })).data.estimation ?? {};
    const path = `/api/estimations/${id}`;
    await send("PUT", `${path}/tree`, { nodes });
    await send("POST", `${path}/tasks/generate`);
    const run = { target: "github", connectionId, repository: "acme/shop" };
    return () => send("POST", `${path}/tasks/export`, run);
  };
  const responses = [];
  for (let at = 0; at < most; at += 1) responses.push(await (await runBy())());
  const first = responses[0]?.data.export;
  expect(responses.map(({ status }) => status)).toEqual(Array(most).fill(202));
  const beyond = await runBy();
  const { status, body } = await beyond();
  expect([status, body.message, body.details]).toEqual([409, "limit_reached", { quota: "exports", limit: most }]);
  await small.pool.query("update export_runs set status = 'cancelled', ended_at = now() where id = $1", [first?.id]);
  expect((await beyond()).status).toBe(202);
  const resume = () => send("POST", `/api/estimations/${first?.estimationId}/exports/${first?.id}/resume`);
  const resumed = await resume();
  expect([resumed.status, resumed.body.details]).toEqual([409, { quota: "exports", limit: most }]);

  await small.pool.query(
    `insert into export_runs select copy.* from export_runs r, generate_series(1, 20000) n,
       jsonb_populate_record(r, jsonb_build_object('id', 'exp_' || lpad(n::text, 26, '0'), 'status', 'completed')) copy
     where r.id = $1`,
    [first?.id],
  );
  await small.pool.query("analyze export_runs");
  const [plan = ""] = await plansOf(small.pool, async (db) =>
    expect(await countActiveOf(db, someone.userId)).toBe(most),
  );
  expect(plan).toContain("export_runs_by_user");
  expect(plan).not.toContain("Seq Scan");
});

/** Lets an estimation remember issues of tasks `first` to `last`. So many: no reference of a row is checked, as in a replica. */
const remember = (estimationId: string, first: number, last: number) =>
  app.pool.query(
    `begin; set local session_replication_role = replica;
     insert into export_ledger (estimation_id, destination, task_id, target, state, marker, touched_at)
     select '${estimationId}', 'github', 'former-' || n, 'github', 'created', n, now() from generate_series(${first}, ${last}) as n;
     commit`,
  );
const idOf = (path: string) => String(path.split("/").at(-1));

/** Runs `work`, which changes nothing. The database compares so many remembered issues: a changed row has a later transaction. */
async function refusedOf<R>(work: () => Promise<R>): Promise<R> {
  const ledger = async () => (await app.pool.query("select count(*), max(xmin::text::bigint) from export_ledger")).rows;
  const before = await ledger();
  const refused = await work();
  expect(await ledger()).toEqual(before);
  return refused;
}

test("an estimation can be exported until the maximum number of its issues is remembered", async () => {
  const path = await estimate();
  const connectionId = await connect();
  const estimationId = idOf(path);
  const end = () =>
    app.pool.query("update export_runs set status = 'cancelled' where estimation_id = $1", [estimationId]);
  await remember(estimationId, 1, limits.exportedTasks - 1);
  expect((await begin(path, connectionId)).status).toBe(202);
  await end();
  await remember(estimationId, limits.exportedTasks, limits.exportedTasks);
  const refused = await refusedOf(() => begin(path, connectionId));
  const details = { quota: "exportedTasks", limit: limits.exportedTasks };
  expect([refused.status, refused.body]).toMatchObject([409, { message: "limit_reached", details }]);
});

test("an owner's estimations can be exported until the maximum number of issues of all of them is remembered", async () => {
  const [path, other] = [await estimate(), await estimate()];
  const connectionId = await connect();
  const runs = async () =>
    (await app.pool.query("select id from export_runs where estimation_id = $1", [idOf(path)])).rowCount;
  // Those of other owners do not count.
  const stranger = await app.signUp();
  const theirs = await app.request("POST", "/api/estimations", { token: stranger.token, body: { title: "Theirs" } });
  await remember(String(theirs.data.estimation?.id), 1, 10);
  const { rows } = await app.pool.query(
    "select count(*)::int as n from export_ledger l join estimations e on e.id = l.estimation_id where e.owner_id <> $1",
    [stranger.userId],
  );
  // Those of a deleted estimation do, until it is removed.
  await remember(idOf(other), 1, limits.exportedTasksPerOwner - rows[0].n - 1);
  expect((await call("DELETE", other)).status).toBe(200);
  expect((await begin(path, connectionId)).status).toBe(202);
  await app.pool.query("update export_runs set status = 'cancelled' where estimation_id = $1", [idOf(path)]);
  await remember(idOf(path), 1, 1);
  const refused = await refusedOf(() => begin(path, connectionId));
  const details = { quota: "exportedTasksPerOwner", limit: limits.exportedTasksPerOwner };
  expect([refused.status, refused.body]).toMatchObject([409, { message: "limit_reached", details }]);
  expect(await runs()).toBe(1);

  // Nobody else may bring an owner beyond half of it, neither by handing an estimation over nor by exporting one.
  const half = { quota: "exportedTasksPerOwner", limit: limits.exportedTasksPerOwner / 2 };
  const former = await app.signUp();
  const send = (method: string, path: string, body?: object) =>
    app.request(method, path, { token: former.token, body });
  const handedOver = String((await send("POST", "/api/estimations", { title: "Handed over" })).data.estimation?.id);
  const invited = await send("POST", `/api/estimations/${handedOver}/shares`, { email, permission: "edit" });
  expect((await call("POST", `/api/shares/${invited.data.share?.id}/accept`)).status).toBe(200);
  await remember(handedOver, 1, 1);
  const transfer = () => send("POST", `/api/estimations/${handedOver}/transfer`, { userId });
  const kept = await refusedOf(transfer);
  expect([kept.status, kept.body.details]).toEqual([409, half]);
});
