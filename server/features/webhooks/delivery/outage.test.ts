import { mkdtemp, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { request, until } from "../../../../tests/harness.ts";
import { childrenOf } from "../../../../tests/support/embedded/places.ts";
import { startReceiver } from "../../../../tests/support/receiver.ts";
import { inTransaction, isAnybodyWaiting } from "../../../../tests/support/transactions.ts";
import { startService } from "../../../app.ts";
import { loadConfig } from "../../../config.ts";
import { createPool } from "../../../db/database.ts";
import { startEmbeddedPostgres } from "../../../db/embedded.ts";
import { createOutbound } from "../../../platform/outbound/index.ts";
import { emit } from "../index.ts";
import { startDispatcher } from "./dispatch.ts";

const DELIVERIES = 4;

/** Starts a database of its own and a dispatcher on it, which has as many requests under way as a new endpoint has slots. */
async function startSending(limits: { query_timeout?: number } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-outage-"));
  const options = { dataDir, durable: false, log: () => {} };
  let postgres = await startEmbeddedPostgres(options);
  const config = {
    ...loadConfig({ DATA_DIR: dataDir, PORT: "0" }),
    webhookAllowedNetworks: ["127.0.0.0/8", "::1/128"],
  };
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const service = await startService({ config, connection: postgres.connection, only: "api", log });
  const { services } = service;
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_, response) => void held.push(response));
  receiver.trustedBy(dataDir);
  const { data } = await request(service.url, "POST", "/api/auth/register", {
    body: { email: "a@example.com", password: "correct horse battery" },
  });
  const userId = String(data.user?.id);
  await request(service.url, "POST", "/api/webhooks", {
    token: String(data.token),
    body: { url: receiver.url, events: ["estimation.tasks_generated"] },
  });
  const event = { estimationId: "est_01k6z0c9v3e8rbt5w2yq4nmhxd", taskCount: 1 };
  const emission = { event: "estimation.tasks_generated", data: event, userIds: [userId], senderId: userId } as const;
  for (let made = 0; made < DELIVERIES; made++)
    await services.pool.transaction((tx) => emit(tx, services, { ...emission, now: services.clock.now() }));
  const outbound = createOutbound({
    clock: services.clock,
    log,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
    trustedFolder: join(dataDir, "trusted-ca"),
  });
  const stop = startDispatcher(services, { ...postgres.connection, ...limits }, outbound);
  const pool = createPool(postgres.connection, pino({ level: "silent" }), 4);
  onTestFinished(async () => {
    await stop();
    await outbound.close();
    await pool.end();
    await receiver.close();
    await service.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await until(() => held.length === DELIVERIES);
  const states = () =>
    pool.query("select status, attempt_count, interrupted_count from webhook_deliveries").then(
      ({ rows }) => rows,
      () => [],
    );
  return {
    pool,
    held,
    receiver,
    warnings,
    /** Waits until all are delivered, each with one request. */
    async allDelivered() {
      await until(async () => (await states()).filter(({ status }) => status === "delivered").length === DELIVERIES);
      const once = { status: "delivered", attempt_count: 1, interrupted_count: 0 };
      expect(await states()).toEqual(Array.from({ length: DELIVERIES }, () => once));
      expect(receiver.requests).toHaveLength(DELIVERIES);
    },
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await startEmbeddedPostgres(options);
    },
    signal(signal: "SIGSTOP" | "SIGCONT") {
      for (const pid of [postgres.pid, ...childrenOf(postgres.pid)]) process.kill(pid, signal);
    },
  };
}

test("outcomes that could not be written before the database goes away are written once it is back", async () => {
  const sending = await startSending();
  const [first, ...others] = sending.held;
  // One outcome of the batch cannot be written, so each is written alone; the database goes away at the second of them.
  await sending.pool.query(`
    create sequence refusals;
    create function hold_up() returns trigger language plpgsql as $$ begin
      if new.response_body = 'refused' and nextval('refusals') <= 2 then raise exception using errcode = 'XX000'; end if;
      if new.response_body = 'stuck' and (select last_value from refusals) = 2 then perform pg_advisory_lock(7); end if;
      return new;
    end $$;
    create trigger hold_up before insert on webhook_attempts for each row execute function hold_up()`);
  const holder = await sending.pool.connect();
  await holder.query("select pg_advisory_lock(7)");
  await inTransaction(sending.pool, async (client) => {
    await client.query("select from webhook_owners for update");
    first?.end("ok");
    await until(() => isAnybodyWaiting(sending.pool));
    for (const [at, text] of ["refused", "stuck", "late"].entries()) others[at]?.end(text);
    await until(() => others.every(({ writableFinished }) => writableFinished));
    return {};
  });
  await until(() => isAnybodyWaiting(sending.pool));
  await sending.stopDatabase();
  holder.release(true);
  await sending.startDatabase();
  await sending.allDelivered();
});

test("a database that does not respond is given up, and outcomes are written once it responds", async () => {
  const sending = await startSending({ query_timeout: 500 });
  sending.signal("SIGSTOP");
  try {
    for (const response of sending.held) response.end();
    await until(() => sending.warnings.some((line) => line.includes("could not be taken or written down")));
  } finally {
    sending.signal("SIGCONT");
  }
  await sending.allDelivered();
});
