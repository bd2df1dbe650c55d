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

/** What the version before may not survive while it still runs: what it uses is gone, or what it writes is refused. */
const BREAKING =
  /\b(drop (table|column|constraint|index|view|function|type|schema)|create unique index|rename (to|column|value)|alter column \S+ (set not null|set data type|type|drop default)|add (constraint|primary key|unique|check|foreign key)|truncate|add column \S+ (?!.*\bdefault\b).*\bnot null\b)/i;

/** Returns the statements of a migration that are not known to be harmless to processes of the version before. */
function breakingIn(migration: string): string[] {
  const made = new Set([...migration.matchAll(/create table ("\w+")/gi)].map(([, name]) => name));
  return migration
    .split("--> statement-breakpoint")
    .map((statement) => statement.trim())
    .filter((statement) => BREAKING.test(statement) && !/^-- Unused since \S+: ./.test(statement))
    .filter((statement) => !made.has(/^(?:alter table|create unique index .* on) ("\w+")/i.exec(statement)?.[1]));
}

test("a migration after the first one leaves what processes of the version before use", async () => {
  for (const { tag } of journal.entries.slice(1))
    expect([tag, breakingIn(await readFile(`${folder}/${tag}.sql`, "utf8"))]).toEqual([tag, []]);
});

test.each([
  'DROP TABLE "notes";',
  'ALTER TABLE "notes" DROP COLUMN "text";',
  'ALTER TABLE "notes" RENAME TO "remarks";',
  'ALTER TABLE "notes" RENAME COLUMN "text" TO "body";',
  'ALTER TABLE "notes" ALTER COLUMN "text" SET NOT NULL;',
  'ALTER TABLE "notes" ALTER COLUMN "text" SET DATA TYPE integer;',
  'ALTER TABLE "notes" ALTER COLUMN "text" DROP DEFAULT;',
  'ALTER TABLE "notes" ADD COLUMN "title" text NOT NULL;',
  'ALTER TABLE "notes" ADD CONSTRAINT "short" CHECK (length("text") < 9);',
  'ALTER TABLE "notes" DROP CONSTRAINT "notes_pkey";',
  'ALTER TABLE "notes" ADD PRIMARY KEY ("id");',
  'CREATE UNIQUE INDEX "notes_by_title" ON "notes" ("title");',
  'DROP INDEX "notes_by_title";',
  'ALTER TYPE "kind" RENAME VALUE "note" TO "remark";',
])("a migration that breaks the version before is found: %s", (statement) => {
  const harmless = 'CREATE TABLE "more" ("id" text NOT NULL);';
  expect(breakingIn(`${harmless}\n--> statement-breakpoint\n${statement}`)).toEqual([statement]);
  expect(breakingIn(`-- Unused since 1.2: the text moved to more.\n${statement}`)).toEqual([]);
  expect(breakingIn(`-- Unused\n${statement}`)).toHaveLength(1);
});

test.each([
  'ALTER TABLE "notes" ADD COLUMN "title" text;',
  'ALTER TABLE "notes" ADD COLUMN "title" text DEFAULT \'\' NOT NULL;',
  'CREATE INDEX "notes_by_age" ON "notes" ("created_at");',
  'CREATE TABLE "notes" ("id" text);\n--> statement-breakpoint\nALTER TABLE "notes" ADD CONSTRAINT "short" CHECK (true);',
  'CREATE TABLE "notes" ("id" text);\n--> statement-breakpoint\nCREATE UNIQUE INDEX "notes_by_id" ON "notes" USING btree ("id");',
])("a migration that only adds is accepted: %s", (statement) => {
  expect(breakingIn(statement)).toEqual([]);
});

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

test("migrations get past the writes of a process of the version before when both wait for each other", async () => {
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
  // The database refuses whoever began to wait last: the migration, or a request; both begin anew.
  await writer.query("update estimations set title = title where false").catch(({ code }) => {
    expect(code).toBe("40P01");
  });
  await writer.query("commit");
  writer.release();
  await migrated;
  expect((await app.pool.query("select code from estimations")).rowCount).toBe(0);
});
