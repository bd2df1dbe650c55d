import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { expect, test } from "vitest";
import { describeSchema } from "../../scripts/schema.ts";
import { start } from "../harness.ts";

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

test("the tables in the code say what the migrations made", async () => {
  const server = await readdir(`${root}/server`, { recursive: true });
  const modules = await Promise.all(
    server.filter((file) => file.endsWith("tables.ts")).map((file) => import(`${root}/server/${file}`)),
  );
  const snapshots = (await readdir(`${folder}/meta`)).filter((file) => file.endsWith("_snapshot.json")).sort();
  const last = json(`server/db/migrations/meta/${snapshots.at(-1)}`);
  const current = generateDrizzleJson(Object.assign({}, ...modules), last.id, undefined, "snake_case");
  expect(await generateMigration(last, current)).toEqual([]);
});

test("every migration is newer than the one before, because an older one would silently be left out", async () => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  expect(journal.entries.map(({ tag }) => `${tag}.sql`)).toEqual(files);
  const times = journal.entries.map(({ when }) => when);
  expect([...times].sort((a, b) => a - b)).toEqual(times);
  expect(new Set(times).size).toBe(times.length);
  for (const file of files) expect((await readFile(`${folder}/${file}`, "utf8")).trim()).not.toBe("");
});
