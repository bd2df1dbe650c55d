import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { addToLists } from "./listing-store.ts";

const app = await start();
const [user, other] = [await app.signUp(), await app.signUp()];

async function importAs({ token }: TestUser, title: string, hours: string): Promise<string> {
  const body = { format: "outline", content: `# ${title}\n\n- Work\n  - Part: ${hours}\n` };
  const { data } = await app.request("POST", "/api/estimations/import", { token, body });
  return String(data.estimation?.id);
}

const read = ({ token }: TestUser, query: string) => app.request("GET", `/api/portfolio${query}`, { token });
const idsOf = (...ids: readonly string[]) => `ids=${ids.join(",")}`;

const [shop, portal] = [await importAs(user, "Shop", "4-16-34"), await importAs(user, "Portal", "10")];
const theirs = await importAs(other, "Theirs", "8");

describe("a portfolio", () => {
  it("adds up the estimations that are named", async () => {
    const { status, data } = await read(user, `?${idsOf(shop, portal).replace(",", "%2C")}`);
    expect(status).toBe(200);
    expect(data.portfolio).toMatchObject({
      count: 2,
      correlation: 0.2,
      hours: { expected: 27 },
      costs: [],
      capacity: null,
    });
    const { data: one } = await app.request("GET", `/api/estimations/${shop}`, { token: user.token });
    const p80 = Number(one.estimation?.hours?.p80);
    expect(data.portfolio?.sumOfP80).toBe(10 + p80);
    // What is exact only moves it.
    expect(data.portfolio?.hours?.p80).toBeCloseTo(10 + p80, 1);
    expect(data.portfolio?.drivers).toMatchObject([
      { estimationId: shop, title: "Shop", share: 1, hours: { p80 } },
      { estimationId: portal, title: "Portal", share: 0, hours: { expected: 10, p80: 10 } },
    ]);
  });

  it("has the same of what the filters find, and with it costs by currency", async () => {
    const made = await importAs(other, "Billed", "20");
    const body = { tags: ["billed"], hourlyRate: 90, currency: "EUR" };
    await app.request("PATCH", `/api/estimations/${made}`, { token: other.token, body });
    const { data } = await read(other, "?tag=billed&correlation=1");
    expect(data.portfolio).toMatchObject({ count: 1, correlation: 1, hours: { expected: 20, p95: 20 } });
    expect(data.portfolio?.costs).toEqual([
      { currency: "EUR", count: 1, expected: 1_800, p50: 1_800, p80: 1_800, p90: 1_800, p95: 1_800 },
    ]);
    expect((await read(other, "?q=nothing")).data.portfolio).toMatchObject({ count: 0, drivers: [] });
    expect((await read(other, "")).data.portfolio).toMatchObject({ count: 2 });
  });

  it("answers for what one may not see as for what is not there", async () => {
    const unknown = `est_${"0".repeat(26)}`;
    const gone = await importAs(user, "Gone", "3");
    await app.request("DELETE", `/api/estimations/${gone}`, { token: user.token });
    const responses = await Promise.all([theirs, unknown, gone, "x"].map((id) => read(user, `?${idsOf(shop, id)}`)));
    for (const { status, body } of responses) expect([status, body.message]).toEqual([404, "not_found"]);
    // Shared, it counts, and ended, it does not.
    const { data } = await app.request("POST", `/api/estimations/${theirs}/shares`, {
      token: other.token,
      body: { email: user.email, permission: "view" },
    });
    await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: user.token });
    expect((await read(user, `?${idsOf(shop, theirs)}`)).data.portfolio).toMatchObject({ count: 2 });
    await app.request("DELETE", `/api/shares/${data.share?.id}`, { token: other.token });
    expect((await read(user, `?${idsOf(shop, theirs)}`)).status).toBe(404);
  });

  it("compares the sum with what people can do until a day", async () => {
    const capacity = "people=2&hoursPerWeek=5&from=2027-01-04&until=2027-01-08";
    const { data } = await read(user, `?${idsOf(portal)}&${capacity}`);
    expect(data.portfolio?.capacity).toEqual({ hours: 10, probability: 1 });
    const less = await read(user, `?${idsOf(portal)}&${capacity.replace("until=2027-01-08", "until=2027-01-07")}`);
    expect(less.data.portfolio?.capacity).toEqual({ hours: 8, probability: 0 });
    const faultsOf = async (query: string) => {
      const { status, body } = await read(user, `?${query}`);
      return [
        status,
        ...((body.errors ?? []) as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`),
      ];
    };
    expect(await faultsOf("people=2")).toEqual([400, "/hoursPerWeek required", "/from required", "/until required"]);
    expect(await faultsOf(capacity.replace("until=2027-01-08", "until=2027-01-03"))).toEqual([
      400,
      "/until out_of_order",
    ]);
    expect(await faultsOf(capacity.replace("from=2027-01-04", "from=2027-02-30"))).toEqual([400, "/from wrong_format"]);
    expect(await faultsOf(`${idsOf(shop)}&tag=a&q=b`)).toEqual([400, "/tag not_allowed", "/q not_allowed"]);
  });

  it(`adds up at most ${limits.portfolioEstimations} estimations`, async () => {
    const many = await app.signUp();
    const add = async (from: number, to: number) => {
      const { rows } = await app.pool.query<{ id: string }>(
        `insert into estimations (id, owner_id, title, description, correlation, hours_expected, created_at, updated_at)
         select 'est_' || lpad(n::text, 26, '0'), $1, 'Many', '', 0.2, 1, now(), now() from generate_series($2::int, $3::int) n
         returning id`,
        [many.userId, from, to],
      );
      const ids = rows.map(({ id }) => id);
      await app.pool.query(
        "insert into estimation_readers (estimation_id, user_id, owns) select unnest($1::text[]), $2, true",
        [ids, many.userId],
      );
      await addToLists(app.services.pool, ...ids);
      return ids;
    };
    const ids = await add(1, limits.portfolioEstimations);
    const whole = await read(many, "");
    expect(whole.data.portfolio).toMatchObject({ count: 500, hours: { expected: 500, p80: 500 } });
    expect((await read(many, `?${idsOf(...ids.slice(0, limits.portfolioIds))}`)).data.portfolio?.count).toBe(200);
    expect((await read(many, `?${idsOf(...ids.slice(0, limits.portfolioIds + 1))}`)).status).toBe(400);
    await add(501, 501);
    const { status, body } = await read(many, "");
    expect([status, body.errors]).toMatchObject([400, [{ in: "query", code: "too_many", expected: 500 }]]);
  });
});
