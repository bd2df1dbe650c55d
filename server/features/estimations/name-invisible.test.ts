import { expect, it } from "vitest";
import { VISIBLE } from "../../../contract/shapes.ts";
import { start } from "../../../tests/harness.ts";
import { migrateData } from "../../db/data-migration.ts";
import { nameInvisible } from "./index.ts";

const app = await start();
const { token } = await app.signUp();

const send = (method: string, path: string, body?: object) => app.request(method, path, { token, body });
const read = async (path: string) => (await send("GET", path)).data.estimation;

async function create() {
  const { data } = await send("POST", "/api/estimations", { title: "New" });
  return { id: data.estimation?.id, path: `/api/estimations/${data.estimation?.id}` };
}

it("estimations whose titles nobody sees get a name, and can be sent back as they were read", async () => {
  // It was made at the start.
  const { rowCount } = await app.pool.query("delete from data_migrations where name = $1", [nameInvisible.name]);
  expect(rowCount).toBe(1);
  const titles = ["\u200b\u2060", "\u00a0\u3164 ", "\u0001", "\ufeff\u200d", "☃", "日本", "…", "\u200bA"];
  const made = await Promise.all(titles.map(create));
  const before = await Promise.all(made.map(({ path }) => read(path)));
  const deleted = made[3]?.path ?? "";
  expect((await send("DELETE", deleted)).status).toBe(200);
  // As earlier versions accepted them.
  for (const [at, { id }] of made.entries())
    await app.pool.query("update estimations set title = $2 where id = $1", [id, titles[at]]);
  await migrateData(app.services.pool, [nameInvisible]);

  for (const at of [0, 1, 2]) {
    const { path = "" } = made[at] ?? {};
    const now = await read(path);
    expect(now).toEqual({ ...before[at], title: "Untitled", revision: Number(before[at]?.revision) + 1 });
    expect((await send("PUT", path, now)).status).toBe(200);
  }
  for (const at of [4, 5, 6, 7]) expect(await read(made[at]?.path ?? "")).toEqual({ ...before[at], title: titles[at] });
  const trash = (await send("GET", "/api/estimations?deleted=true")).data.estimations;
  expect(trash).toEqual([expect.objectContaining({ title: "Untitled" })]);
  expect((await send("POST", `${deleted}/restore-deleted`)).data.estimation?.title).toBe("Untitled");
  expect((await send("GET", "/api/estimations?q=Untitled")).data.estimations).toHaveLength(4);
});

it("tags that nobody sees are removed", async () => {
  const { id = "", path } = await create();
  const before = await read(path);
  await app.pool.query("update estimations set tags = $2 where id = $1", [id, ["\u200b", "web", "\uffa0 "]]);
  await app.pool.query("delete from data_migrations where name = $1", [nameInvisible.name]);
  await migrateData(app.services.pool, [nameInvisible]);
  const now = await read(path);
  expect(now).toEqual({ ...before, tags: ["web"], revision: Number(before?.revision) + 1 });
  expect((await send("PUT", path, now)).status).toBe(200);
});

it("PostgreSQL finds the same characters invisible", async () => {
  const isText = (code: number) => code > 0 && (code < 0xd800 || code > 0xdfff);
  const characters = Array.from({ length: 0x11000 }, (_, code) => code)
    .filter(isText)
    .map((code) => String.fromCodePoint(code));
  const { rows } = await app.pool.query(
    "select ordinality - 1 as at from unnest($1::text[]) with ordinality c (c) where c !~ $2 order by 1",
    [characters, VISIBLE],
  );
  const visible = new RegExp(VISIBLE, "u");
  const invisible = characters.filter((character) => !visible.test(character));
  expect(rows.map(({ at }) => characters[Number(at)])).toEqual(invisible);
  expect(invisible.length).toBeGreaterThan(100);
  // Every kind of space, as JavaScript knows them.
  expect(characters.filter((character) => /\s/u.test(character) && visible.test(character))).toEqual([]);
});
