import { describe, expect, test } from "vitest";
import { createClient } from "../../../contract/client/client.ts";
import { limits } from "../../../contract/limits.ts";
import { CURSOR_LENGTH } from "../../../contract/shapes.ts";
import { currencies } from "../../../contract/values/currencies.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";

const app = await start();
const owner = await app.signUp();
const stranger = await app.signUp();

const price = { hourlyRate: 80, currency: "EUR" };

const create = async (body: object = {}, token = owner.token) => {
  const response = await app.request("POST", "/api/estimations", { token, body: { title: "Checkout", ...body } });
  expect(response.status).toBe(201);
  return String(response.data.estimation?.id);
};
const read = (id: string, token = owner.token) => app.request("GET", `/api/estimations/${id}`, { token });
const put = (id: string, body: unknown, headers = {}) =>
  app.request("PUT", `/api/estimations/${id}`, { token: owner.token, body, headers });

describe("an estimation", () => {
  test("is created with defaults and read back unchanged", async () => {
    const created = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Checkout" } });
    expect(created.status).toBe(201);
    expect(created.data.estimation).toMatchObject({
      ownerId: owner.userId,
      title: "Checkout",
      description: "",
      assumptions: "",
      clientName: null,
      tags: [],
      status: "draft",
      hourlyRate: null,
      currency: null,
      correlation: 0.2,
      rounding: 0.01,
      revision: 1,
      reviewState: "none",
      reviewStale: false,
      hours: { expected: 0, p50: 0, p80: 0, p90: 0, p95: 0 },
      access: "owner",
    });
    expect(created.headers.get("etag")).toBe('"1"');
    const again = await read(String(created.data.estimation?.id));
    expect(again.body).toEqual(created.body);
    expect(again.headers.get("etag")).toBe('"1"');
  });

  test("keeps its revision and its time if a PUT changes nothing", async () => {
    const id = await create({ tags: ["web", "shop"], clientName: "ACME", correlation: 0.5, ...price });
    const before = await read(id);
    await app.clock.advance(1000);
    for (const body of [{}, { title: "Checkout", tags: ["web", "shop"], correlation: 0.5 }, before.data.estimation]) {
      const response = await changesNothing(app, () => put(id, body));
      expect([response.status, response.body, response.headers.get("etag")]).toEqual([200, before.body, '"1"']);
    }
    expect((await put(id, { title: "Other" }, { "if-match": '"2"' })).status).toBe(412);
    expect((await read(id)).body).toEqual(before.body);
    for (const [revision, body] of [
      [2, { tags: ["shop", "web"] }],
      [3, { clientName: null }],
    ] as const) {
      expect((await put(id, body)).data.estimation).toMatchObject({ ...body, revision });
    }
  });

  test("keeps what a PUT omits, and ignores read-only fields", async () => {
    const id = await create({ description: "before", tags: ["web"], hourlyRate: 95.5, currency: "EUR" });
    const { data } = await read(id);
    await app.clock.advance(1500);
    const response = await put(id, {
      ...data.estimation,
      revision: 99,
      hours: null,
      access: "viewer",
      title: "After",
    });
    expect(response.status).toBe(200);
    expect(response.data.estimation).toEqual({
      ...data.estimation,
      title: "After",
      revision: 2,
      updatedAt: new Date(Date.parse(String(data.estimation?.updatedAt)) + 1500).toISOString(),
    });
    expect(response.headers.get("etag")).toBe('"2"');
  });

  test("is only marked when deleted: no call finds it, and its row stays", async () => {
    const id = await create();
    const deleted = await app.request("DELETE", `/api/estimations/${id}`, { token: owner.token });
    expect([deleted.status, deleted.data.estimation?.id]).toEqual([200, id]);
    expect((await read(id)).status).toBe(404);
    expect((await put(id, { title: "x" })).status).toBe(404);
    expect((await app.request("DELETE", `/api/estimations/${id}`, { token: owner.token })).status).toBe(404);
    const { rows } = await app.pool.query("select deleted_at from estimations where id = $1", [id]);
    expect(rows[0].deleted_at).not.toBeNull();
  });

  test("of another user gets the same response as one that does not exist, and stays unchanged", async () => {
    const id = await create();
    for (const [method, body] of [["GET"], ["PUT", { title: "Mine" }], ["DELETE"]] as const) {
      const response = await app.request(method, `/api/estimations/${id}`, { token: stranger.token, body });
      expect([response.status, response.body.message]).toEqual([404, "not_found"]);
    }
  });

  test("includes the correlation of its options in its hours", async () => {
    const id = await create();
    const options = [1, 2, 3].map((n) => ({ title: `o${n}`, hours: { optimistic: 10, likely: 20, pessimistic: 60 } }));
    await app.request("PUT", `/api/estimations/${id}/tree`, {
      token: owner.token,
      body: { nodes: [{ title: "n", kind: "group", options }] },
    });
    const before = (await read(id)).data.estimation?.hours;
    const after = (await put(id, { correlation: 1 })).data.estimation?.hours;
    expect(after?.expected).toBe(before?.expected);
    expect(Number(after?.p95)).toBeGreaterThan(Number(before?.p95));
  });
});

describe("limits, at and beyond them", () => {
  const cases: [string, unknown, unknown][] = [
    ["title", "x".repeat(limits.titleLength), "x".repeat(limits.titleLength + 1)],
    ["title", "😀".repeat(limits.titleLength), "😀".repeat(limits.titleLength + 1)],
    ["title", "x", ""],
    ["title", " x ", "  \t "],
    ["description", "x".repeat(limits.descriptionLength), "x".repeat(limits.descriptionLength + 1)],
    ["assumptions", "𝄞".repeat(limits.descriptionLength), "𝄞".repeat(limits.descriptionLength + 1)],
    ["clientName", "x".repeat(limits.clientNameLength), "x".repeat(limits.clientNameLength + 1)],
    [
      "tags",
      Array.from({ length: limits.tags }, (_, n) => `t${n}`),
      Array.from({ length: limits.tags + 1 }, (_, n) => `t${n}`),
    ],
    ["tags", ["x".repeat(limits.tagLength)], ["x".repeat(limits.tagLength + 1)]],
    ["tags", ["a", "b"], ["a", "a"]],
    ["hourlyRate", limits.hourlyRateMax, limits.hourlyRateMax + 0.01],
    ["hourlyRate", 0, -0.01],
    ["hourlyRate", 0.07, 0.071],
    ["currency", "EUR", "eur"],
    ["currency", "XTS", "ABC"],
    ["correlation", 0, -0.001],
    ["correlation", 1, 1.001],
    ["rounding", 0.25, 0.26],
    ["rounding", 1, 2],
  ];
  test.each(cases)("%s accepts %j and refuses anything beyond it", async (field, fits, beyond) => {
    const id = await create(price);
    const taken = await put(id, { [field]: fits });
    expect(taken.status).toBe(200);
    expect(taken.data.estimation?.[field]).toEqual(fits);
    const refused = await put(id, { [field]: beyond });
    expect([refused.status, refused.body.message]).toEqual([400, "validation_failed"]);
    expect(String(refused.body.errors?.[0]?.path)).toMatch(new RegExp(`^/${field}`));
    expect((await read(id)).data).toEqual(taken.data);
  });
});

describe("the currency", () => {
  const path = "/currency";
  const missing = { path, in: "body", code: "required", message: "is required where hourlyRate is set" };

  test.each([
    ["eur", "EUR"],
    ["EURO", "EUR"],
    ["DEM 1", undefined],
    ["", undefined],
  ])("%j is refused with a suggestion of the code that was probably meant: %j", async (currency, suggestion) => {
    const { status, body } = await put(await create(), { currency });
    const form = "a three-letter currency code of ISO 4217";
    const row = { path, in: "body", code: "not_one_of", message: `must be ${form}`, expected: form };
    expect([status, body.errors]).toEqual([400, [{ ...row, ...(suggestion ? { suggestion } : {}) }]]);
  });

  test("is required with a rate, even 0, on creating", async () => {
    for (const money of [{ hourlyRate: 80 }, { hourlyRate: 0, currency: null }]) {
      const body = { title: "Shop", ...money };
      const response = await app.request("POST", "/api/estimations", { token: owner.token, body });
      expect([response.status, response.body.errors]).toEqual([400, [missing]]);
    }
    await create({ currency: "EUR" });
    await create({ hourlyRate: null, currency: null });
  });

  test.each(["PUT", "PATCH"])("is required if the result of %s has a rate", async (method) => {
    const change = (id: string, body: object) =>
      app.request(method, `/api/estimations/${id}`, { token: owner.token, body });
    const [bare, priced] = [await create(), await create(price)];
    for (const [id, body] of [
      [bare, { hourlyRate: 1 }],
      [priced, { currency: null }],
      [priced, { hourlyRate: 2, currency: null }],
    ] as const) {
      const before = await read(id);
      const response = await change(id, body);
      expect([response.status, response.body.errors]).toEqual([400, [missing]]);
      expect((await read(id)).body).toEqual(before.body);
    }
    for (const body of [{ hourlyRate: 90 }, { currency: "CHF" }, { hourlyRate: null, currency: null }, price]) {
      expect((await change(priced, body)).data.estimation).toMatchObject(body);
    }
  });

  test("that is invalid in an older record is returned and does not prevent other changes", async () => {
    const [odd, none] = [await create(price), await create(price)];
    await app.pool.query("update estimations set currency = 'ZZZ' where id = $1", [odd]);
    await app.pool.query("update estimations set currency = null where id = $1", [none]);
    for (const [id, currency] of [
      [odd, "ZZZ"],
      [none, null],
    ] as const) {
      expect((await read(id)).data.estimation).toMatchObject({ hourlyRate: 80, currency });
      const list = await app.request("GET", "/api/estimations?limit=2", { token: owner.token });
      expect(list.status).toBe(200);
      const hours = await app.request("GET", `/api/estimations/${id}/tree/hours`, { token: owner.token });
      expect(hours.data.hours?.cost).toMatchObject({ currency });
      expect((await put(id, { title: "Renamed" })).data.estimation).toMatchObject({ title: "Renamed", currency });
    }
    expect((await put(odd, { hourlyRate: 90 })).status).toBe(200);
    expect((await put(odd, { currency: "ZZZ" })).status).toBe(400);
  });
});

test("the table of currencies has the well-known codes, each once, in order", async () => {
  expect(currencies.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  expect(currencies).toEqual([...new Set(currencies)].sort());
  expect(currencies).toEqual(expect.arrayContaining(["CHF", "EUR", "GBP", "JPY", "USD", "XCG"]));
  expect(currencies).toHaveLength(178);
});

describe("If-Match", () => {
  test("accepts the current revision and *, and refuses every other without a change", async () => {
    const id = await create();
    for (const header of ['"1"', "*", '"7", "3"']) {
      expect((await put(id, { title: header }, { "if-match": header })).status).toBe(200);
    }
    expect((await read(id)).data.estimation?.revision).toBe(4);
    for (const header of ['"3"', 'W/"3"', '""', '"x"', '"4-x"', '"99999999999999999999"']) {
      const refused = await put(id, { title: "lost" }, { "if-match": header });
      expect([refused.status, refused.body.message]).toEqual([412, "revision_mismatch"]);
      expect(refused.body.details?.revision).toBe(4);
    }
  });

  test("lets one of many simultaneous writers with the same revision succeed", async () => {
    const id = await create();
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => put(id, { title: `t${n}` }, { "if-match": '"1"' })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(11);
    expect((await read(id)).data.estimation?.revision).toBe(2);
  });
});

describe("the list", () => {
  test("pages through everything once, in a total order, even while estimations are created", async () => {
    const { token } = await app.signUp();
    const made: string[] = [];
    for (let n = 0; n < 25; n += 1) made.push(await create({ title: `e${n}` }, token));
    const seen: string[] = [];
    let cursor = "";
    do {
      const { status, data } = await app.request("GET", `/api/estimations?sort=createdAt&limit=7${cursor}`, { token });
      expect(status).toBe(200);
      for (let n = 0; data.estimations?.[n]; n += 1) seen.push(String(data.estimations[n]?.id));
      if (seen.length < 8) await create({ title: "late" }, token);
      cursor = data.nextCursor ? `&cursor=${data.nextCursor}` : "";
    } while (cursor);
    expect(seen).toEqual([...made].reverse());
  });

  test("filters by status, access, tag and text, separately and together", async () => {
    const { token } = await app.signUp();
    const shop = await create({ title: "Shop 100% _new", tags: ["web", "b2c"], clientName: "Acme" }, token);
    const app2 = await create({ title: "App", tags: ["mobile"], clientName: "acme labs" }, token);
    const idsOf = async (query: string) => {
      const { status, data } = await app.request("GET", `/api/estimations?${query}`, { token });
      expect(status).toBe(200);
      return JSON.parse(JSON.stringify(data.estimations)).map(({ id }: { id: string }) => id);
    };
    expect(await idsOf("")).toEqual([app2, shop]);
    expect(await idsOf("tag=web")).toEqual([shop]);
    expect(await idsOf("tag=we")).toEqual([]);
    expect(await idsOf("q=ACME")).toEqual([app2, shop]);
    expect(await idsOf("q=100%25%20_n")).toEqual([shop]);
    expect(await idsOf("q=%25x")).toEqual([]);
    expect(await idsOf("q=%5C")).toEqual([]);
    expect(await idsOf("q=acme&tag=mobile&status=draft&access=owner")).toEqual([app2]);
    expect(await idsOf("status=exported")).toEqual([]);
    expect(await idsOf("access=viewer")).toEqual([]);
  });

  test("filters by several values and finds what matches any of them", async () => {
    const { token } = await app.signUp();
    const shop = await create({ title: "Shop", tags: ["web", "b2c", "a,b", "C+"] }, token);
    const mobile = await create({ title: "App", tags: ["mobile", "b2c"] }, token);
    const other = await create({ title: "Else" }, token);
    const idsOf = async (query: string) => {
      const { status, data } = await app.request("GET", `/api/estimations?${query}`, { token });
      expect([query, status]).toEqual([query, 200]);
      return JSON.parse(JSON.stringify(data.estimations)).map(({ id }: { id: string }) => id);
    };
    expect(await idsOf("status=exported,draft")).toEqual([other, mobile, shop]);
    expect(await idsOf("status=exported%2Cdraft&access=viewer,owner")).toEqual([other, mobile, shop]);
    expect(await idsOf("status=exported,submitted")).toEqual([]);
    expect(await idsOf("access=viewer,editor")).toEqual([]);
    expect(await idsOf("tag=web,mobile")).toEqual([mobile, shop]);
    expect(await idsOf("tag=b2c,web,mobile&limit=2")).toEqual([mobile, shop]);
    expect(await idsOf("tag=none,web&q=shop")).toEqual([shop]);
    expect(await idsOf("q=shop&tag=none,nothing")).toEqual([]);
    // Only a comma that is not encoded separates tags: a tag may have one.
    expect(await idsOf("tag=a%2Cb")).toEqual([shop]);
    expect(await idsOf("tag=mobile,a%2Cb")).toEqual([mobile, shop]);
    expect(await idsOf("tag=a,b")).toEqual([]);
    expect(await idsOf("t%61g=C%2B,x+y")).toEqual([shop]);
    const client = createClient(app.url, () => token);
    const query = { tag: ["a,b", "mobile"], status: ["draft" as const] };
    expect((await client.listEstimations({ query })).data.estimations.map(({ id }) => id)).toEqual([mobile, shop]);
  });

  test("limits the tags of one filter", async () => {
    const tags = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`).join();
    const get = (query: string) => app.request("GET", `/api/estimations?${query}`, { token: owner.token });
    expect((await get(`tag=${tags(limits.filterTags)}`)).status).toBe(200);
    for (const [query, path, code] of [
      [`tag=${tags(limits.filterTags + 1)}`, "/tag", "too_many"],
      ["tag=a,a", "/tag/1", "repeated"],
      ["tag=", "/tag/0", "too_short"],
      ["tag=a&tag=b", "/tag", "repeated"],
      ["tag=%00,a", "/tag/0", "blank"],
      ["tag=x%00,a", "/tag", "unstorable"],
      [`tag=a,${"x".repeat(limits.tagLength + 1)}`, "/tag/1", "too_long"],
    ]) {
      const { status, body } = await get(String(query));
      expect([query, status, body.errors?.[0]]).toMatchObject([query, 400, { path, in: "query", code }]);
    }
  });

  test("refuses invalid sizes, orders and cursors", async () => {
    const { token } = owner;
    const next = (await app.request("GET", "/api/estimations?limit=1", { token })).data.nextCursor;
    expect(next).toBeTruthy();
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const bad = [
      "limit=0",
      "limit=101",
      "limit=1.5",
      "limit=x",
      "limit=1&limit=2",
      "sort=title",
      "status=open",
      "q=%00",
      "unknown=1",
      `q=${"x".repeat(limits.searchLength + 1)}`,
      `sort=createdAt&cursor=${next}`,
      "cursor=%00",
      "cursor=abc",
      `cursor=${forged(["estimations.updatedAt", "never", "est_01m7xzrsdpe4haa1d6nkzw94y5"])}`,
      `cursor=${forged(["estimations.updatedAt", "2026-01-01T00:00:00Z", "x\u0000"])}`,
      `cursor=${forged(["estimations.updatedAt", 1, 2])}`,
      `cursor=${"A".repeat(CURSOR_LENGTH + 1)}`,
    ];
    for (const query of bad) {
      const response = await app.request("GET", `/api/estimations?${query}`, { token });
      expect([query, response.status, response.body.message]).toEqual([query, 400, "validation_failed"]);
    }
    for (const query of ["limit=1", "limit=100", `q=${"x".repeat(limits.searchLength)}`, `cursor=${next}`]) {
      expect((await app.request("GET", `/api/estimations?${query}`, { token })).status).toBe(200);
    }
  });
});
