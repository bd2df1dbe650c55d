import { expect, test } from "vitest";
import { ADMITTED } from "../../server/http/admission.ts";
import { start, type TestUser } from "../harness.ts";

const app = await start();

/** A tree of some hundred KiB. */
const large = {
  nodes: Array.from({ length: 400 }, (_, node) => ({
    title: `Which way to build part ${node}?`,
    kind: "multi",
    options: Array.from({ length: 5 }, (_, option) => ({
      title: `Way ${option} to build it`,
      description: "As the client described it",
      hours: { optimistic: 1, likely: 9, pessimistic: 16 + option },
    })),
  })),
};
/** As many as may wait of one user. */
const EACH = 8;

/** Makes estimations, and returns what saves a large tree in each. */
const savesOf = ({ token }: TestUser) =>
  Promise.all(
    Array.from({ length: EACH }, async () => {
      const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
      const path = `/api/estimations/${data.estimation?.id}/tree`;
      return () => app.request("PUT", path, { token, body: large });
    }),
  );

/** Transactions of the service that are open while it does something else than to ask the database. */
async function waitingInside(): Promise<number> {
  const { rows } = await app.pool.query(
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
  );
  return rows[0].n;
}

test("two users' large saves hold no connections while they wait for their turn, and small requests are served", async () => {
  const users = [await app.signUp(), await app.signUp()];
  const saves = (await Promise.all(users.map(savesOf))).flat();
  const { token } = await app.signUp();
  let unfinished = saves.length;
  const saved = saves.map((save) => save().finally(() => (unfinished -= 1)));
  const inside: number[] = [];
  while (unfinished > 0) {
    inside.push(await waitingInside());
    const small = await app.request("PATCH", "/api/auth/me", { token, body: { name: "x" } });
    expect(small.status).toBe(200);
  }
  expect((await Promise.all(saved)).map(({ status }) => status)).toEqual(saves.map(() => 200));
  expect(Math.max(...inside)).toBeGreaterThan(0);
  expect(Math.max(...inside)).toBeLessThanOrEqual(ADMITTED);
});

test("twenty repeats on a large stored tree get one result: only the first needs to be admitted", async () => {
  const { token } = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
  const path = `/api/estimations/${data.estimation?.id}`;
  expect((await app.request("PUT", `${path}/tree`, { token, body: large })).status).toBe(200);
  const headers = { "idempotency-key": "again" };
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => app.request("POST", `${path}/versions`, { token, headers })),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(new Set(responses.map(({ data: made }) => made.version?.id)).size).toBe(1);
});

test("twenty repeats with a large body get one result", async () => {
  const { token } = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
  const path = `/api/estimations/${data.estimation?.id}`;
  expect((await app.request("PUT", `${path}/tree`, { token, body: large })).status).toBe(200);
  const exported = await app.request("GET", `${path}/export?format=json`, { token });
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      app.request("POST", "/api/estimations/import", {
        token,
        body: { format: "json", content: exported.text },
        headers: { "idempotency-key": "import" },
      }),
    ),
  );
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  expect(new Set(responses.map(({ data: made }) => made.estimation?.id)).size).toBe(1);
});

test("a change that is committed succeeds, although what completes its response is not admitted", async () => {
  const user = await app.signUp();
  const { token } = user;
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Large" } });
  const path = `/api/estimations/${data.estimation?.id}`;
  const chosen = {
    nodes: large.nodes.map((node) => ({
      ...node,
      kind: "single",
      options: node.options.map((option, at) => ({ ...option, selected: at === 0 })),
    })),
  };
  expect((await app.request("PUT", `${path}/tree`, { token, body: chosen })).status).toBe(200);
  expect((await app.request("POST", `${path}/submit`, { token })).status).toBe(200);
  expect((await app.request("POST", `${path}/tasks/generate`, { token })).status).toBe(200);
  const settings = await app.request("PUT", `${path}/timeline`, { token, body: { startDate: "2030-01-07" } });
  expect(settings.status).toBe(200);
  const saves = await savesOf(user);
  const busy = saves.map((save) => save());
  const made = [];
  for (let time = 0; time < 5; time += 1)
    made.push(
      await app.request("POST", `${path}/milestones`, { token, body: { title: `M${time}`, dueDate: "2031-01-06" } }),
    );
  await Promise.all(busy);
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
});
