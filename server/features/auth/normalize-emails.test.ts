import { pino } from "pino";
import { expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { migrateData } from "../../db/data-migration.ts";
import { normalizeEmails } from "./index.ts";

const app = await start();

/** Accounts as an earlier version stored them, the oldest first; returns their ids. */
async function store(...emails: string[]): Promise<string[]> {
  const ids = emails.map(() => app.services.ids.next("user"));
  await app.pool.query(
    "insert into users (id, email, name, created_at) select *, 'n', now() from unnest($1::text[], $2::text[])",
    [ids, emails],
  );
  return ids;
}

/** Makes the change, unless it was made already; what the log says. */
async function run(): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) });
  await migrateData(app.services.pool, [normalizeEmails(log)]);
  return lines;
}

const emailsOf = async (ids: readonly string[]) => {
  const { rows } = await app.pool.query("select email from users where id = any($1) order by id", [ids]);
  return rows.map(({ email }) => email);
};

it("brings stored addresses into the form in which they are compared, and says which accounts collide", async () => {
  await app.pool.query("truncate data_migrations");
  const plain = await store("ada@example.com", "noor@example.com", "éva@example.com");
  const converted = await store("lin@bücher.example", "zoe@ｅxample.com");
  const colliding = await store("ada@ｅxample.com", "zoe@example。com");
  const refused = await store(
    "a\u200bda@example.com",
    "ada@example.com.",
    "noor@127.0.0.1",
    "ada@a..b",
    `a@${"b".repeat(64)}`,
  );
  const log = await run();
  expect(await emailsOf(plain)).toEqual(["ada@example.com", "noor@example.com", "éva@example.com"]);
  expect(await emailsOf(converted)).toEqual(["lin@xn--bcher-kva.example", "zoe@example.com"]);
  expect(await emailsOf(colliding)).toEqual(["ada@ｅxample.com", "zoe@example。com"]);
  expect(log.filter(({ otherUserId }) => otherUserId).map(({ userId, otherUserId }) => [userId, otherUserId])).toEqual([
    [colliding[0], plain[0]],
    [colliding[1], converted[1]],
  ]);
  expect(log.filter(({ otherUserId }) => !otherUserId).map(({ userId }) => userId)).toEqual(refused);
  expect(JSON.stringify(log)).not.toContain("@");
});

it("is done once", async () => {
  await store("later@ｅxample.com");
  expect(await run()).toEqual([]);
  expect((await app.pool.query("select 1 from users where email = 'later@ｅxample.com'")).rowCount).toBe(1);
});

it("is done by one of several that start at the same time, and again where it failed", async () => {
  await app.pool.query("truncate data_migrations");
  const runs: string[] = [];
  let isFailing = true;
  const migration = (who: string) => ({
    name: "counted",
    async run() {
      runs.push(who);
      if (isFailing) throw new Error("it broke");
    },
  });
  await expect(migrateData(app.services.pool, [migration("a")])).rejects.toThrow("it broke");
  isFailing = false;
  await Promise.all(["b", "c", "d"].map((who) => migrateData(app.services.pool, [migration(who)])));
  expect(runs).toHaveLength(2);
});
