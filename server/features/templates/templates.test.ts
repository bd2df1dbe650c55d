import { describe, expect, it, test } from "vitest";
import { USES_SEARCHED, USES_SHOWN } from "../../../contract/endpoints/templates.ts";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser, until } from "../../../tests/harness.ts";
import { inTransaction, isAnybodyWaiting } from "../../../tests/support/transactions.ts";
import { retentionJobs } from "../../worker.ts";
import { makePrivateOfEnded } from "./store.ts";

const app = await start({
  config: { quotas: { ...(await quotas()), templates: 3, instanceTemplates: 2, templateBytes: 40_000 } },
});
const working = await start({ worker: true });
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

  it("of a part has that with all below it, without links that lead out of it; of a part that is not there it is refused", async () => {
    const user = await newUser();
    const { id: estimationId, path } = await makeEstimation(user);
    const { data } = await user.send("GET", `${path}/tree`);
    const [payment] = (data.tree as unknown as { nodes: { id: string; options: { id: string }[] }[] }).nodes;
    const make = (partId: string | undefined) =>
      user.send("POST", "/api/templates", { estimationId, name: "Part", partId });
    const treeOf = async (partId: string | undefined) => {
      const { template } = (await make(partId)).data;
      const shown = (await user.send("GET", `/api/templates/${template?.id}`)).data.template;
      await user.send("DELETE", `/api/templates/${template?.id}`);
      return shown as unknown as { nodes: number; options: number; tree: { nodes: object[] } };
    };
    const node = await treeOf(payment?.id);
    expect(node).toMatchObject({ nodes: 2, options: 3, tree: { nodes: [{ title: "Payment", kind: "single" }] } });
    expect(node.tree.nodes[0]).toMatchObject({
      options: [
        { title: "Card" },
        { title: "Invoice", requires: [], nodes: [{ options: [{ excludes: [expect.any(String)] }] }] },
      ],
    });
    const option = await treeOf(payment?.options[1]?.id);
    expect(option).toMatchObject({ nodes: 2, options: 2 });
    expect(option.tree.nodes[0]).toMatchObject({
      ...{ title: "Payment", kind: "group" },
      options: [{ title: "Invoice", requires: [], nodes: [{ options: [{ title: "Euro", excludes: [] }] }] }],
    });
    const refused = await make("opt_none");
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ path: "/partId", code: "unknown_reference" }],
    ]);
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

  it("is also the members of a team with `team`, present and future ones; when the team ends, only its owner", async () => {
    const users = [await app.signUp(), await app.signUp(), await app.signUp()] as const;
    const [owner, member, stranger] = [as(users[0]), as(users[1]), as(users[2])];
    const teamId = String((await owner.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    const { id, made } = await makeTemplate(owner, { visibility: "team", teamId });
    expect(made.data.template).toMatchObject({ visibility: "team", team: { id: teamId, name: "Web" } });
    const seenBy = async (user: As) => {
      const { status } = await user.send("GET", `/api/templates/${id}`);
      const isListed = (await listed(user)).some((one) => one.id === id);
      const isFound = (await listed(user, `?ownerId=${users[0].userId}&q=web`)).some((one) => one.id === id);
      const { path } = await makeEstimation(user, []);
      const applied = (await applyTo(user, path, id)).status;
      return [status, isListed, isFound, applied];
    };
    const [all, nothing] = [
      [200, true, true, 200],
      [404, false, false, 404],
    ];
    expect(await seenBy(member)).toEqual(nothing);
    await owner.send("POST", `/api/teams/${teamId}/invitations`, { email: users[1].email, role: "admin" });
    await member.send("POST", `/api/teams/${teamId}/accept`);
    expect(await seenBy(member)).toEqual(all);
    expect(await seenBy(stranger)).toEqual(nothing);
    await member.send("DELETE", `/api/teams/${teamId}`);
    expect(await seenBy(member)).toEqual(nothing);
    expect((await owner.send("GET", `/api/templates/${id}`)).data.template).toMatchObject({
      visibility: "private",
      team: null,
    });
    expect((await listed(owner)).find((one) => one.id === id)).toMatchObject({ visibility: "private", team: null });
    // It is stored so by a job, because they may be many.
    const { rows } = await app.pool.query("select visibility from templates where id = $1", [id]);
    expect(rows).toEqual([{ visibility: "team" }]);
  });

  it("is only the owner again when an admin of the team says so, also after the owner has left; no other member can", async () => {
    const users = [await app.signUp(), await app.signUp(), await app.signUp()] as const;
    const [owner, admin, member] = [as(users[0]), as(users[1]), as(users[2])];
    const teamId = String((await admin.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    for (const [at, user] of [owner, member].entries()) {
      const { email } = users[2 * at] as TestUser;
      await admin.send("POST", `/api/teams/${teamId}/invitations`, { email, role: "member" });
      await user.send("POST", `/api/teams/${teamId}/accept`);
    }
    const { id } = await makeTemplate(owner, { visibility: "team", teamId });
    const { id: ofInstance } = await makeTemplate(owner, { visibility: "instance" });
    await owner.send("DELETE", `/api/teams/${teamId}/members/${users[0].userId}`);
    const statusFor = async (user: As) => (await user.send("GET", `/api/templates/${id}`)).status;
    expect([await statusFor(member), await statusFor(admin)]).toEqual([200, 200]);
    expect((await member.send("DELETE", `/api/templates/${id}`)).status).toBe(403);
    expect((await admin.send("DELETE", `/api/templates/${ofInstance}`)).status).toBe(403);
    const ended = await admin.send("DELETE", `/api/templates/${id}`);
    expect([ended.status, ended.data.template]).toMatchObject([200, { visibility: "private", team: null }]);
    expect([await statusFor(member), await statusFor(admin), await statusFor(owner)]).toEqual([404, 404, 200]);
    expect((await admin.send("DELETE", `/api/templates/${id}`)).status).toBe(404);
    const log = await admin.send("GET", "/api/audit-log?limit=1");
    expect(log.data.events?.[0]).toMatchObject({ event: "team.template_ended" });
    await owner.send("DELETE", `/api/templates/${ofInstance}`);
  });

  it("is stored as private soon after the team is deleted", async () => {
    const user = as(await working.signUp(), working);
    const teamId = String((await user.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    const { id } = await makeTemplate(user, { visibility: "team", teamId });
    await user.send("DELETE", `/api/teams/${teamId}`);
    const isPrivate = "select from templates where id = $1 and visibility = 'private' and team_id is null";
    await until(async () => (await working.pool.query(isPrivate, [id])).rowCount === 1);
  });

  it("is stored as private some templates of deleted teams at a time, and never those of others", async () => {
    const user = await app.signUp();
    const teams = [];
    for (const name of ["Ended", "Standing"])
      teams.push(String((await as(user).send("POST", "/api/teams", { name })).data.team?.id));
    await app.pool.query(
      `insert into templates (id, owner_id, name, description, visibility, team_id, tree, bytes, nodes, options, created_at)
       select 'tpl_' || left(md5($1 || team || n), 26), $1, 'Many', '', 'team', team, '{"nodes":[]}', 2, 1, 0, now()
       from unnest($2::text[]) as team cross join generate_series(1, 3) as n`,
      [user.userId, teams],
    );
    while ((await makePrivateOfEnded(app.services.pool, 100)) > 0);
    await as(user).send("DELETE", `/api/teams/${teams[0]}`);
    expect(await makePrivateOfEnded(app.services.pool, 2)).toBe(2);
    expect(await makePrivateOfEnded(app.services.pool, 2)).toBe(1);
    expect(await makePrivateOfEnded(app.services.pool, 2)).toBe(0);
    const { rows } = await app.pool.query(
      "select visibility, count(*)::int from templates where owner_id = $1 group by 1 order by 1",
      [user.userId],
    );
    expect(rows).toEqual([
      { visibility: "private", count: 3 },
      { visibility: "team", count: 3 },
    ]);
  });

  it("does not keep a deleted team, should no job have got there", async () => {
    const user = as(await app.signUp());
    const teamId = String((await user.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    await makeTemplate(user, { visibility: "team", teamId });
    await user.send("DELETE", `/api/teams/${teamId}`);
    const sweep = retentionJobs(app.services).find(({ name }) => name === "remove-deleted-teams");
    await sweep?.run({}, { lease: { key: "", token: "" }, signal: new AbortController().signal });
    expect((await app.pool.query("select from teams where id = $1", [teamId])).rowCount).toBe(0);
  });

  it("names a team of the owner with `team`, and none otherwise", async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const teamId = String((await other.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    const { id: estimationId } = await makeEstimation(owner);
    const refused = [
      { visibility: "team" },
      { visibility: "team", teamId },
      { visibility: "instance", teamId },
      { teamId },
    ];
    for (const more of refused) {
      const { status, body } = await owner.send("POST", "/api/templates", { estimationId, name: "x", ...more });
      expect([status, body.errors?.[0]?.path]).toEqual([400, "/teamId"]);
    }
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

describe("changing a template", () => {
  it("renames, describes and shows it to a team, the instance or nobody else, without changing its tree", async () => {
    const [owner, account] = [await newUser(), await app.signUp()];
    const member = as(account);
    const teamId = String((await owner.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    await owner.send("POST", `/api/teams/${teamId}/invitations`, { email: account.email, role: "member" });
    await member.send("POST", `/api/teams/${teamId}/accept`);
    const { id } = await makeTemplate(owner);
    const path = `/api/templates/${id}`;
    const { template } = (await owner.send("GET", path)).data;
    const change = (body: object) => owner.send("PATCH", path, body);
    const seen = async () => (await member.send("GET", path)).status;
    expect((await change({ name: "Shops", description: "For all" })).data.template).toMatchObject({
      name: "Shops",
      description: "For all",
      visibility: "private",
    });
    expect((await change({ visibility: "team", teamId })).data.template?.team).toEqual({ id: teamId, name: "Web" });
    expect(await seen()).toBe(200);
    // What was read can be sent back.
    const { tree, ...read } = (await owner.send("GET", path)).data.template ?? {};
    const { usedIn: _, ...shown } = read as typeof read & { usedIn?: unknown };
    expect((await change({ ...read, name: "Web shops" })).data.template).toEqual({ ...shown, name: "Web shops" });
    expect(tree).toEqual(template?.tree);
    expect((await change({ visibility: "instance" })).data.template).toMatchObject({ team: null });
    expect((await member.send("PATCH", path, { name: "Mine" })).status).toBe(403);
    expect((await change({ visibility: "private" })).status).toBe(200);
    expect(await seen()).toBe(404);
    expect((await member.send("PATCH", path, { name: "Mine" })).status).toBe(404);
  });

  it("refuses a team that does not fit, and more for the instance than a user may have", async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const strange = String((await other.send("POST", "/api/teams", { name: "Web" })).data.team?.id);
    const ids: string[] = [];
    for (const visibility of ["instance", "instance", "private"])
      ids.push((await makeTemplate(owner, { visibility })).id);
    const change = (body: object, id = ids[2]) => owner.send("PATCH", `/api/templates/${id}`, body);
    for (const body of [{ visibility: "team" }, { visibility: "team", teamId: strange }, { teamId: strange }]) {
      const refused = await change(body);
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/teamId"]);
    }
    const third = await change({ visibility: "instance" });
    expect([third.status, third.body.details]).toEqual([409, { quota: "instanceTemplates", limit: 2 }]);
    expect((await change({ visibility: "instance", name: "Kept" }, ids[0])).status).toBe(200);
    expect((await change({ visibility: "private" }, ids[0])).status).toBe(200);
    expect((await change({ visibility: "instance" })).status).toBe(200);
    for (const id of ids) await owner.send("DELETE", `/api/templates/${id}`);
  });

  it("shows to nobody else what its maker could only read", async () => {
    const [owner, reader] = [await newUser(), await app.signUp()];
    const { id: estimationId, path } = await makeEstimation(owner);
    const shared = await owner.send("POST", `${path}/shares`, { email: reader.email, permission: "view" });
    await as(reader).send("POST", `/api/shares/${shared.data.share?.id}/accept`);
    const made = await as(reader).send("POST", "/api/templates", { estimationId, name: "Theirs" });
    const change = (body: object) => as(reader).send("PATCH", `/api/templates/${made.data.template?.id}`, body);
    expect((await change({ visibility: "instance" })).status).toBe(403);
    expect((await change({ name: "Still mine" })).status).toBe(200);
  });
});

test("a template names the estimations that it was added to last, of those that the reader may read", async () => {
  const [owner, other] = [await app.signUp(), await app.signUp()];
  const { id } = await makeTemplate(as(owner), { visibility: "instance" });
  const usedIn = async (user: TestUser) =>
    ((await as(user).send("GET", `/api/templates/${id}`)).data.template as unknown as { usedIn: { id: string }[] })
      .usedIn;
  expect(await usedIn(owner)).toEqual([]);
  const used: { id: string; path: string }[] = [];
  for (let times = 0; times <= USES_SHOWN; times += 1) {
    const made = await makeEstimation(as(owner), []);
    app.clock.advance(1_000);
    await applyTo(as(owner), made.path, id);
    used.unshift(made);
  }
  expect((await usedIn(owner)).map((one) => one.id)).toEqual(used.slice(0, USES_SHOWN).map((one) => one.id));
  const theirs = await makeEstimation(as(other), []);
  await applyTo(as(other), theirs.path, id);
  expect(await usedIn(other)).toMatchObject([{ id: theirs.id, title: "Shop" }]);
  // What is shared is seen, what is deleted is not, and what uses it again comes first.
  const [first, second, third] = used;
  const { share } = (await as(owner).send("POST", `${first?.path}/shares`, { email: other.email, permission: "view" }))
    .data;
  await as(other).send("POST", `/api/shares/${share?.id}/accept`);
  expect(await usedIn(other)).toMatchObject([{ id: theirs.id }, { id: first?.id }]);
  await as(owner).send("DELETE", `${second?.path}`);
  app.clock.advance(1_000);
  await applyTo(as(owner), String(third?.path), id);
  expect((await usedIn(owner)).slice(0, 2)).toMatchObject([{ id: third?.id }, { id: first?.id }]);
});

test("of the estimations that a template was added to only as many are kept as are searched, the latest", async () => {
  const owner = await app.signUp();
  const { id } = await makeTemplate(as(owner), { visibility: "instance" });
  const used = await makeEstimation(as(owner), []);
  const copies = `
    insert into estimations select (jsonb_populate_record(e, jsonb_build_object('id', 'est_' || lpad(n::text, 26, 'Z')))).*
    from estimations e, generate_series(1001, 1000 + $2::int) n where id = $1`;
  await app.pool.query(copies, [used.id, USES_SEARCHED]);
  await app.pool.query(
    `insert into template_uses (template_id, estimation_id, applied_at)
     select $1, id, $2::timestamptz - (right(id, 4) || ' s')::interval
     from estimations where id like 'est!_ZZ%' escape '!' order by id limit $3`,
    [id, app.clock.now(), USES_SEARCHED - 1],
  );
  const kept = async () =>
    (
      await app.pool.query("select estimation_id as id from template_uses where template_id = $1 order by applied_at", [
        id,
      ])
    ).rows;
  const oldest = (await kept())[0];
  await applyTo(as(owner), used.path, id);
  expect([(await kept()).length, (await kept())[0]]).toEqual([USES_SEARCHED, oldest]);
  await applyTo(as(owner), (await makeEstimation(as(owner), [])).path, id);
  expect(await kept()).toHaveLength(USES_SEARCHED);
  expect(await kept()).not.toContainEqual(oldest);
  expect(await kept()).toContainEqual({ id: used.id });
  expect((await as(owner).send("DELETE", `/api/templates/${id}`)).status).toBe(200);
  expect(await kept()).toEqual([]);
});

test("a key names the estimations that a template was added to only if it may read estimations", async () => {
  const owner = await app.signUp();
  const { id } = await makeTemplate(as(owner));
  const used = await makeEstimation(as(owner), []);
  await applyTo(as(owner), used.path, id);
  const usedIn = async (...scopes: string[]) => {
    const token = await app.makeKey(owner, ["templates:read", ...scopes]);
    return (await as({ token }).send("GET", `/api/templates/${id}`)).data.template?.usedIn;
  };
  expect(await usedIn()).toEqual([]);
  expect(await usedIn("estimations:read")).toMatchObject([{ id: used.id }]);
});

test("a template that is deleted while it is applied is applied, and its use is not remembered", async () => {
  const owner = await app.signUp();
  const { id } = await makeTemplate(as(owner));
  const { path } = await makeEstimation(as(owner), []);
  let applied: ReturnType<typeof applyTo> | undefined;
  await inTransaction(app.pool, async (client) => {
    await client.query("delete from templates where id = $1", [id]);
    applied = applyTo(as(owner), path, id);
    await until(() => isAnybodyWaiting(app.pool));
  });
  expect((await applied)?.status).toBe(200);
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
