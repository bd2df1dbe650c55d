import { expect, test } from "vitest";
import { start } from "../tests/harness.ts";
import { changesNothing } from "../tests/support/dump.ts";

const app = await start();

async function addExamples(token: string, key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  return await app.request("POST", "/api/estimations/examples", { token, headers });
}

/** Returns the finished tasks that count for somebody's accuracy, and for the suggestion about an estimation. */
async function evidenceOf(token: string, id: string | undefined): Promise<[number, number]> {
  const get = async (path: string) => (await app.request("GET", path, { token })).data;
  const accuracy = (await get("/api/tasks/accuracy")).accuracy as unknown as { ratio: { n: number } };
  const suggestion = (await get(`/api/estimations/${id}/suggestion`)).suggestion as unknown as {
    evidence: { n: number };
  };
  return [accuracy.ratio.n, suggestion.evidence.n];
}

test("examples show every page: versions, a decided review, tasks with actual hours, a schedule and milestones", async () => {
  const { token } = await app.signUp();
  const { status, data } = await addExamples(token);
  expect(status).toBe(200);
  const shown = data.estimations as unknown as { id: string; title: string; status: string; reviewState: string }[];
  expect(shown).toHaveLength(3);
  const listed = (await app.request("GET", "/api/estimations", { token })).data.estimations;
  expect(listed).toEqual(shown);
  const get = async (at: number, path: string) =>
    (await app.request("GET", `/api/estimations/${shown[at]?.id}${path}`, { token })).data;

  expect(shown.map((one) => [one.status, one.reviewState])).toEqual([
    ["tasks_generated", "none"],
    ["draft", "approved"],
    ["draft", "none"],
  ]);
  const tasks = (await get(0, "/tasks?limit=100")).tasks as unknown as {
    actualHours: number | null;
    doneAt: string | null;
  }[];
  const done = tasks.filter(({ doneAt }) => doneAt !== null);
  expect(done.length).toBeGreaterThan(10);
  expect(tasks.length).toBeGreaterThan(2 * done.length);
  for (const { actualHours, doneAt } of done) {
    expect(actualHours).toBeGreaterThan(0);
    expect(new Date(doneAt ?? "").getTime()).toBeLessThanOrEqual(app.clock.now().getTime());
  }
  const { timeline } = await get(0, "/timeline");
  expect(timeline).toMatchObject({ problem: null });
  const { milestones } = await get(0, "/milestones");
  expect(milestones).toHaveLength(2);
  expect(milestones?.[1]?.forecast).toMatchObject({});
  const { reviews } = await get(1, "/reviews");
  expect(reviews).toMatchObject([{ status: "approved", stale: false, reviewer: { name: "Robin (example)" } }]);
  const { versions } = await get(2, "/versions");
  const [last, first] = versions as unknown as { id: string; label: string }[];
  expect([last?.label, first?.label]).toEqual(["After the first interviews", "First offer"]);
  const { diff } = await get(2, `/versions/${first?.id}/diff?against=${last?.id}`);
  expect(JSON.stringify(diff)).toContain("hours");
});

test("examples count neither in how accurate somebody is nor for suggestions, and nobody is notified of them", async () => {
  const { token } = await app.signUp();
  const { data } = await addExamples(token);
  const [withTasks, other] = data.estimations as unknown as { id: string }[];
  const get = async (path: string) => (await app.request("GET", path, { token })).data;
  expect(await evidenceOf(token, other?.id)).toEqual([0, 0]);
  expect((await get("/api/notifications")).notifications).toEqual([]);
  expect((await app.pool.query("select kind, user_id from notifications")).rows).toEqual([]);
  // The same tasks of one's own do count.
  await app.pool.query("update estimations set is_example = false where id = $1", [withTasks?.id]);
  const [counted, used] = await evidenceOf(token, other?.id);
  expect(counted).toBeGreaterThan(10);
  expect(used).toBeGreaterThan(10);
});

/** Finishes all tasks of an estimation, with the hours that were estimated. */
async function finishAll(token: string, path: string) {
  const send = async (method: string, to: string, body?: object) =>
    (await app.request(method, path + to, { token, ...(body && { body }) })).data;
  await send("POST", "/submit");
  const tasks = (await send("POST", "/tasks/generate")).tasks as unknown as { id: string; hours: number | null }[];
  const working = tasks.filter(({ hours }) => hours !== null && hours > 0);
  for (const { id, hours } of working)
    await send("PATCH", `/tasks/${id}`, { actualHours: hours, doneAt: app.clock.now().toISOString() });
  return working.length;
}

test("a copy of an example, also by somebody else, is an example: its tasks say nothing", async () => {
  const [{ token }, other] = [await app.signUp(), await app.signUp()];
  const [, , example] = (await addExamples(token)).data.estimations as unknown as { id: string }[];
  const body = { email: other.email, permission: "view" };
  const { share } = (await app.request("POST", `/api/estimations/${example?.id}/shares`, { token, body })).data;
  await app.request("POST", `/api/shares/${share?.id}/accept`, { token: other.token });
  const duplicate = async () => {
    const made = await app.request("POST", `/api/estimations/${example?.id}/duplicate`, { token: other.token });
    return made.data.estimation as unknown as { id: string; isExample: boolean };
  };
  const [copy, asked] = [await duplicate(), await duplicate()];
  expect(copy.isExample).toBe(true);
  expect(await finishAll(other.token, `/api/estimations/${copy.id}`)).toBeGreaterThan(5);
  expect(await evidenceOf(other.token, asked.id)).toEqual([0, 0]);
  await app.pool.query("update estimations set is_example = false where id = $1", [copy.id]);
  const counted = await evidenceOf(other.token, asked.id);
  expect(counted[0]).toBeGreaterThan(5);
  expect(counted[1]).toBe(counted[0]);
});

test("neither a template of an example nor its exported file carries the mark", async () => {
  const { token } = await app.signUp();
  const [, , example] = (await addExamples(token)).data.estimations as unknown as { id: string }[];
  const send = async (method: string, path: string, body?: object) =>
    await app.request(method, path, { token, ...(body && { body }) });
  const template = (await send("POST", "/api/templates", { estimationId: example?.id, name: "Migration" })).data
    .template;
  expect(JSON.stringify(template)).not.toContain("isExample");
  const own = (await send("POST", "/api/estimations", { title: "Our own" })).data.estimation;
  await send("POST", `/api/estimations/${own?.id}/apply-template`, { templateId: template?.id, mode: "append" });
  const applied = (await send("GET", `/api/estimations/${own?.id}`)).data.estimation;
  expect(applied).toMatchObject({ isExample: false });
  expect((applied as unknown as { hours: { p50: number } }).hours.p50).toBeGreaterThan(0);
  const file = (await send("GET", `/api/estimations/${example?.id}/export?format=json`)).text;
  expect(file).not.toContain("isExample");
  const imported = (await send("POST", "/api/estimations/import", { format: "json", content: file })).data.estimation;
  expect(imported).toMatchObject({ isExample: false });
});

test("a request that is sent again adds nothing, and one beyond the quota changes nothing", async () => {
  const { token, userId } = await app.signUp();
  const key = "6f1c1c52-2f7b-4d0e-9d0a-0f1f0c5b1a11";
  const [first, again] = [await addExamples(token, key), await addExamples(token, key)];
  expect([again.status, again.text]).toEqual([200, first.text]);
  const count = async () => (await app.request("GET", "/api/estimations", { token })).data.estimations?.length;
  expect(await count()).toBe(3);
  await app.pool.query("update estimation_usage set estimations = 9998 where owner_id = $1", [userId]);
  const refused = await changesNothing(app, () => addExamples(token));
  expect([refused.status, refused.body.message]).toEqual([409, "limit_reached"]);
});

test("nobody can find, ask or be the account that reviews them, and it gets no mail", async () => {
  const { token } = await app.signUp();
  await addExamples(token);
  const found = await app.request("GET", "/api/users?q=Robin", { token });
  expect(found.data.users).toEqual([]);
  const { rows } = await app.pool.query("select email, password_hash from users where stands_for = 'examples'");
  expect(rows).toEqual([{ email: "the reviewer of the examples", password_hash: null }]);
  const body = { email: rows[0].email, password: "correct horse battery" };
  expect((await app.request("POST", "/api/auth/register", { body })).status).toBe(400);
});

test("where an address has to be verified and is not, there is no review", async () => {
  const strict = await start({ config: { smtpUrl: "smtp://127.0.0.1:9" } });
  const { token } = await strict.signUp();
  const { status, data } = await strict.request("POST", "/api/estimations/examples", { token });
  expect(status).toBe(200);
  const states = (data.estimations as unknown as { reviewState: string }[]).map(({ reviewState }) => reviewState);
  expect(states).toEqual(["none", "none", "none"]);
});
