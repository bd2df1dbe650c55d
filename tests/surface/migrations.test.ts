import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, test } from "vitest";
import { describeSchema } from "../../scripts/schema.ts";
import { migrateDatabase } from "../../server/db/migrate.ts";
import { start, until } from "../harness.ts";
import { withLaterMigrations } from "../support/migrations.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = `${root}/server/db/migrations`;
const json = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, "utf8"));
const journal: { entries: { idx: number; when: number; tag: string }[] } = json(
  "server/db/migrations/meta/_journal.json",
);

test("migrations from an empty database give the committed schema", async () => {
  const app = await start();
  expect(await describeSchema(app.pool)).toEqual(json("server/db/schema.gen.json"));
});

test("the tables in the code match the migrations", async () => {
  const server = await readdir(`${root}/server`, { recursive: true });
  const modules = await Promise.all(
    server.filter((file) => file.endsWith("tables.ts")).map((file) => import(`${root}/server/${file}`)),
  );
  const snapshots = (await readdir(`${folder}/meta`)).filter((file) => file.endsWith("_snapshot.json")).sort();
  const last = json(`server/db/migrations/meta/${snapshots.at(-1)}`);
  const current = generateDrizzleJson(Object.assign({}, ...modules), last.id, undefined, "snake_case");
  expect(await generateMigration(last, current)).toEqual([]);
});

test("every migration is newer than the one before, because an older one would be silently skipped", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(files);
  const times = journal.entries.map(({ when }) => when);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  expect(new Set(times).size).toBe(times.length);
  for (const file of files) expect((await readFile(`${folder}/${file}`, "utf8")).trim()).not.toBe("");
});

/** As `npm run generate` writes a column, with a change of the stored data between. */
const CODES = `
ALTER TABLE "estimations" ADD COLUMN "code" text;
--> statement-breakpoint
UPDATE "estimations" SET "code" = upper("title");
--> statement-breakpoint
ALTER TABLE "estimations" ALTER COLUMN "code" SET NOT NULL;`;

test("a later migration changes schema and data once, however many processes start", async () => {
  const app = await start();
  const { token } = await app.signUp();
  for (const title of ["Shop", "App"]) await app.request("POST", "/api/estimations", { token, body: { title } });
  const migrations = await withLaterMigrations(CODES, `UPDATE "estimations" SET "code" = "code" || '!';`);
  await Promise.all([1, 2, 3].map(() => migrateDatabase(app.pool, migrations)));
  const { rows } = await app.pool.query("select title, code from estimations order by code");
  expect(rows).toEqual([
    { title: "App", code: "APP!" },
    { title: "Shop", code: "SHOP!" },
  ]);
});

test("a process of the version before starts on a database that a later migration has changed", async () => {
  const app = await start();
  await migrateDatabase(app.pool, await withLaterMigrations(CODES));
  await migrateDatabase(app.pool);
  expect((await app.pool.query("select from estimations where code is null")).rowCount).toBe(0);
});

test.each([
  ["older", -1],
  ["newer", 1],
])("a database with %s migrations of another history is refused in one line, and stays as it is", async (_, shift) => {
  const app = await start();
  const applied = "select id, hash, created_at from drizzle.__drizzle_migrations order by id";
  await app.pool.query("update drizzle.__drizzle_migrations set created_at = created_at + $1", [shift * 86_400_000]);
  const before = await app.pool.query(applied);
  const refused = await migrateDatabase(app.pool, await withLaterMigrations(CODES)).catch(
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/^the database has the tables of another version of this service, .*DATA_DIR.*$/);
  expect((await app.pool.query(applied)).rows).toEqual(before.rows);
});

test("migrations wait for writes of a process of the version before, without a deadlock", async () => {
  const app = await start();
  const migrations = await withLaterMigrations(
    `ALTER TABLE "estimations" ADD COLUMN "code" text;
     --> statement-breakpoint
     ALTER TABLE "users" ADD COLUMN "code" text;`,
  );
  const writer = await app.pool.connect();
  await writer.query("begin");
  await writer.query("update users set name = name where false");
  const migrated = migrateDatabase(app.pool, migrations);
  const waiting = `select from pg_locks where not granted and relation = 'users'::regclass
    and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await app.pool.query(waiting)).rowCount === 1);
  await writer.query("update estimations set title = title where false");
  await writer.query("commit");
  writer.release();
  await migrated;
  expect((await app.pool.query("select code from estimations")).rowCount).toBe(0);
});
