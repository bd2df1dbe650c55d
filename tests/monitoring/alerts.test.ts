import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "../../server/db/embedded.ts";
import { request, until } from "../harness.ts";
import { alertsText, readAlerts } from "../support/alerts.ts";
import { freePort } from "../support/free-port.ts";
import { runService } from "../support/service-process.ts";
import { startPrometheus } from "./prometheus.ts";

const METRICS_TOKEN = "the-token-of-the-monitoring";
const REQUESTS = 20;

/** The rules with short windows, so that one need not wait for minutes; `rules.test.ts` tests them as they are. */
const quick = () =>
  alertsText()
    .replaceAll(/\[\d+m\]/g, "[30s]")
    .replaceAll(/for: .*/g, "for: 0s");

test("every alert fires when the fault that it is about happens to the real service", async () => {
  const folder = await mkdtemp(join(tmpdir(), "estimation-alerts-"));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o755);
  const database = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: () => {}, durable: false });
  const pool = new pg.Pool({ ...database.connection, max: 2 });
  pool.on("error", () => {});
  onTestFinished(async () => {
    await pool.end();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const [apiPort, workerPort, nobody] = [await freePort(), await freePort(), await freePort()];
  const shared = {
    DATABASE_URL: database.connectionString,
    SESSION_SECRET: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64url"),
    METRICS_TOKEN,
    // Nobody listens there.
    SMTP_URL: `smtp://127.0.0.1:${nobody}`,
    WEBHOOK_MAX_ATTEMPTS: "1",
    RATE_LIMIT_AUTH_PER_MINUTE: "100000",
    RATE_LIMIT_PER_MINUTE: "100000",
    REQUEST_TIMEOUT: "10",
    BACKUP_EVERY_HOURS: "24",
    LOG_LEVEL: "fatal",
  };
  const run = (only: "api" | "worker", port: number) =>
    runService(["serve", "--only", only], { ...shared, METRICS_PORT: String(port), DATA_DIR: join(folder, only) });
  const api = run("api", apiPort);
  const url = await api.url();
  const { fires, sees } = await startPrometheus(quick(), [apiPort, workerPort], METRICS_TOKEN);
  const fired: string[] = [];
  /** Waits for an alert, during which a fault goes on: its scrapes are few on a busy machine, and rates need several. */
  const expectAlert = async (name: string, fault: () => Promise<unknown> = async () => {}) => {
    let isOver = false;
    const goOn = async () => {
      while (!isOver) {
        await fault();
        await wait(100);
      }
    };
    const end = () => {
      isOver = true;
    };
    await Promise.all([fires(name).finally(end), goOn().finally(end)]);
    fired.push(name);
  };
  const call = async (method: string, path: string, body?: object, token?: string) =>
    request(url, method, path, { ...(body ? { body } : {}), ...(token ? { token } : {}) });
  const signUp = async (): Promise<string> => {
    const body = { email: `${randomBytes(6).toString("hex")}@example.com`, password: "correct horse battery" };
    const { data, text, status } = await call("POST", "/api/auth/register", body);
    expect(status, text).toBe(201);
    return String(data.token);
  };

  // No worker runs, and a mail is due since a while.
  const token = await signUp();
  await pool.query("update job_leases set due_at = now() - interval '6 minutes'");
  await expectAlert("JobsWait");

  // The mail server is gone.
  const worker = run("worker", workerPort);
  await sees(`estimation_job_runs_total{instance="127.0.0.1:${workerPort}",outcome="failed",kind="send-mail"}`);
  await expectAlert("JobsFail", signUp);

  // No backup was made since the first one, and time went by.
  await sees("estimation_last_backup_timestamp_seconds");
  await expectAlert("BackupOld", () =>
    pool.query("update instance_state set backed_up_at = now() - interval '37 hours'"),
  );

  // So is the receiver of a webhook.
  const webhook = { url: `https://127.0.0.1:${nobody}/`, events: [] };
  const { data } = await call("POST", "/api/webhooks", webhook, token);
  const path = `/api/webhooks/${data.webhook?.id}/test`;
  await expectAlert("DeliveriesFail", async () => {
    expect((await call("POST", path, undefined, token)).status).toBe(202);
  });

  // Somebody locks a table: requests wait for it, and give up.
  const locker = await pool.connect();
  await locker.query("begin; lock table estimations in access exclusive mode");
  const giveUp = async () => {
    const waiting = Array.from({ length: REQUESTS }, () => call("GET", "/api/estimations", undefined, token));
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(REQUESTS).fill(503));
  };
  await expectAlert("RequestsFail", giveUp);
  await expectAlert("RequestsSlow", giveUp);
  await locker.query("rollback");
  locker.release();

  await database.stop();
  await until(async () => (await call("GET", "/readyz")).status === 503);
  await expectAlert("DatabaseUnreachable");

  api.send("SIGKILL");
  await api.exitCode;
  await expectAlert("ServiceDown");
  expect(worker.isRunning()).toBe(true);

  expect(fired.toSorted()).toEqual(
    readAlerts()
      .map(({ name }) => name)
      .toSorted(),
  );
});
