import { describe, expect, it, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { createScene, price } from "./testing/scene.ts";

const app = await start({ config: { trustProxy: ["127.0.0.1/32"], rateLimitPerMinute: 1_000_000 } });

const client = { name: "Robin", email: "robin@client.example" };

async function opened(body: object = {}) {
  const scene = await createScene(app);
  const link = await scene.link(body);
  const post = (what: string, sent: object, ip = "203.0.113.7") =>
    app.request("POST", `/api/links/${link.token}/${what}`, { body: sent, headers: { "x-forwarded-for": ip } });
  return {
    ...scene,
    link,
    tryOut: (select: string[], deselect: string[] = [], ip?: string) => post("what-if", { select, deselect }, ip),
    accept: (more: object = {}, ip?: string) => post("accept", { ...client, ...more }, ip),
    comment: (more: object = {}) => post("comment", { ...client, note: "When?", ...more }),
  };
}

describe("trying other options", () => {
  it("returns the sum of the figures that the page shows, and nothing else", async () => {
    const { tryOut, optionId, read, link } = await opened();
    const of = async (select: string[], deselect: string[] = []) =>
      (await tryOut(select.map(optionId), deselect.map(optionId))).data;
    expect(await of([])).toEqual({ whatIf: { edition: 1, total: { figure: 35, low: null, high: null } } });
    expect((await of(["Invoice"])).whatIf?.total?.figure).toBe(10 + 5);
    expect((await of(["Invoice", "Search", "Export"])).whatIf?.total?.figure).toBe(10 + 5 + 30 + 3);
    expect((await of([], ["Card"])).whatIf?.total?.figure).toBe(10);
    await changesNothing(app, async () => void (await of(["Search"])));
    expect((await read(link.token)).data.proposal?.total?.figure).toBe(35);
  });

  it("of prices and ranges too is a sum of what is shown for the parts", async () => {
    const { tryOut, optionId, read, link } = await opened({
      ...price,
      shows: "priceRange",
      percentile: "p80",
      step: 50,
    });
    const { proposal } = (await read(link.token)).data;
    const options = [1, 2].flatMap((at) => Object.values(proposal?.questions?.[at]?.options ?? {}));
    const amountOf = (title: string) => options.find((option) => String(option.title) === title)?.amount;
    const { data } = await tryOut(["Invoice", "Search"].map(optionId));
    for (const name of ["figure", "low", "high"]) {
      const parts = [proposal?.fixed, amountOf("Invoice"), amountOf("Search")];
      const sum = parts.reduce((left, amount) => left + Number(amount?.[name]), 0);
      expect(Number(data.whatIf?.total?.[name])).toBe(sum);
    }
  });

  it("is refused where nothing can be chosen, for unknown options, and for too many", async () => {
    const { tryOut, optionId } = await opened({ choices: false });
    expect((await tryOut([optionId("Card")])).body.message).toBe("choices_fixed");
    const open = await opened();
    const unknown = await open.tryOut([`opt_${"0".repeat(26)}`]);
    expect([unknown.status, unknown.body.errors?.[0]?.path, unknown.body.errors?.[0]?.in]).toEqual([
      400,
      "/select/0",
      "body",
    ]);
    const ids = (count: number) => Array.from({ length: count }, (_, n) => `opt_${String(n).padStart(26, "0")}`);
    expect((await open.tryOut(ids(limits.trialOptions + 1))).body.errors?.[0]?.code).toBe("too_many");
  });

  it(`is limited to ${limits.linkTrialsPerMinute} a minute for each link and address`, async () => {
    const { tryOut } = await opened();
    const other = await opened();
    for (let n = 0; n < limits.linkTrialsPerMinute; n += 1) expect((await tryOut([])).status).toBe(200);
    expect((await tryOut([])).status).toBe(429);
    expect([(await tryOut([], [], "203.0.113.8")).status, (await other.tryOut([])).status]).toEqual([200, 200]);
    await app.clock.advance(60_000);
    expect((await tryOut([])).status).toBe(200);
  });
});

describe("accepting", () => {
  it("is recorded with version, selection, total, time and address, and changes nothing of the estimation", async () => {
    const { accept, optionId, send, path, link, read, owner } = await opened();
    const before = await send("GET", path);
    const selection = { select: [optionId("Search")], deselect: [] };
    const { status, data } = await accept({ selection, note: "Gladly", edition: 1, email: " Robin@Client.example " });
    const at = app.clock.now().toISOString();
    const total = { figure: 65, low: null, high: null };
    expect([status, data]).toEqual([200, { receipt: { edition: 1, total, createdAt: at } }]);
    const { answers } = (await send("GET", `${link.path}/answers`)).data;
    expect(answers).toMatchObject([
      {
        ...{
          kind: "accepted",
          name: "Robin",
          email: "robin@client.example",
          note: "Gladly",
          edition: 1,
          selection,
          total,
        },
        ...{ version: { number: 1 }, ip: "203.0.113.7", createdAt: at },
      },
    ]);
    const after = await send("GET", path);
    expect([after.data, after.headers.get("etag")]).toEqual([before.data, before.headers.get("etag")]);
    expect((await send("GET", link.path)).data.link?.acceptedAt).toBe(at);
    expect((await read(link.token)).data.proposal?.accepted).toBe(true);
    const { activity } = (await send("GET", `${path}/activity`)).data;
    expect(activity?.[0]).toMatchObject({
      ...{ kind: "proposal.accepted", person: { id: owner.userId }, subject: { linkId: link.id } },
    });
  });

  it("shows on the page what was chosen, with its total; a comment that names nothing else is about that", async () => {
    const { accept, comment, optionId, read, link, send } = await opened();
    const published = (await read(link.token)).data.proposal;
    expect(published?.acceptance).toBe(null);
    await accept({ selection: { select: ["Invoice", "Search"].map(optionId), deselect: [] } });
    const { proposal } = (await read(link.token)).data;
    const total = { figure: 45, low: null, high: null };
    expect(proposal).toEqual({
      ...published,
      accepted: true,
      acceptance: {
        acceptedAt: app.clock.now().toISOString(),
        optionIds: ["Servers", "Invoice", "Search"].map(optionId),
        total,
      },
    });
    await app.clock.advance(1_000);
    expect((await comment()).data.receipt?.total).toEqual(total);
    const { answers } = (await send("GET", `${link.path}/answers`)).data;
    expect(answers?.[1]).toMatchObject({ kind: "comment", selection: answers?.[0]?.selection, total });
  });

  it("shows without choices all that the page shows", async () => {
    const { accept, optionId, read, link } = await opened({ choices: false });
    await accept();
    const { acceptance, total } = (await read(link.token)).data.proposal ?? {};
    expect(acceptance).toMatchObject({ optionIds: ["Servers", "Card"].map(optionId), total });
  });

  it("happens once for a link, whoever tries at the same time", async () => {
    const { accept } = await opened();
    const responses = await Promise.all([1, 2, 3, 4].map((n) => accept({}, `203.0.113.${n}`)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await accept()).body.message).toBe("proposal_accepted");
  });

  it("is refused where something newer was published since it was read", async () => {
    const { accept, send, path, link, optionId } = await opened();
    await send("POST", `${path}/tree/options/${optionId("Search")}/select`);
    await send("POST", `${link.path}/publish`);
    const { status, body } = await accept({ edition: 1 });
    expect([status, body.message, body.details]).toEqual([409, "proposal_changed", { edition: 2 }]);
    expect((await accept({ edition: 2 })).data.receipt?.total?.figure).toBe(65);
  });

  it("is refused with a selection that is not complete, and says what is missing", async () => {
    const { accept, send, path, link, optionId } = await opened();
    const question = (await send("GET", `${path}/tree`)).data.tree?.nodes?.[1];
    await send("PATCH", `${path}/tree/nodes/${question?.id}`, { required: true });
    const without = { selection: { select: [], deselect: [optionId("Card")] } };
    await send("POST", `${link.path}/publish`);
    const { status, body } = await accept(without);
    expect([status, body.message]).toEqual([409, "tree_incomplete"]);
    expect(body.errors?.[0]).toMatchObject({ problem: "too_few_selected", nodeId: question?.id });
    expect((await accept()).status).toBe(200);
  });

  it("freezes what is shown: it is neither published anew nor changed", async () => {
    const { accept, send, path, link, read } = await opened();
    await accept();
    const before = (await read(link.token)).data;
    await send("PUT", path, { title: "Another" });
    for (const refused of [
      await send("POST", `${link.path}/publish`),
      await send("PATCH", link.path, { shows: "hoursRange" }),
      await send("PATCH", link.path, { title: "Another offer" }),
    ])
      expect([refused.status, refused.body.message]).toEqual([409, "proposal_accepted"]);
    expect((await send("PATCH", link.path, { expiresAt: "2099-01-01T00:00:00Z" })).status).toBe(200);
    expect((await read(link.token)).data.proposal?.total).toEqual(before.proposal?.total);
  });

  it("needs a name that can be seen and an address", async () => {
    const { accept } = await opened();
    for (const wrong of [{ name: " " }, { name: "x".repeat(limits.userNameLength + 1) }, { email: "nobody" }])
      expect((await accept(wrong)).status).toBe(400);
    expect((await accept({ note: "x".repeat(limits.linkNoteLength + 1) })).status).toBe(400);
    const note = "x".repeat(limits.linkNoteLength);
    expect((await accept({ name: "x".repeat(limits.userNameLength), note })).status).toBe(200);
  });

  it.each(["accept", "comment", "what-if"])("or any %s is not there once the link is revoked", async (what) => {
    const { link, send } = await opened();
    await send("DELETE", link.path);
    const body = what === "what-if" ? { select: [], deselect: [] } : { ...client, note: "?" };
    const { status } = await app.request("POST", `/api/links/${link.token}/${what}`, { body });
    expect(status).toBe(404);
  });
});

describe("applying what was accepted", () => {
  it("selects it in the estimation as it is now, as a version, and loses nothing", async () => {
    const { accept, send, path, link, optionId } = await opened();
    await accept({ selection: { select: ["Invoice", "Search"].map(optionId), deselect: [] } });
    await send("PUT", path, { title: "Edited since" });
    const { status, data } = await send("POST", `${link.path}/apply`);
    expect([status, data.estimation?.title, data.version?.cause]).toEqual([200, "Edited since", "link"]);
    expect(data.link?.appliedAt).toBe(app.clock.now().toISOString());
    const { tree } = (await send("GET", `${path}/tree`)).data;
    const selected = Object.values(tree?.nodes ?? {}).flatMap((node) =>
      Object.values(node.options ?? {}).flatMap((option) => (option.selected ? [String(option.title)] : [])),
    );
    expect(selected).toEqual(["Invoice", "Search"]);
    const { versions } = (await send("GET", `${path}/versions`)).data;
    expect(Object.values(versions ?? {}).map(({ number }) => Number(number))).toEqual([3, 2, 1]);
    expect((await send("GET", `${path}/activity`)).data.activity?.[0]).toMatchObject({
      ...{ kind: "proposal.applied", hoursDelta: 10, before: versions?.[1]?.id, after: versions?.[0]?.id },
    });
  });

  it("is refused where nobody has accepted, and while the estimation is locked", async () => {
    const { accept, send, path, link, optionId } = await opened();
    expect((await send("POST", `${link.path}/apply`)).body.message).toBe("acceptance_missing");
    await accept({ selection: { select: [optionId("Search")], deselect: [] } });
    expect((await send("POST", `${path}/submit`)).status).toBe(200);
    expect((await send("POST", `${link.path}/apply`)).body.message).toBe("estimation_locked");
    await send("POST", `${path}/reopen`);
    expect((await send("POST", `${link.path}/apply`)).status).toBe(200);
  });
});

describe("commenting", () => {
  test(`takes ${limits.commentsPerLink} comments of a link, and an acceptance beside them`, async () => {
    const { comment, accept, id } = await opened();
    expect((await comment()).status).toBe(200);
    await app.pool.query(
      `insert into client_answers select (jsonb_populate_record(a, jsonb_build_object('id', 'ans_' || left(md5(a.id || n), 26)))).*
       from client_answers a, generate_series(3, $2::int) n where a.estimation_id = $1`,
      [id, limits.commentsPerLink],
    );
    expect((await comment()).status).toBe(200);
    const { status, body } = await comment();
    expect([status, body.details]).toEqual([409, { quota: "commentsPerLink", limit: limits.commentsPerLink }]);
    expect((await accept()).status).toBe(200);
  });

  test("is refused for another edition than the one that shows, however large its number", async () => {
    const { comment, send, link } = await opened();
    await send("PATCH", link.path, { title: "Our second offer" });
    for (const edition of [1, 3, 3_000_000_000]) {
      const { status, body } = await comment({ edition });
      expect([status, body.message, body.details]).toEqual([409, "proposal_changed", { edition: 2 }]);
    }
    expect((await comment({ edition: 2 })).data.receipt?.edition).toBe(2);
  });

  test("is in the activity once for ten minutes", async () => {
    const { comment, send, path } = await opened();
    for (const note of ["One", "Two"]) await comment({ note });
    const { activity } = (await send("GET", `${path}/activity`)).data;
    expect(activity?.[0]).toMatchObject({ kind: "proposal.commented", edits: 2 });
  });
});
