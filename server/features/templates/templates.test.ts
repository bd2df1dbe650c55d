import { describe, expect, it, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";

const app = await start({
  config: { quotas: { ...(await quotas()), templates: 3, instanceTemplates: 2, templateBytes: 40_000 } },
});
/** The instance is not local, so that addresses have to be verified. */
const mailing = await start({ config: { smtpUrl: "smtp://mail.example" } });

async function quotas() {
  const { loadConfig } = await import("../../config.ts");
  return loadConfig({}).quotas;
}

const as = ({ token }: Pick<TestUser, "token">, on = app) => ({
  send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    on.request(method, path, { token, body, headers }),
});
type As = ReturnType<typeof as>;

const nodes = [
  {
    title: "Payment",
    kind: "single",
    options: [
      { ref: "card", title: "Card", hours: { optimistic: 4, likely: 8, pessimistic: 20 }, selected: true },
      {
        title: "Invoice",
        hours: 6,
        override: 9,
        requires: ["reports"],
        nodes: [{ title: "Currencies", kind: "group", options: [{ title: "Euro", hours: 2, excludes: ["card"] }] }],
      },
    ],
  },
  {
    title: "Reports",
    kind: "multi",
    min: 1,
    options: [{ ref: "reports", title: "Monthly", hours: 3, role: "backend" }],
  },
];

async function makeEstimation({ send }: As, tree: object[] = nodes) {
  const { data } = await send("POST", "/api/estimations", { title: "Shop" });
  const id = String(data.estimation?.id);
  const path = `/api/estimations/${id}`;
  if (tree.length > 0) expect((await send("PUT", `${path}/tree`, { nodes: tree })).status).toBe(200);
  return { id, path };
}

async function makeTemplate(user: As, more: object = {}, tree?: object[]) {
  const { id: estimationId } = await makeEstimation(user, tree);
  const made = await user.send("POST", "/api/templates", { estimationId, name: "Web shop", ...more });
  if (made.status !== 201) throw new Error(made.text);
  return { id: String(made.data.template?.id), estimationId, made };
}

const applyTo = ({ send }: As, path: string, templateId: string, mode = "append", headers = {}) =>
  send("POST", `${path}/apply-template`, { templateId, mode }, headers);

const newUser = async (on = app) => as(await on.signUp(), on);
const listed = async ({ send }: As, query = "") =>
  ((await send("GET", `/api/templates${query}`)).data.templates as unknown as { id: string; name: string }[]) ?? [];

describe("making a template", () => {
  it("copies the structure without the choices, under new ids, independent of the estimation", async () => {
    const user = await newUser();
    const { id, estimationId, made } = await makeTemplate(user, { description: "For shops" });
    expect(made.headers.get("location")).toBe(`/api/templates/${id}`);
    const { template } = (await user.send("GET", `/api/templates/${id}`)).data;
    expect(template).toMatchObject({
      name: "Web shop",
      description: "For shops",
      visibility: "private",
      nodes: 3,
      options: 4,
    });
    const [payment, reports] = (template?.tree?.nodes ?? []) as unknown as { options: Record<string, unknown>[] }[];
    const [card, invoice] = payment?.options ?? [];
    expect(card).toMatchObject({ title: "Card", hours: { optimistic: 4, likely: 8, pessimistic: 20 } });
    expect(card).not.toHaveProperty("selected");
    expect(invoice).toMatchObject({ hours: { likely: 6 }, requires: [reports?.options[0]?.id] });
    const tree = await user.send("GET", `/api/estimations/${estimationId}/tree`);
    const own = new Set(tree.text.match(/(nod|opt)_\w{26}/g));
    expect(
      JSON.stringify(template)
        .match(/(nod|opt)_\w{26}/g)
        ?.filter((one) => own.has(one)),
    ).toEqual([]);
    await user.send("DELETE", `/api/estimations/${estimationId}`);
    expect((await user.send("GET", `/api/templates/${id}`)).data.template).toEqual(template);
  });

  it("refuses an estimation without nodes, one that the caller cannot read, and a deleted one", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const empty = await makeEstimation(user, []);
    const strange = await makeEstimation(other);
    const deleted = await makeEstimation(user);
    await user.send("DELETE", deleted.path);
    for (const [estimationId, status, message] of [
      [empty.id, 409, "template_empty"],
      [strange.id, 404, "not_found"],
      [deleted.id, 404, "not_found"],
      ["est_x", 404, "not_found"],
    ] as const) {
      const refused = await user.send("POST", "/api/templates", { estimationId, name: "x" });
      expect([refused.status, refused.body.message]).toEqual([status, message]);
    }
    for (const name of ["", " ", "x".repeat(limits.titleLength + 1)]) {
      const refused = await user.send("POST", "/api/templates", { estimationId: empty.id, name });
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/name"]);
    }
    await makeTemplate(user, { name: "𝄞".repeat(limits.titleLength) });
  });

  it("refuses more templates, and more bytes, than a user may have", async () => {
    const user = await newUser();
    for (let count = 0; count < 3; count += 1) await makeTemplate(user);
    const { id: estimationId } = await makeEstimation(user);
    const fourth = await user.send("POST", "/api/templates", { estimationId, name: "4" });
    expect([fourth.status, fourth.body.details]).toEqual([409, { quota: "templates", limit: 3 }]);
    const [one] = await listed(user);
    await user.send("DELETE", `/api/templates/${one?.id}`);
    expect((await user.send("POST", "/api/templates", { estimationId, name: "3" })).status).toBe(201);

    const writer = await newUser();
    const large = [{ title: "x", kind: "group", description: "x".repeat(9_000), options: [] }];
    const big = await makeEstimation(writer, [...large, ...large, ...large]);
    const make = () => writer.send("POST", "/api/templates", { estimationId: big.id, name: "Big" });
    expect((await make()).status).toBe(201);
    const refused = await make();
    expect([refused.status, refused.body.details]).toEqual([409, { quota: "templateBytes", limit: 40_000 }]);
  });

  it("refuses more templates for the whole instance than a user may have, and still accepts private ones", async () => {
    const user = await newUser();
    const made: string[] = [];
    for (let count = 0; count < 2; count += 1)
      made.push((await makeTemplate(user, { visibility: "instance", name: `Shown ${count}` })).id);
    const { id: estimationId } = await makeEstimation(user);
    const show = () => user.send("POST", "/api/templates", { estimationId, name: "3", visibility: "instance" });
    const third = await show();
    expect([third.status, third.body.details]).toEqual([409, { quota: "instanceTemplates", limit: 2 }]);
    made.push((await makeTemplate(user)).id);
    await user.send("DELETE", `/api/templates/${made.shift()}`);
    const again = await show();
    expect(again.status).toBe(201);
    for (const id of [...made, again.data.template?.id]) await user.send("DELETE", `/api/templates/${id}`);
  });

  it("counts templates that are made at the same time", async () => {
    const user = await newUser();
    const { id: estimationId } = await makeEstimation(user);
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => user.send("POST", "/api/templates", { estimationId, name: "At once" })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  });
});

describe("who sees a template", () => {
  it("is only its owner, or with `instance` every user; only the owner can delete it", async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const own = await makeTemplate(owner);
    const shown = await makeTemplate(owner, { visibility: "instance", name: "For all" });
    const { path } = await makeEstimation(other, []);
    for (const [method, below, body] of [
      ["GET", `/api/templates/${own.id}`],
      ["DELETE", `/api/templates/${own.id}`],
      ["POST", `${path}/apply-template`, { templateId: own.id, mode: "append" }],
    ] as const) {
      const refused = await other.send(method, below, body);
      expect([refused.status, refused.body.message]).toEqual([404, "not_found"]);
    }
    const forbidden = await other.send("DELETE", `/api/templates/${shown.id}`);
    expect([forbidden.status, forbidden.body.message]).toEqual([403, "forbidden"]);
    expect((await listed(owner)).map(({ id }) => id)).toEqual([shown.id, own.id]);
    expect((await listed(other)).map(({ id }) => id)).toEqual([shown.id]);
    expect((await other.send("GET", `/api/templates/${shown.id}`)).status).toBe(200);
    expect((await applyTo(other, path, shown.id)).status).toBe(200);
    expect((await owner.send("DELETE", `/api/templates/${shown.id}`)).status).toBe(200);
    expect((await owner.send("DELETE", `/api/templates/${shown.id}`)).status).toBe(404);
    expect(await listed(other)).toEqual([]);
    await owner.send("DELETE", `/api/templates/${own.id}`);
  });

  it("is every user only if the owner's address is verified", async () => {
    const account = await mailing.signUp();
    const user = as(account, mailing);
    const { id: estimationId } = await makeEstimation(user);
    const body = { estimationId, name: "Buy now", visibility: "instance" };
    const refused = await user.send("POST", "/api/templates", body);
    expect([refused.status, refused.body.details]).toEqual([403, { reason: "email_not_verified" }]);
    expect((await user.send("POST", "/api/templates", { ...body, visibility: "private" })).status).toBe(201);
    await mailing.pool.query("update users set email_verified_at = now() where id = $1", [account.userId]);
    expect((await user.send("POST", "/api/templates", body)).status).toBe(201);
  });

  it("is every user only if its owner may change the estimation", async () => {
    const [owner, reader] = [await newUser(), await app.signUp()];
    const { id: estimationId, path } = await makeEstimation(owner);
    const share = async (permission: string) => {
      const made = await owner.send("POST", `${path}/shares`, { email: reader.email, permission });
      await as(reader).send("POST", `/api/shares/${made.data.share?.id}/accept`);
    };
    const body = { estimationId, name: "Theirs" };
    const show = () => as(reader).send("POST", "/api/templates", { ...body, visibility: "instance" });
    await share("view");
    const refused = await show();
    expect([refused.status, refused.body.message]).toEqual([403, "forbidden"]);
    const own = await as(reader).send("POST", "/api/templates", body);
    expect(own.status).toBe(201);
    await share("edit");
    const shown = await show();
    expect(shown.status).toBe(201);
    for (const { data } of [own, shown]) await as(reader).send("DELETE", `/api/templates/${data.template?.id}`);
  });

  it("decides the pages of a list: own templates and those of others in one order, filtered by name on request", async () => {
    const [a, b, reader] = [await newUser(), await newUser(), await newUser()];
    const made: string[] = [];
    for (const [user, name, visibility] of [
      [a, "Shop 100%", "instance"],
      [reader, "My SHOP", "private"],
      [b, "Shop_b", "instance"],
      [b, "Hidden shop", "private"],
      [reader, "Portal", "instance"],
    ] as const) {
      const { id } = await makeTemplate(user, { name, visibility });
      if (name !== "Hidden shop") made.unshift(id);
    }
    const pages: string[] = [];
    for (let cursor = ""; ; ) {
      const { data } = await reader.send("GET", `/api/templates?limit=1${cursor}`);
      pages.push(...(data.templates as unknown as { id: string }[]).map(({ id }) => id));
      if (!data.nextCursor) break;
      cursor = `&cursor=${data.nextCursor}`;
    }
    expect(pages).toEqual(made);
    const names = async (q: string) => (await listed(reader, `?q=${encodeURIComponent(q)}`)).map(({ name }) => name);
    expect(await names("sHoP")).toEqual(["Shop_b", "My SHOP", "Shop 100%"]);
    expect(await names("%")).toEqual(["Shop 100%"]);
    expect(await names("_")).toEqual(["Shop_b"]);
    const ownerOf = async (id: string) =>
      (await reader.send("GET", `/api/templates/${id}`)).data.template?.owner?.id as unknown as string;
    const [portal = "", shopB = ""] = made;
    const of = async (owner: string, more = "") =>
      (await listed(reader, `?ownerId=${owner}${more}`)).map(({ name }) => name);
    expect(await of(await ownerOf(portal))).toEqual(["Portal", "My SHOP"]);
    expect(await of(await ownerOf(portal), "&q=shop")).toEqual(["My SHOP"]);
    expect(await of(await ownerOf(shopB))).toEqual(["Shop_b"]);
    expect(await of(await ownerOf(shopB), "&q=hidden")).toEqual([]);
    expect(await of("usr_none")).toEqual([]);
    for (const user of [a, b, reader])
      for (const { id } of await listed(user)) await user.send("DELETE", `/api/templates/${id}`);
  });
});

test("applying a template needs both scopes", async () => {
  const owner = await app.signUp();
  const user = as(owner);
  const { id } = await makeTemplate(user);
  const { path } = await makeEstimation(user, []);
  for (const [held, required] of [
    ["templates:read", "estimations:write"],
    ["estimations:write", "templates:read"],
  ] as const) {
    const key = as({ token: await app.makeKey(owner, [held]) });
    const refused = await applyTo(key, path, id);
    expect([refused.status, refused.body.message, refused.body.details]).toEqual([
      403,
      "api_key_insufficient_scope",
      { requiredScope: required },
    ]);
  }
  const both = as({ token: await app.makeKey(owner, ["templates:read", "estimations:write"]) });
  expect((await applyTo(both, path, id)).status).toBe(200);
});

describe("applying a template", () => {
  it("adds it after the tree, with its origin and links and nothing selected; restoring undoes it", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user);
    const before = await user.send("GET", `${path}/tree`);
    const beforeHours = (await user.send("GET", `${path}/tree/hours`)).data.hours;
    const { status, data, headers } = await applyTo(user, path, id);
    expect([status, headers.get("etag")]).toEqual([200, `"${data.estimation?.revision}"`]);
    const after = await user.send("GET", `${path}/tree`);
    const tree = after.data.tree?.nodes as unknown as { options: Record<string, unknown>[] }[];
    const template = (await user.send("GET", `/api/templates/${id}`)).data.template?.tree?.nodes as unknown as {
      id: string;
      options: { id: string }[];
    }[];
    expect(tree.slice(0, 2)).toEqual(before.data.tree?.nodes);
    expect(tree[0]).toHaveProperty("origin", null);
    expect(tree[2]).toHaveProperty("origin", { templateId: id, id: template[0]?.id });
    expect(tree[3]?.options[0]).toMatchObject({ origin: { templateId: id, id: template[1]?.options[0]?.id } });
    expect(tree[2]?.options[1]).toMatchObject({ selected: false, override: null, requires: [tree[3]?.options[0]?.id] });
    expect(data.hours).toEqual((await user.send("GET", `${path}/tree/hours`)).data.hours);

    const versions = (await user.send("GET", `${path}/versions`)).data.versions as unknown as Record<string, unknown>[];
    expect(versions.map(({ id: version, cause }) => [version, cause])).toEqual([
      [data.versionId, "template"],
      [data.undoVersionId, "template"],
    ]);
    expect((await user.send("POST", `${path}/versions/${data.undoVersionId}/restore`)).status).toBe(201);
    expect((await user.send("GET", `${path}/tree`)).data.tree?.nodes).toEqual(before.data.tree?.nodes);
    expect((await user.send("GET", `${path}/tree/hours`)).data.hours).toEqual(beforeHours);
    // Restoring the later version brings back its ids and origins.
    await user.send("POST", `${path}/versions/${data.versionId}/restore`);
    expect((await user.send("GET", `${path}/tree`)).data.tree?.nodes).toEqual(after.data.tree?.nodes);
  });

  it("in place of the tree leaves the old tree only in its version", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, [{ title: "Old", kind: "group", options: [{ title: "x", hours: 1 }] }]);
    const { data } = await applyTo(user, path, id, "replace");
    const titles = async () =>
      [...(await user.send("GET", `${path}/tree`)).text.matchAll(/"id":"nod_\w+","title":"([^"]*)"/g)].map(
        ([, title]) => title,
      );
    expect(await titles()).toEqual(["Payment", "Currencies", "Reports"]);
    await user.send("POST", `${path}/versions/${data.undoVersionId}/restore`);
    expect(await titles()).toEqual(["Old"]);
  });

  it("keeps origins through edits, replacements of the tree, copies and versions; files have none, and callers cannot set them", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, []);
    await applyTo(user, path, id);
    const originsOf = async (of: string) =>
      [...(await user.send("GET", of)).text.matchAll(/"origin":(null|\{[^}]*\})/g)].map(([, origin]) => origin);
    const origins = await originsOf(`${path}/tree`);
    expect(origins).toHaveLength(7);
    expect(new Set(origins).size).toBe(7);
    const tree = (await user.send("GET", `${path}/tree`)).data.tree as unknown as {
      nodes: { id: string; options: { id: string }[] }[];
    };
    const node = tree.nodes[0];
    const option = node?.options[0];
    const fake = { templateId: `tpl_${"0".repeat(26)}`, id: "nod_x" };
    for (const [method, below, body] of [
      ["PATCH", `/tree/nodes/${node?.id}`, { title: "Paying", origin: fake }],
      ["PATCH", `/tree/options/${option?.id}`, { title: "By card", origin: null }],
      ["POST", `/tree/options/${option?.id}/select`],
      ["POST", `/tree/nodes/${node?.id}/move`, { parentOptionId: null, position: 1 }],
    ] as const)
      expect((await user.send(method, path + below, body)).status).toBe(200);
    expect((await originsOf(`${path}/tree`)).sort()).toEqual(origins.toSorted());
    const whole = (await user.send("GET", `${path}/tree`)).data.tree;
    const lying = JSON.parse(
      JSON.stringify(whole?.nodes, (name, value) => (name === "origin" ? fake : value)),
    ) as object[];
    const put = await user.send("PUT", `${path}/tree`, {
      nodes: [...lying, { title: "New", kind: "group", origin: fake, options: [] }],
    });
    expect(put.status).toBe(200);
    expect((await originsOf(`${path}/tree`)).sort()).toEqual([...origins, "null"].toSorted());
    const version = await user.send("POST", `${path}/versions`);
    // The content of a version has no `origin` where the tree returns null.
    expect((await originsOf(`${path}/versions/${version.data.version?.id}`)).sort()).toEqual(origins.toSorted());
    const copy = await user.send("POST", `${path}/duplicate`);
    expect(await originsOf(`/api/estimations/${copy.data.estimation?.id}/tree`)).toEqual(
      await originsOf(`${path}/tree`),
    );
    const file = await user.send("GET", `${path}/export`);
    expect(file.text).not.toContain("origin");
    const refused = await user.send("POST", `${path}/tree/nodes`, { title: "x", kind: "group", origin: fake });
    expect(refused.status).toBe(400);
  });

  it("is in the diff of versions, even if only the origin of a part differs", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, []);
    const { data } = await applyTo(user, path, id);
    type Operation = Record<"op" | "target" | "id" | "field" | "before" | "after", unknown>;
    const diff = async (from: unknown, against: unknown): Promise<Operation[]> => {
      const response = await user.send("GET", `${path}/versions/${from}/diff?against=${against}`);
      expect(response.status, response.text).toBe(200);
      return response.data.diff?.operations as unknown as Operation[];
    };
    const added = (await diff(data.undoVersionId, data.versionId)) as unknown as { op: string; after?: object }[];
    expect(added.filter(({ op }) => op === "added")).toHaveLength(7);
    expect(JSON.stringify(added).match(/"origin":\{"templateId"/g)).toHaveLength(7);

    // What a whole-tree write removes and a later one brings back has the id that it had, and no origin.
    const whole = (await user.send("GET", `${path}/tree`)).data.tree as unknown as { nodes: { id: string }[] };
    await user.send("PUT", `${path}/tree`, { nodes: whole.nodes.slice(1) });
    await user.send("PUT", `${path}/tree`, { nodes: [{ ...whole.nodes[0], options: [] }, ...whole.nodes.slice(1)] });
    const [back] = ((await user.send("GET", `${path}/tree`)).data.tree as unknown as typeof whole).nodes;
    expect(back).toMatchObject({ id: whole.nodes[0]?.id, origin: null });
    const origin = { templateId: id, id: expect.stringMatching(/^nod_/) };
    const ofNode = { op: "changed", target: "node", id: back?.id, field: "origin", hoursDelta: 0 };
    expect(await diff(data.versionId, "current")).toContainEqual({ ...ofNode, before: origin, after: null });
    const now = (await user.send("POST", `${path}/versions`)).data.version?.id;
    expect(await diff(now, data.versionId)).toContainEqual({ ...ofNode, before: null, after: origin });
    expect((await user.send("POST", `${path}/versions/${data.versionId}/restore`)).status).toBe(201);
    expect(await diff(data.versionId, "current")).toEqual([]);
  });

  it("is refused if the estimation is not a draft, the tree would exceed its limits, or the revision is old, and then changes nothing", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user);
    const withNodes = (count: number) =>
      makeEstimation(
        user,
        Array.from({ length: count }, () => ({ title: "x", kind: "group" })),
      );
    // The template has three nodes.
    const [fits, full] = [await withNodes(limits.treeNodes - 3), await withNodes(limits.treeNodes - 2)];
    const locked = await makeEstimation(user, [{ title: "x", kind: "group", options: [{ title: "y", hours: 1 }] }]);
    expect((await user.send("POST", `${locked.path}/submit`)).status).toBe(200);
    for (const [to, template, mode, status, message] of [
      [locked.path, id, "append", 409, "estimation_locked"],
      [locked.path, id, "replace", 409, "estimation_locked"],
      [full.path, id, "append", 400, "validation_failed"],
      [path, "tpl_none", "append", 404, "not_found"],
      [path, id, "merge", 400, "validation_failed"],
    ] as const) {
      const refused = await applyTo(user, to, template, mode);
      expect([refused.status, refused.body.message]).toEqual([status, message]);
      if (to === full.path) expect(refused.body.errors?.[0]).toMatchObject({ path: "/templateId", code: "too_many" });
    }
    const stale = await applyTo(user, path, id, "append", { "if-match": '"1"' });
    expect([stale.status, stale.body.message]).toEqual([412, "revision_mismatch"]);
    expect((await applyTo(user, fits.path, id, "append")).status).toBe(200);
    expect((await applyTo(user, full.path, id, "replace")).status).toBe(200);
  });

  it("that was deleted gets 404; what was made from it stays", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, []);
    await applyTo(user, path, id);
    const { data } = await user.send("GET", `${path}/tree`);
    await user.send("DELETE", `/api/templates/${id}`);
    const refused = await applyTo(user, path, id);
    expect([refused.status, refused.body.message]).toEqual([404, "not_found"]);
    expect((await user.send("GET", `${path}/tree`)).data).toEqual(data);
  });

  it("twice at the same time adds it twice, and the versions have numbers without gaps", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, []);
    const responses = await Promise.all([applyTo(user, path, id), applyTo(user, path, id)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await user.send("GET", `${path}/tree`)).data.tree?.nodes).toHaveLength(4);
    const versions = (await user.send("GET", `${path}/versions`)).data.versions as unknown as { number: number }[];
    expect(versions.map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  it("happens once for each Idempotency-Key", async () => {
    const user = await newUser();
    const { id } = await makeTemplate(user);
    const { path } = await makeEstimation(user, []);
    const [first, second] = [
      await applyTo(user, path, id, "append", { "idempotency-key": "k" }),
      await applyTo(user, path, id, "append", { "idempotency-key": "k" }),
    ];
    expect(second.body).toEqual(first.body);
    expect((await user.send("GET", `${path}/tree`)).data.tree?.nodes).toHaveLength(2);
  });
});

test("a template is made only of a tree that can be applied to an empty estimation", async () => {
  const roomy = await start();
  const { send } = as(await roomy.signUp(), roomy);
  const estimation = async () =>
    String((await send("POST", "/api/estimations", { title: "Shop" })).data.estimation?.id);
  const full = async (count: number) => {
    const estimationId = await estimation();
    const large = { title: "n", kind: "group", description: "x".repeat(limits.descriptionLength) };
    const stored = await send("PUT", `/api/estimations/${estimationId}/tree`, { nodes: Array(count).fill(large) });
    expect(stored.status).toBe(200);
    return { estimationId, name: "Large" };
  };
  // A node takes some 170 bytes beside its description, and 100 more with its origin.
  const most = Math.floor(limits.treeBytes / (limits.descriptionLength + 300));
  const made = await send("POST", "/api/templates", await full(most));
  const path = `/api/estimations/${await estimation()}/apply-template`;
  const applied = await send("POST", path, { templateId: made.data.template?.id, mode: "append" });
  expect([made.status, applied.status]).toEqual([201, 200]);
  const twice = await send("POST", path, { templateId: made.data.template?.id, mode: "append" });
  expect([twice.status, twice.body.errors?.[0]?.path, twice.body.errors?.[0]?.code]).toEqual([
    400,
    "/templateId",
    "too_large",
  ]);
  const over = await full(Math.floor(limits.treeBytes / (limits.descriptionLength + 200)));
  const refused = await send("POST", "/api/templates", over);
  expect([refused.status, refused.body.errors?.[0]?.path, refused.body.errors?.[0]?.code]).toEqual([
    400,
    "/estimationId",
    "too_large",
  ]);
});
