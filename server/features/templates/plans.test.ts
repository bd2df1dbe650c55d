import { beforeAll, describe, expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import type { Queryable } from "../../db/database.ts";
import { listTemplates } from "./store.ts";

const app = await start();
const MANY = 20_000;
const PAGE = 21;
const [user, other] = [await app.signUp(), await app.signUp()];
const idOf = (n: number) => `tpl_${String(n).padStart(26, "0")}`;

/** Very many templates of another user that everybody or a team of the user sees, and the most that the user may have. */
beforeAll(async () => {
  const team = `team_${"0".repeat(26)}`;
  await app.pool.query("insert into teams (id, name, created_at) values ($1, 'Web', now())", [team]);
  await app.pool.query(
    "insert into team_members (team_id, user_id, role, joined_at) values ($1, $2, 'member', now())",
    [team, user.userId],
  );
  await app.pool.query(
    `insert into templates (id, owner_id, name, description, visibility, team_id, tree, bytes, nodes, options, created_at)
     select 'tpl_' || lpad(n::text, 26, '0'), case when n % 40 = 0 then $1 else $2 end,
       case when n = 7 then 'A needle, the oldest' when n = 40 then 'My needle' when n = 8 then 'A needle of the team' else 'Shop number ' || n end, '',
       case when n % 40 = 0 then 'private' when n % 2 = 0 then 'team' else 'instance' end,
       case when n % 40 <> 0 and n % 2 = 0 then $4 end, '{"nodes":[]}', 12, 1, 0, now()
     from generate_series(1, $3::int) n`,
    [user.userId, other.userId, MANY, team],
  );
  await app.pool.query("vacuum analyze templates, users");
});

const list = (db: Queryable, q: string | undefined, afterId: string | null = null) =>
  listTemplates(db, { userId: user.userId, q, limit: PAGE, afterId });

describe("a page of the list of templates", () => {
  test.each([
    ["of all", undefined, null],
    ["of all, from the middle on", undefined, idOf(MANY / 2)],
    ["with a name that many have", "shop", null],
    ["with a name that many have, from the middle on", "SHOP N", idOf(MANY / 2)],
    ["with one letter", "s", null],
    ["with a name that few have", "needle", null],
    ["with a name that nobody has", "zebra", null],
  ])("%s reads few rows by indexes, however many there are", async (_, q, after) => {
    // At most what is looked at in the order of the list, each with its owner; and the user's own.
    const most = q === undefined ? 7 * PAGE : 2 * 4 * 500 + MANY / 40 + 7 * PAGE;
    expect(await rowsRead(app.pool, (db) => list(db, q, after))).toBeLessThan(most);
    const plans = await plansOf(app.pool, (db) => list(db, q, after));
    for (const plan of plans) expect(plan).not.toContain("Seq Scan on templates");
    const byCharacters = q === "needle" || q === "zebra";
    expect(plans.some((plan) => plan.includes("templates_by_name"))).toBe(byCharacters);
  });

  test("has the templates with the name, one's own and others', in one order, by either index", async () => {
    const names = async (q: string, after: string | null = null) =>
      (await list(app.services.pool, q, after)).map(({ name }) => name);
    expect(await names("NEEDLE")).toEqual(["My needle", "A needle of the team", "A needle, the oldest"]);
    expect(await names("needle", idOf(40))).toEqual(["A needle of the team", "A needle, the oldest"]);
    expect(await names("zebra")).toEqual([]);
    expect(await names("%")).toEqual([]);
    expect((await names("shop"))[0]).toBe(`Shop number ${MANY}`);
    expect(await names("number 123", idOf(124))).toEqual(["Shop number 123"]);
  });
});
