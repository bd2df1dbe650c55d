import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../../tests/fake-clock.ts";
import { request, until } from "../../../tests/harness.ts";
import { startGithub } from "../../../tests/support/github/server.ts";
import { startService } from "../../app.ts";
import { loadConfig } from "../../config.ts";
import { startEmbeddedPostgres } from "../../db/embedded.ts";
import { CREATE, LIST } from "./testing/stage.ts";

test("responses of the tracker while the database is down are stored once it is back, and nothing is looked up", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "estimation-export-outage-"));
  const options = { dataDir, log: () => {}, durable: false };
  let postgres = await startEmbeddedPostgres(options);
  const clock = createFakeClock();
  const unpaced = Number.POSITIVE_INFINITY;
  const config = { ...loadConfig({ DATA_DIR: dataDir, PORT: "0" }), githubWritesPerMinute: unpaced };
  const log = pino({ level: "silent" });
  const service = await startService({ config, connection: postgres.connection, log, clock });
  const fake = await startGithub({ now: clock.now });
  Object.assign(fake.settings, { writesPerMinute: 100_000, writesPerHour: 1_000_000 });
  fake.trustedBy(dataDir);
  onTestFinished(async () => {
    await service.stop();
    await fake.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const account = { body: { email: "a@example.com", password: "correct horse battery" } };
  const token = String((await request(service.url, "POST", "/api/auth/register", account)).data.token);
  const call = async (method: string, path: string, body?: object) => {
    const { data } = await request(service.url, method, path, { token, ...(body ? { body } : {}) });
    return data;
  };
  const target = "github";
  const connection = { target, name: "Fake", baseUrl: fake.url, token: fake.token };
  const connectionId = (await call("POST", "/api/connections", connection)).connection?.id;
  const path = `/api/estimations/${(await call("POST", "/api/estimations", { title: "Shop" })).estimation?.id}`;
  const nodes = [{ title: "Set-up", kind: "group", options: [{ title: "Build server", hours: 8 }] }];
  await call("PUT", `${path}/tree`, { nodes });
  await call("POST", `${path}/tasks/generate`);

  const stopped = Promise.withResolvers<void>();
  let listed = 0;
  fake.onRequest(() => {
    listed = fake.asked.length;
    void postgres.stop().then(stopped.resolve);
  }, CREATE);
  const begun = await call("POST", `${path}/tasks/export`, { target, connectionId, repository: fake.name });
  await stopped.promise;
  expect(fake.repository.issues).toHaveLength(1);
  postgres = await startEmbeddedPostgres(options);
  // The time goes on only now: the response waits for it to be stored.
  await until(async () => {
    await clock.advance(200);
    const data = await call("GET", `${path}/exports/${begun.export?.id}`).catch(() => null);
    return String(data?.export?.status) === "completed";
  }, 60_000);
  const asked = fake.asked.map(({ operation }) => operation);
  expect(asked.slice(listed).filter((operation) => LIST.test(operation))).toEqual([]);
  // One for each of the two issues.
  expect(asked.filter((operation) => CREATE.test(operation))).toHaveLength(2);
  expect(fake.repository.issues).toHaveLength(2);
});
