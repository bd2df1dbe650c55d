import { afterAll, beforeEach, expect } from "vitest";
import { type Json, start, type TestUser, until } from "../../../../tests/harness.ts";
import { type FakeGithub, type FakeGithubOptions, startGithub } from "../../../../tests/support/github/server.ts";
import {
  type FakeJira,
  type FakeJiraOptions,
  resolveAtlassian,
  startJira,
} from "../../../../tests/support/jira/server.ts";
import type { Config } from "../../../config.ts";

/** Groups with options, as the tree of an estimation: each becomes a task, the options below that of their group. */
const groups = (counts: readonly number[]) =>
  counts.map((count, group) => ({
    title: `Group ${group + 1}`,
    kind: "group",
    options: Array.from({ length: count }, (_, at) => ({
      title: `Part ${group + 1}.${at + 1}`,
      hours: at + 1,
      role: "dev",
    })),
  }));

/** GitHub's operations that create issues and list them, and Jira's that creates them. */
export const CREATE = /^POST .*\/issues$/;
export const LIST = /^GET .*\/issues$/;
export const BULK = /issue\/bulk$/;

interface Options extends FakeGithubOptions {
  readonly config?: Partial<Config>;
}

const startApp = (config: Partial<Config>) => {
  const unpaced = Number.POSITIVE_INFINITY;
  const quick = { exportSettleSeconds: 2, githubWritesPerMinute: unpaced, jiraWritesPerMinute: unpaced };
  return start({ worker: true, config: { ...quick, ...config }, resolve: resolveAtlassian });
};

/** The service with its worker, a GitHub on loopback, and a user with a connection to it. */
export async function setStage({ config = {}, ...github }: Options = {}) {
  const app = await startApp(config);
  const fake: FakeGithub = await startGithub({ now: app.clock.now, ...github });
  Object.assign(fake.settings, { writesPerMinute: 100_000, writesPerHour: 1_000_000 });
  const { issues, milestones } = fake.repository;
  leaveInOrder(fake, [issues, milestones]);
  const connection = { target: "github", name: "Fake", baseUrl: fake.url, token: fake.token };
  return stageWith(app, fake, connection, { target: "github", repository: fake.name });
}

/** The same with a Jira site. */
export async function setJiraStage({ config = {}, ...jira }: FakeJiraOptions & Pick<Options, "config"> = {}) {
  const app = await startApp(config);
  const fake: FakeJira = await startJira({ now: app.clock.now, ...jira });
  leaveInOrder(fake, [fake.site.issues]);
  const connection = { target: "jira", name: "Fake", baseUrl: fake.siteUrl(), email: fake.email, token: fake.token };
  return stageWith(app, fake, connection, { target: "jira", projectKey: fake.name });
}

/** What the fakes of all trackers have. */
type Fake = Pick<FakeGithub, "close" | "trustedBy" | "violations" | "faults" | "writesAtOnce" | "asked" | "requests">;

/** Empties the tracker before each test, and checks after it that everything asked for was possible and one at a time. */
function leaveInOrder(fake: Fake, made: readonly unknown[][]): void {
  beforeEach(() => {
    for (const list of [...made, fake.asked, fake.requests]) list.length = 0;
    return () => {
      expect(fake.violations).toEqual([]);
      expect(fake.faults.left()).toBe(0);
      expect(fake.writesAtOnce()).toBeLessThanOrEqual(1);
    };
  });
}

async function stageWith<F extends Fake>(
  app: Awaited<ReturnType<typeof start>>,
  fake: F,
  connectionBody: object,
  destination: object,
) {
  fake.trustedBy(app.services.config.dataDir);
  afterAll(() => fake.close());
  const owner = await app.signUp();
  const keys = new Map<string, string>();
  /** With a key, because time goes on and sessions end; connections take only sessions. */
  const call = async (method: string, path: string, body?: unknown, user: TestUser = owner) => {
    const key = keys.get(user.userId) ?? (await app.makeKey(user, ["admin"]));
    keys.set(user.userId, key);
    const { email, password } = user;
    const token = /^\/api\/(connections|shares)/.test(path)
      ? String((await app.request("POST", "/api/auth/login", { body: { email, password } })).data.token)
      : key;
    return app.request(method, path, { token, ...(body === undefined ? {} : { body }) });
  };
  const connect = async (user = owner) => {
    return String((await call("POST", "/api/connections", connectionBody, user)).data.connection?.id);
  };
  const connection = await connect();
  await call("POST", "/api/webhooks", { url: "https://127.0.0.1:1/", events: ["estimation.exported"] });

  /**
   * Advances the time if every export waits for it, and makes their next steps due: by `ms` milliseconds, or until the first
   * of them is due, which is a second at least: a due time is the database's, which goes on while this one stands still, so
   * that a step due by the one would find by the other that it is too early, for ever. No step begins meanwhile, so that
   * the time stands still during each.
   */
  const letTimeGoOn = async (ms: number | "untilDue") => {
    const session = await app.pool.connect();
    try {
      await session.query("begin");
      const { rows } = await session.query(
        `select key, lease, extract(epoch from due_at - now())::float8 * 1000 as delay_ms
         from job_leases where name = 'run-export' order by due_at for update`,
      );
      if (rows.every(({ lease }) => lease === null)) {
        const delayMs = ms === "untilDue" ? Math.max(1_000, Math.ceil(rows[0]?.delay_ms ?? 0)) : ms;
        await app.clock.advance(delayMs);
        await session.query(
          `with due as (
             update job_leases set due_at = least(due_at, now()) where key = any ($1::text[]) returning key, name
           )
           select graphile_worker.add_job(name, json_build_object('key', key), job_key => key) from due`,
          [rows.map(({ key }) => key)],
        );
      }
      await session.query("commit");
    } finally {
      session.release();
    }
  };
  /** Advances the time by a second if every export waits. */
  const goOn = () => letTimeGoOn(1_000);

  /** An estimation with tasks: a submitted one, so that generating and exporting move it on. */
  const estimate = async (counts: readonly number[], { submits = true } = {}) => {
    const { data } = await call("POST", "/api/estimations", { title: "Shop" });
    const id = String(data.estimation?.id);
    const path = `/api/estimations/${id}`;
    await call("PUT", `${path}/tree`, { nodes: groups(counts) });
    if (submits) await call("POST", `${path}/submit`);
    const generated = await call("POST", `${path}/tasks/generate`);
    expect(generated.status).toBe(200);
    const tasks = async () =>
      (await call("GET", `${path}/tasks?limit=100`)).data.tasks as unknown as Record<string, Json & string>[];
    const read = async (exportId: string) => (await call("GET", `${path}/exports/${exportId}`)).data.export as Json;
    const items = async (exportId: string) =>
      (await call("GET", `${path}/exports/${exportId}/items`)).data.items as unknown as Record<string, Json & string>[];
    const begin = async (more: object = {}) => {
      const body = { ...destination, connectionId: connection, ...more };
      const response = await call("POST", `${path}/tasks/export`, body);
      expect(response.status, response.text).toBe(202);
      return String(response.data.export?.id);
    };
    /** Advances the time until a run has ended. */
    const finish = (exportId: string) =>
      until(async () => {
        const run = await read(exportId);
        if (run.endedAt !== null) return run;
        await letTimeGoOn("untilDue");
        return null;
      });
    const exported = async (more: object = {}) => {
      const id = await begin(more);
      return { id, run: await finish(id), items: await items(id) };
    };
    return { id, path, tasks, read, items, begin, finish, exported };
  };

  /** The events that were recorded for an estimation. */
  const events = async (estimationId: string): Promise<Record<string, unknown>[]> => {
    const { rows } = await app.pool.query(
      "select data from webhook_events where name = 'estimation.exported' and data::json->>'estimationId' = $1 order by id",
      [estimationId],
    );
    return rows.map(({ data }) => JSON.parse(data));
  };
  /** The kinds and exports of the newest entries of an estimation's activity. */
  const activity = async (path: string) => {
    const { data } = await call("GET", `${path}/activity?limit=2`);
    const entries = data.activity as unknown as { kind: string; subject: { exportId?: string } }[];
    return entries.map(({ kind, subject }) => [kind, subject.exportId]);
  };
  return { app, fake, owner, call, connect, connection, estimate, events, activity, goOn };
}
