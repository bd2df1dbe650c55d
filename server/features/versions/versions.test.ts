import { describe, expect, test } from "vitest";
import { type Response, start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { hashOf, setScene } from "./testing/scene.ts";

const app = await start();

const snapshotsOf = async (estimationId: string): Promise<number> =>
  (await app.pool.query("select count(*)::int as n from version_snapshots where estimation_id = $1", [estimationId]))
    .rows[0].n;

describe("making a version", () => {
  test("stores the content with number, label, author, parents, hash and hours, whatever changes later", async () => {
    const { send, pin, read, rename, list, owner } = await setScene(app);
    const estimation = (await send("GET", "")).data.estimation;
    const { nodes } = (await send("GET", "/tree")).data.tree ?? {};
    const { status, data, headers } = await send("POST", "/versions", { body: { label: "Offer" } });
    const { version } = data;
    expect([status, headers.get("location")]).toEqual([
      201,
      `/api/estimations/${estimation?.id}/versions/${version?.id}`,
    ]);
    expect(version).toMatchObject({
      number: 1,
      label: "Offer",
      author: { id: owner.userId, name: owner.email.split("@")[0] },
      cause: "manual",
      parents: [],
      hours: estimation?.hours,
      createdAt: app.clock.now().toISOString(),
    });
    await rename("Other");
    await send("PUT", "/tree", { body: { nodes: [] } });
    const second = await pin();
    expect(second).toMatchObject({ number: 2, label: null, parents: [version?.id], hours: { expected: 0 } });
    const { content, schema, ...about } = await read(String(version?.id));
    expect([about, schema]).toEqual([version, 2]);
    const { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding } = {
      ...estimation,
    };
    const settings = { title, description, assumptions, clientName, hourlyRate, currency, correlation, rounding };
    // Without an `origin`, which the tree returns as null.
    const tree = JSON.parse(JSON.stringify({ nodes }, (name, value) => (name === "origin" ? undefined : value)));
    expect(content).toEqual({ ...settings, timeline: null, tree, milestones: [] });
    expect(await list()).toEqual([second, version]);
  });

  test("returns the latest version if the content is the same, and stores nothing, whatever the label", async () => {
    const { send, pin, owner } = await setScene(app);
    const first = await pin({ label: "One" });
    await send("PUT", "", { body: { tags: ["other"] } });
    const again = await changesNothing(app, () => send("POST", "/versions", { body: { label: "Two" } }));
    expect([again.status, again.data]).toEqual([200, { version: first }]);
    expect(again.headers.has("location")).toBe(false);
    const key = { "idempotency-key": crypto.randomUUID() };
    for (const replayed of [null, "true"]) {
      const found = await app.request(
        "POST",
        `/api/estimations/${(await send("GET", "")).data.estimation?.id}/versions`,
        {
          token: owner.token,
          headers: key,
        },
      );
      expect([found.status, found.headers.get("idempotent-replayed")]).toEqual([200, replayed]);
    }
  });

  test("stores each content once, even if it comes back later, and still makes a version of it", async () => {
    const { id, pin, rename } = await setScene(app);
    const first = await pin();
    await rename("Other");
    const second = await pin();
    await rename("Shop");
    const third = await pin();
    expect([first, second, third].map(({ number }) => number)).toEqual([1, 2, 3]);
    expect([third.contentHash, third.parents]).toEqual([first.contentHash, [second.id]]);
    expect(await snapshotsOf(id)).toBe(2);
  });

  test.each<[string, object]>([
    ["title", { title: "Other" }],
    ["description", { description: "Other" }],
    ["text of assumptions", { assumptions: "Two rounds of feedback" }],
    ["client", { clientName: "ACME" }],
    ["rate", { hourlyRate: 96 }],
    ["currency", { currency: "USD" }],
    ["correlation", { correlation: 0.3 }],
    ["rounding", { rounding: 0.5 }],
  ])("makes a new version for another %s", async (_, body) => {
    const { send, pin } = await setScene(app);
    const first = await pin();
    await send("PUT", "", { body });
    const second = await pin();
    expect(second.number).toBe(2);
    expect(second.contentHash).not.toBe(first.contentHash);
  });

  test("is refused if the latest version is not the expected one", async () => {
    const { send, pin, rename } = await setScene(app);
    const expecting = (expectedHeadVersionId: string) => send("POST", "/versions", { body: { expectedHeadVersionId } });
    const none = await expecting(`ver_${"0".repeat(26)}`);
    expect([none.status, none.body.message, none.body.details]).toEqual([409, "head_moved", { headVersionId: null }]);
    const first = await pin();
    expect((await expecting(first.id)).status).toBe(200);
    await rename("Other");
    const second = (await expecting(first.id)).data.version;
    const stale = await expecting(first.id);
    expect([stale.status, stale.body.details]).toEqual([409, { headVersionId: second?.id }]);
  });

  test("compares If-Match with the estimation, whose revision it does not change", async () => {
    const { send, rename } = await setScene(app);
    await rename("Other");
    const refused = await send("POST", "/versions", { headers: { "if-match": '"2"' } });
    expect([refused.status, refused.body.details]).toEqual([412, { revision: 3 }]);
    expect((await send("POST", "/versions", { headers: { "if-match": '"3"' } })).status).toBe(201);
    expect((await send("GET", "")).headers.get("etag")).toBe('"3"');
  });
});

describe("a version is made automatically", () => {
  test("when an estimation is submitted, and when tasks are generated from content that has none", async () => {
    const { send, list, rename } = await setScene(app);
    expect((await send("POST", "/tasks/generate")).status).toBe(200);
    await rename("Other");
    expect((await send("POST", "/submit")).status).toBe(200);
    expect((await send("POST", "/tasks/generate")).status).toBe(200);
    expect((await list()).map(({ number, cause }) => [number, cause])).toEqual([
      [2, "submit"],
      [1, "tasks"],
    ]);
  });

  test("but not if submitting is refused", async () => {
    const { send } = await setScene(app);
    await send("PUT", "/tree", { body: { nodes: [] } });
    await expect((await send("POST", "/submit")).status).toBe(409);
  });
});

describe("the list of versions", () => {
  test("is paged newest first, and a page stays the same while versions are made", async () => {
    const { send, pin, rename } = await setScene(app);
    const made = [];
    for (const title of ["1", "2", "3", "4", "5"]) {
      await rename(title);
      made.unshift(await pin());
    }
    const first = (await send("GET", "/versions?limit=2")).data;
    expect(first.versions).toEqual(made.slice(0, 2));
    await rename("6");
    await pin();
    const second = (await send("GET", `/versions?limit=2&cursor=${first.nextCursor}`)).data;
    const third = (await send("GET", `/versions?limit=2&cursor=${second.nextCursor}`)).data;
    expect([second.versions, third.versions, third.nextCursor]).toEqual([made.slice(2, 4), made.slice(4), null]);
  });
});

describe("versions made at the same time", () => {
  test("by fifty requests have numbers without gaps, each following the one before", async () => {
    const { send, list, read } = await setScene(app);
    const responses: Response[] = [];
    const isMade = ({ status }: Response) => status === 201;
    // An edit with each of them; where all edits come first, there is only one version to make. One user may have fifty waiting.
    while (responses.filter(isMade).length < 50) {
      const round = Array.from({ length: 25 }, (_, n) => {
        const edit = send("PUT", "", { body: { title: `Title ${responses.length + n}` } });
        return Promise.all([edit, send("POST", "/versions", { body: { label: `${n}` } })]);
      });
      responses.push(...(await Promise.all(round)).map(([, made]) => made));
    }
    expect(responses.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const versions = (await list()).reverse();
    expect(versions.map(({ number }) => number)).toEqual(versions.map((_, at) => at + 1));
    expect(versions.map(({ parents }) => parents[0])).toEqual([
      undefined,
      ...versions.slice(0, -1).map(({ id }) => id),
    ]);
    expect(versions.map(({ id }) => id).sort()).toEqual(
      responses
        .filter(isMade)
        .map(({ data }) => data.version?.id)
        .sort(),
    );
    for (const version of versions) expect(hashOf(await read(version.id))).toBe(version.contentHash);
  });

  test("of the same content are one", async () => {
    const { send, list } = await setScene(app);
    const responses = await Promise.all(Array.from({ length: 50 }, () => send("POST", "/versions")));
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(responses.map(({ data }) => data.version?.id)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });
});

describe("restoring a version", () => {
  test("restores its content as a new version, first makes one of unversioned content, and leaves tags and tasks", async () => {
    const { send, pin, list, rename, read } = await setScene(app);
    const first = await pin();
    const before = (await send("GET", "")).data.estimation;
    const tree = (await send("GET", "/tree")).data;
    await send("POST", "/tasks/generate");
    const tasks = (await send("GET", "/tasks")).data;
    const { id: node, options } = tree.tree?.nodes?.[0] ?? {};
    await send("DELETE", `/tree/options/${options?.[0]?.id}`);
    await send("PATCH", `/tree/nodes/${node}`, { body: { title: "Pay" } });
    await send("PUT", "", { body: { title: "Other", correlation: 1, rounding: 1, tags: ["web"] } });
    const changed = (await send("GET", "")).data.estimation;

    const { status, data, headers } = await send("POST", `/versions/${first.id}/restore`);
    expect(status).toBe(201);
    const [restored, kept, ...rest] = await list();
    expect([data.version, rest]).toEqual([restored, [first]]);
    expect(headers.get("location")).toBe(`/api/estimations/${before?.id}/versions/${restored?.id}`);
    expect(kept).toMatchObject({ number: 2, cause: "restore", parents: [first.id], hours: changed?.hours });
    expect((await read(String(kept?.id))).content).toMatchObject({ title: "Other", correlation: 1 });
    expect(restored).toMatchObject({
      number: 3,
      cause: "restore",
      parents: [kept?.id],
      contentHash: first.contentHash,
      hours: first.hours,
    });
    expect(data.estimation).toEqual({ ...before, tags: ["web"], revision: Number(changed?.revision) + 1 });
    expect(headers.get("etag")).toBe(`"${data.estimation?.revision}"`);
    expect((await send("GET", "/tree")).data).toEqual(tree);
    expect((await send("GET", "/tasks")).data).toEqual(tasks);

    await rename("Third");
    expect((await send("POST", `/versions/${kept?.id}/restore`)).data.version).toMatchObject({
      number: 5,
      contentHash: kept?.contentHash,
    });
  });

  test("of the current content changes nothing, and is possible while the content is locked", async () => {
    const { send, pin, rename } = await setScene(app);
    const first = await pin();
    const again = await changesNothing(app, () => send("POST", `/versions/${first.id}/restore`));
    expect([again.status, again.data.version]).toEqual([200, first]);
    await rename("Other");
    await send("POST", "/submit");
    const locked = await send("POST", `/versions/${first.id}/restore`);
    expect([locked.status, locked.body.message, locked.body.details]).toEqual([
      409,
      "estimation_locked",
      { status: "submitted" },
    ]);
  });

  test("restores a rate without a currency, which could be stored once", async () => {
    const { id, send, pin, rename } = await setScene(app);
    await app.pool.query("update estimations set currency = null where id = $1", [id]);
    const old = await pin();
    await send("PUT", "", { body: { currency: "EUR" } });
    await rename("Other");
    const restored = await send("POST", `/versions/${old.id}/restore`);
    expect([restored.status, restored.data.estimation]).toMatchObject([201, { hourlyRate: 95.5, currency: null }]);
  });

  test("of another estimation gets 404, as does reading it", async () => {
    const [mine, other] = [await setScene(app), await setScene(app)];
    const second = await setScene(app, mine.owner);
    const theirs = [await other.pin(), await second.pin()];
    await mine.pin();
    for (const { id } of theirs) {
      expect((await mine.send("POST", `/versions/${id}/restore`)).status).toBe(404);
      expect((await mine.send("GET", `/versions/${id}`)).status).toBe(404);
    }
  });
});

interface Entry {
  readonly kind: string;
  readonly person: { readonly id: string };
}

describe("naming a version", () => {
  test("changes its name and nothing else, and what the name takes of the quota of texts", async () => {
    const { id, send, pin, read } = await setScene(app);
    const version = await pin({ label: "Offer" });
    const bytes = async () =>
      (await app.pool.query("select bytes::int as n from text_usage where estimation_id = $1", [id])).rows[0]?.n ?? 0;
    const before = await bytes();
    for (const label of ["Offer of June", null, "Été"]) {
      const { status, data } = await send("PATCH", `/versions/${version.id}`, { body: { label } });
      expect([status, data.version]).toEqual([200, { ...version, label }]);
      expect(await read(version.id)).toMatchObject({ ...version, label });
      expect(await bytes()).toBe(before - "Offer".length + Buffer.byteLength(label ?? ""));
    }
    const same = await changesNothing(app, () => send("PATCH", `/versions/${version.id}`, { body: {} }));
    expect(same.data.version).toMatchObject({ label: "Été" });
  });

  test("by two people at once gives it the name of the one who came last; it moves no revision, so `If-Match` is about the content only", async () => {
    const { owner, path, send, pin, rename } = await setScene(app);
    const editor = await app.signUp();
    const { share } = (await send("POST", "/shares", { body: { email: editor.email, permission: "edit" } })).data;
    await app.request("POST", `/api/shares/${share?.id}/accept`, { token: editor.token });
    const { id } = await pin();
    const revision = (await send("GET", "")).headers.get("etag") ?? "";
    const name = ({ token }: TestUser, label: string) =>
      app.request("PATCH", `${path}/versions/${id}`, { token, headers: { "if-match": revision }, body: { label } });
    const responses = await Promise.all([name(owner, "Offer of June"), name(editor, "Offer of July")]);
    // Nobody is refused: each is told the name that they gave, and one of them is there.
    expect(responses.map(({ status, data }) => [status, data.version?.label])).toEqual([
      [200, "Offer of June"],
      [200, "Offer of July"],
    ]);
    const { label } = (await send("GET", `/versions/${id}`)).data.version ?? {};
    expect(["Offer of June", "Offer of July"]).toContain(label);
    expect((await send("GET", "")).headers.get("etag")).toBe(revision);
    expect((await name(owner, "Final offer")).data.version?.label).toBe("Final offer");
    const named = ((await send("GET", "/activity")).data.activity as unknown as Entry[]).filter(
      ({ kind }) => kind === "version.named",
    );
    expect(new Set(named.map(({ person }) => person.id))).toEqual(new Set([owner.userId, editor.userId]));
    await rename("Other");
    expect((await name(editor, "Late")).body.message).toBe("revision_mismatch");
  });

  test("refuses what is no name, what never changes, and versions of other estimations", async () => {
    const { send, pin } = await setScene(app);
    const other = await (await setScene(app)).pin();
    const { id } = await pin();
    const name = (label: unknown, versionId = id) =>
      changesNothing(app, () => send("PATCH", `/versions/${versionId}`, { body: { label } }));
    for (const label of ["", " ", "x".repeat(201), 5])
      expect([label, (await name(label)).status]).toEqual([label, 400]);
    expect((await send("PATCH", `/versions/${id}`, { body: { label: "x".repeat(200) } })).status).toBe(200);
    expect((await name("Theirs", other.id)).status).toBe(404);
    const { status } = await changesNothing(app, () => send("PATCH", `/versions/${id}`, { body: { number: 7 } }));
    expect(status).toBe(400);
  });
});
