import { describe, expect, it, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene, hours, price } from "./testing/scene.ts";

const app = await start({ config: { webUrl: "https://app.example.org" } });

describe("the page of a link", () => {
  it("shows these fields and no others, to anybody who has the address", async () => {
    const { link, read, optionId } = await createScene(app);
    const { token, made } = await link({ shows: "hours", choices: true });
    expect(made.data.url).toBe(`https://app.example.org/p/${token}`);
    expect(token).toMatch(/^[\w-]{43}$/);
    const { status, data } = await read(token);
    const option = (title: string, selected: boolean, figure: number | null) => ({
      ...{ id: optionId(title), title, description: null, selected, points: null, questions: [] },
      amount: figure === null ? null : { figure, low: null, high: null },
    });
    const question = (title: string, kind: string, options: object[]) => ({
      ...{ id: expect.any(String), title, description: null, kind, required: false, min: null, max: null, options },
    });
    expect([status, data]).toEqual([
      200,
      {
        proposal: {
          title: "Shop",
          description: null,
          assumptions: null,
          edition: 1,
          publishedAt: app.clock.now().toISOString(),
          expiresAt: null,
          shows: "hours",
          percentile: "expected",
          choices: true,
          accepted: false,
          acceptance: null,
          currency: null,
          step: 1,
          questions: [
            question("Set-up", "group", [option("Servers", true, null)]),
            question("Payment", "single", [option("Card", true, 25), option("Invoice", false, 5)]),
            question("Extras", "multi", [option("Search", false, 30), option("Export", false, 3)]),
          ],
          fixed: { figure: 10, low: null, high: null },
          total: { figure: 35, low: null, high: null },
        },
      },
    ]);
  });

  it.each([
    [{ shows: "price" }, { figure: 3_500, low: null, high: null }],
    [
      { shows: "price", percentile: "p80", step: 100 },
      { figure: 4_300, low: null, high: null },
    ],
    [
      { shows: "priceRange", step: 100 },
      { figure: 3_500, low: 2_400, high: 4_700 },
    ],
    [{ shows: "hoursRange" }, { figure: 35, low: 24, high: 47 }],
  ])("shows for %j the total %j", async (given, total) => {
    const { link, read } = await createScene(app);
    const { proposal } = (await read((await link(given)).token)).data;
    expect(proposal?.total).toEqual(total);
    expect(proposal?.currency).toBe(given.shows.startsWith("price") ? "EUR" : null);
  });

  it.each(["price", "priceRange", "hours", "hoursRange"])(
    "names with %s no rate, role, client, person or text for colleagues",
    async (shows) => {
      const { link, read, owner } = await createScene(app);
      const { text } = await read((await link({ shows })).token);
      for (const secret of ["hourlyRate", "role", "operations", "Acme", "Kim", "colleagues", owner.userId, owner.email])
        expect(text).not.toContain(secret);
    },
  );

  it("shows descriptions where they are asked for, and only what counts where nothing can be chosen", async () => {
    const { link, read } = await createScene(app);
    const { text, data } = await read((await link({ descriptions: true, choices: false })).token);
    for (const shown of ["Written for colleagues", "Only Kim knows this", "Ask Kim"]) expect(text).toContain(shown);
    for (const hidden of ["Invoice", "Extras", "Search"]) expect(text).not.toContain(hidden);
    expect(data.proposal?.fixed).toEqual(data.proposal?.total);
  });

  it.each([true, false])(
    "shows the assumptions, as they were published, also with descriptions: %s",
    async (descriptions) => {
      const { link, read, send, path } = await createScene(app);
      await send("PUT", path, { assumptions: "Texts come from you.\nTwo rounds." });
      const { token, path: own } = await link({ descriptions });
      const shown = async () => (await read(token)).data.proposal?.assumptions;
      expect(await shown()).toBe("Texts come from you.\nTwo rounds.");
      await send("PUT", path, { assumptions: "" });
      expect(await shown()).toBe("Texts come from you.\nTwo rounds.");
      expect((await send("POST", `${own}/publish`)).data.link?.edition).toBe(2);
      expect(await shown()).toBe(null);
    },
  );

  it("that was published before there were assumptions shows none", async () => {
    const { link, read } = await createScene(app);
    const { token, id } = await link();
    const former = "(published::jsonb - 'assumptions')::text";
    await app.pool.query(
      `update client_links set published = ${former}, bytes = octet_length(${former}) where id = $1`,
      [id],
    );
    expect((await read(token)).data.proposal).toMatchObject({ assumptions: null, total: { figure: 35 } });
  });

  it("stays as it was published, until something newer is", async () => {
    const { link, read, send, path, optionId } = await createScene(app);
    const { token, path: own } = await link();
    const before = await read(token);
    await send("POST", `${path}/tree/options/${optionId("Search")}/select`);
    expect((await read(token)).data).toEqual(before.data);
    await app.clock.advance(1_000);
    const { data } = await send("POST", `${own}/publish`);
    expect(data.link).toMatchObject({ edition: 2, total: { figure: 65 }, publishedAt: app.clock.now().toISOString() });
    expect((await read(token)).data.proposal).toMatchObject({ edition: 2, total: { figure: 65 } });
    await changesNothing(app, async () => expect((await send("POST", `${own}/publish`)).data).toEqual(data));
  });

  it("is gone when the link is revoked, and while the estimation is in the trash", async () => {
    const { link, read, send, path } = await createScene(app);
    const [one, other] = [await link(), await link()];
    await send("DELETE", one.path);
    expect([(await read(one.token)).status, (await read(other.token)).status]).toEqual([404, 200]);
    await changesNothing(app, async () => expect((await send("DELETE", one.path)).data.link?.state).toBe("revoked"));
    await send("DELETE", path);
    expect((await read(other.token)).status).toBe(404);
    await send("POST", `${path}/restore-deleted`);
    expect([(await read(one.token)).status, (await read(other.token)).status]).toEqual([404, 200]);
  });

  it("is there until a millisecond before it expires, and says afterwards that it has", async () => {
    const { link, read, send } = await createScene(app);
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString();
    const { token, path } = await link({ expiresAt });
    await app.clock.advance(59_999);
    expect((await read(token)).data.proposal?.expiresAt).toBe(expiresAt);
    await app.clock.advance(1);
    const { status, body } = await read(token);
    expect([status, body.message, body.details]).toEqual([410, "link_expired", { expiredAt: expiresAt }]);
    expect(body.data).toBe(undefined);
    expect((await send("GET", path)).data.link?.state).toBe("expired");
    await send("PATCH", path, { expiresAt: null });
    expect((await read(token)).status).toBe(200);
  });

  it.each(["", "x", "a".repeat(42), "a".repeat(43), "a".repeat(44), `${"a".repeat(42)}!`])(
    "does not exist for the token %j",
    async (token) => expect((await app.request("GET", `/api/links/${token}`)).status).toBe(404),
  );

  it("of a token is stored only as its hash, and is read with one query", async () => {
    const { link } = await createScene(app);
    const { token } = await link();
    const { rows } = await app.pool.query("select to_jsonb(l)::text as text from client_links l");
    for (const { text } of rows) expect(text).not.toContain(token);
  });
});

describe("changing a link", () => {
  it("publishes the same version anew where it changes what is shown", async () => {
    const { link, read, send, path: estimation, optionId } = await createScene(app);
    const { path, token, made } = await link();
    await send("POST", `${estimation}/tree/options/${optionId("Search")}/select`);
    const { data } = await send("PATCH", path, { title: "Offer", shows: "hoursRange" });
    expect(data.link).toMatchObject({ title: "Offer", edition: 2, version: { id: made.data.link?.version?.id } });
    expect((await read(token)).data.proposal).toMatchObject({
      title: "Offer",
      total: { figure: 35, low: 24, high: 47 },
    });
    await changesNothing(app, async () => {
      const same = await send("PATCH", path, { title: "Offer", shows: "hoursRange" });
      expect(same.data).toEqual(data);
    });
  });

  it("is for the owner and editors; for other readers it is forbidden, and for strangers it is not there", async () => {
    const { link, share, send, path: estimation } = await createScene(app);
    const [editor, viewer, stranger] = [await share("edit"), await share("view"), await app.signUp()];
    const { path } = await link({}, editor);
    for (const [method, at, body] of [
      ["GET", `${estimation}/links`],
      ["POST", `${estimation}/links`, hours],
      ["GET", path],
      ["PATCH", path, { title: "x" }],
      ["POST", `${path}/publish`],
      ["DELETE", path],
    ] as const) {
      expect((await send(method, at, body, viewer)).status).toBe(403);
      expect((await send(method, at, body, stranger)).status).toBe(404);
      expect((await send(method, at, body, editor)).status).toBeLessThan(300);
    }
  });
});

describe("a question that no set of its options answers", () => {
  const option = (title: string, more: object = {}) => ({ title, hours: 1, ...more });
  const of = (more: object, ...options: object[]) => ({ title: "Extras", kind: "multi", options, ...more });

  it.each<[string, object, string]>([
    ["a max above its options", of({ max: 3 }, option("a"), option("b")), "max_above_options"],
    ["a min above its options", of({ min: 3 }, option("a"), option("b")), "too_few_selected"],
    ["no options, and required", of({ required: true }), "too_few_selected"],
    [
      "options that exclude each other",
      of({ min: 2 }, option("a", { ref: "a" }), option("b", { excludes: ["a"] })),
      "too_few_selected",
    ],
    [
      "such a question below an option that is not selected",
      of({}, option("a", { nodes: [of({ max: 2 }, option("b"))] })),
      "max_above_options",
    ],
  ])("has %s: then it is not published where clients choose", async (_, node, problem) => {
    const { link, read, send, path } = await createScene(app);
    const { token, path: own } = await link();
    const before = await read(token);
    expect((await send("PUT", `${path}/tree`, { nodes: [node] })).status).toBe(200);
    for (const [at, body] of [[`${own}/publish`], [`${path}/links`, hours]] as const) {
      const { status, body: refusal } = await send("POST", at, body);
      expect([status, refusal.message]).toEqual([409, "tree_incomplete"]);
      expect(refusal.errors).toMatchObject([{ problem, nodeId: expect.stringMatching(/^nod_/) }]);
    }
    expect((await read(token)).data).toEqual(before.data);
    const fixed = await link({ choices: false });
    expect((await send("PATCH", fixed.path, { choices: true })).body.message).toBe("tree_incomplete");
  });

  it.each<[string, object]>([
    ["a max of all its options", of({ max: 2 }, option("a"), option("b"))],
    ["a min of all its options", of({ min: 2 }, option("a"), option("b"))],
    [
      "enough options beside those that exclude each other",
      of(...([{ min: 2 }, option("a", { ref: "a" }), option("b", { excludes: ["a"] }), option("c")] as const)),
    ],
    ["nothing selected yet", of({ required: true }, option("a"))],
  ])("is not one that has %s", async (_, node) => {
    const { link, send, path } = await createScene(app);
    await send("PUT", `${path}/tree`, { nodes: [node] });
    await link();
  });
});

describe("links with money and links with hours", () => {
  it("of one estimation tell the rate, so the second kind has to be confirmed", async () => {
    const { link, send, path } = await createScene(app);
    const first = await link(hours);
    await link({ shows: "hoursRange" });
    const refused = await send("POST", `${path}/links`, price);
    expect([refused.status, refused.body.message]).toEqual([409, "rate_would_show"]);
    const money = await link({ ...price, confirmRate: true });
    expect((await send("PATCH", money.path, { title: "x" })).status).toBe(200);
    expect((await send("PATCH", first.path, { shows: "price" })).body.message).toBe("rate_would_show");
    expect((await send("PATCH", first.path, { shows: "price", confirmRate: true })).status).toBe(200);
  });

  it("are not changed from one to the other unless that is confirmed: clients remember", async () => {
    const { link, send, path } = await createScene(app);
    const { path: own, id } = await link(hours);
    const refused = await send("PATCH", own, { shows: "price" });
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([
      409,
      "rate_would_show",
      { linkId: id },
    ]);
    expect((await send("PATCH", own, { shows: "hoursRange" })).status).toBe(200);
    expect((await send("PATCH", own, { shows: "price", confirmRate: true })).status).toBe(200);
    expect((await send("GET", `${path}/links`)).data.links).toHaveLength(1);
  });

  it("of which one kind is revoked tell nothing", async () => {
    const { link, send } = await createScene(app);
    const { path } = await link(hours);
    await send("DELETE", path);
    await link(price);
  });
});

describe("the links of an estimation", () => {
  test(`are at most ${limits.linksPerEstimation}, revoked ones included`, async () => {
    const { link, send, path, id } = await createScene(app);
    await link();
    await app.pool.query(
      `insert into client_links select (jsonb_populate_record(l, jsonb_build_object(
         'id', 'lnk_' || left(md5(l.id || n), 26), 'token_hash', '\\x' || md5(l.id || n), 'revoked_at', now()))).*
       from client_links l, generate_series(3, $2::int) n where l.estimation_id = $1`,
      [id, limits.linksPerEstimation],
    );
    await link();
    const { status, body } = await send("POST", `${path}/links`, hours);
    expect([status, body.details]).toEqual([409, { quota: "linksPerEstimation", limit: limits.linksPerEstimation }]);
  });

  test.each([
    [0.01, 201],
    [limits.linkStepMax, 201],
    [0, 400],
    [0.001, 400],
    [limits.linkStepMax + 0.01, 400],
  ])("with a step of %s are made, or refused: %s", async (step, status) => {
    const { send, path } = await createScene(app);
    expect((await send("POST", `${path}/links`, { ...hours, step })).status).toBe(status);
  });

  test(`show pages of at most ${limits.linkPageBytes} bytes`, async () => {
    const { link, send, path } = await createScene(app);
    const { path: own, id } = await link();
    const long = { title: "x".repeat(limits.nodeTitleLength) };
    const full = { title: "g", kind: "group", options: Array.from({ length: 190 }, () => long) };
    /** Publishes a large tree whose last titles have so many characters more than they need. */
    const publish = async (more: number) => {
      const most = limits.nodeTitleLength - 1;
      const options = Array.from({ length: 60 }, (_, at) => ({
        title: "x".repeat(1 + Math.min(most, Math.max(0, more - most * at))),
      }));
      const last = { title: "g", kind: "group", options };
      await send("PUT", `${path}/tree`, { nodes: [full, full, full, full, last] });
      return send("POST", `${own}/publish`);
    };
    const bytes = async () =>
      (await app.pool.query("select bytes from client_links where id = $1", [id])).rows[0].bytes;
    expect((await publish(0)).status).toBe(200);
    const left = limits.linkPageBytes - (await bytes());
    expect((await publish(left)).status).toBe(200);
    expect(await bytes()).toBe(limits.linkPageBytes);
    const { status, body } = await publish(left + 1);
    expect([status, body.details]).toEqual([409, { quota: "linkPageBytes", limit: limits.linkPageBytes }]);
  });
});
