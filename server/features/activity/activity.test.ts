import { describe, expect, it, test } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { limits } from "../../../contract/limits.ts";
import { type RequestOptions, start, type TestUser } from "../../../tests/harness.ts";

const app = await start();

type Entry = {
  readonly number: number;
  readonly kind: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly edits: number;
  readonly hoursDelta: number | null;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly subject: Record<string, string>;
};

const nodes = [
  {
    title: "Scope",
    kind: "multi",
    options: [
      { title: "A", hours: 4 },
      { title: "B", hours: 8.5, selected: true },
    ],
  },
];

async function scene() {
  const owner = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const path = `/api/estimations/${id}`;
  const send = async (method: string, below: string, options: RequestOptions = {}, by: TestUser = owner) => {
    const url = below.startsWith("/api/") ? below : path + below;
    const response = await app.request(method, url, { token: by.token, ...options });
    if (response.status >= 400) throw new Error(`${method} ${url}: ${response.text}`);
    return response;
  };
  const list = async (by: TestUser = owner, query = "") =>
    (await send("GET", `/activity${query}`, {}, by)).data.activity as unknown as Entry[];
  const tree = (await send("PUT", "/tree", { body: { nodes } })).data.tree?.nodes;
  const options = [0, 1].map((at) => String(tree?.[0]?.options?.[at]?.id));
  const share = async (permission: string, accept = true) => {
    const user = await app.signUp();
    const made = await send("POST", "/shares", { body: { email: user.email, permission } });
    const shareId = String(made.data.share?.id);
    if (accept) await send("POST", `/api/shares/${shareId}/accept`, {}, user);
    return { ...user, shareId };
  };
  return { owner, id, path, send, list, options, share };
}

type Scene = Awaited<ReturnType<typeof scene>> & { readonly tasks: readonly string[] };

/** Makes a version of the current content of the estimation, or finds it. */
const firstVersion = async ({ send }: Pick<Scene, "send">) => (await send("POST", "/versions")).data.version?.id;

const kinds = (entries: readonly Entry[]) => entries.map(({ kind }) => kind);

describe("the versions around an entry", () => {
  it("are the newest from before it began and the oldest from after its last edit, for kinds that change content", async () => {
    const { send, list, options, share } = await scene();
    const later = (ms = limits.activityMinutes * 60_000) => app.clock.advance(ms);
    const version = async () => String((await send("POST", "/versions")).data.version?.id);
    await later();
    const first = await version();
    await later();
    await send("POST", `/tree/options/${options[0]}/select`);
    await later(1_000);
    await send("POST", `/tree/options/${options[1]}/deselect`);
    await later(1_000);
    const second = await version();
    await later();
    await share("view");
    await send("POST", `/tree/options/${options[1]}/select`);
    const around = (await list())
      .filter(({ kind }) => kind !== "estimation.created")
      .map(({ kind, before, after }) => [kind, before, after]);
    expect(around).toEqual([
      ["content.edited", second, null],
      ["share.accepted", null, null],
      ["share.invited", null, null],
      ["version.created", first, second],
      ["content.edited", first, second],
      ["version.created", null, first],
      ["content.edited", null, first],
    ]);
  });
});

describe("edits of one person within ten minutes", () => {
  it("are one entry with the change in hours; a later edit is another entry", async () => {
    const { owner, send, list, options } = await scene();
    const startedAt = app.clock.now().toISOString();
    await app.clock.advance(limits.activityMinutes * 60_000 - 1);
    await send("POST", `/tree/options/${options[0]}/select`);
    await send("PUT", "", { body: { title: "Shop 2" } });
    const [edits, created, ...others] = await list();
    expect(others).toEqual([]);
    expect(created).toMatchObject({ number: 1, kind: "estimation.created", edits: 1, hoursDelta: null, subject: {} });
    expect(edits).toEqual({
      ...{ number: 2, kind: "content.edited", person: { id: owner.userId, name: owner.email.split("@")[0] } },
      ...{ startedAt, endedAt: app.clock.now().toISOString(), edits: 3, hoursDelta: 12.5, subject: {} },
      ...{ before: null, after: null },
    });
    await app.clock.advance(1);
    await send("POST", `/tree/options/${options[1]}/deselect`);
    expect((await list()).map(({ number, edits: count, hoursDelta }) => [number, count, hoursDelta])).toEqual([
      [3, 1, -8.5],
      [2, 3, 12.5],
      [1, 1, null],
    ]);
  });

  it("stay one entry even if others edit or do something else in between", async () => {
    const { owner, send, list, options, share } = await scene();
    const editor = await share("edit");
    await send("POST", `/tree/options/${options[0]}/select`, {}, editor);
    await send("POST", "/versions");
    await send("POST", `/tree/options/${options[1]}/deselect`);
    await send("POST", `/tree/options/${options[0]}/deselect`, {}, editor);
    const edits = (await list()).filter(({ kind }) => kind === "content.edited");
    // Each says what the person's own edits changed. The owner's: the tree (8.5), then −8.5. The editor's: 4, then −4.
    expect(edits.map(({ person, edits: count, hoursDelta }) => [person.id, count, hoursDelta])).toEqual([
      [editor.userId, 2, 0],
      [owner.userId, 2, 0],
    ]);
  });

  it("are counted when many happen at the same time, and only if something changed", async () => {
    const { send, list, options } = await scene();
    const selectOption = () => send("POST", `/tree/options/${options[0]}/select`);
    await Promise.all([selectOption(), selectOption(), selectOption()]);
    await send("PUT", "", { body: { title: "Shop" } });
    const headers = { "idempotency-key": crypto.randomUUID() };
    await send("POST", `/tree/options/${options[1]}/deselect`, { headers });
    await send("POST", `/tree/options/${options[1]}/deselect`, { headers });
    expect((await list())[0]).toMatchObject({ kind: "content.edited", edits: 3, hoursDelta: 4 });
    await Promise.all(Array.from({ length: 10 }, (_, n) => send("PUT", "", { body: { title: `Shop ${n}` } })));
    expect((await list())[0]).toMatchObject({ edits: 13 });
  });
});

it.each([
  [
    "timeline.edited",
    async ({ send }: Scene) => send("POST", "/milestones", { body: { title: "Beta", dueDate: "2027-01-01" } }),
  ],
  [
    "tasks.edited",
    async ({ send, tasks }: Scene, n: number) =>
      n === 2 ? send("DELETE", `/tasks/${tasks[1]}`) : send("PUT", `/tasks/${tasks[0]}`, { body: { title: `T${n}` } }),
  ],
] as const)("changes of the kind %s of one person within ten minutes are one entry too", async (kind, change) => {
  const one = await scene();
  await one.send("POST", `/tree/options/${one.options[0]}/select`);
  await one.send("POST", "/submit");
  await one.send("POST", "/tasks/generate");
  const listed = (await one.send("GET", "/tasks")).data.tasks as unknown as { id: string }[];
  const tasks = listed.map(({ id }) => id);
  const startedAt = app.clock.now().toISOString();
  for (let n = 0; n < 3; n += 1) {
    await app.clock.advance(60_000);
    await change({ ...one, tasks }, n);
    // Something else in between, of another kind.
    await one.send("POST", "/threads", { body: { title: `Thread ${n}`, baseVersionId: await firstVersion(one) } });
  }
  const entries = (await one.list()).filter((entry) => entry.kind === kind);
  expect(entries).toMatchObject([{ edits: 3, hoursDelta: null, endedAt: app.clock.now().toISOString() }]);
  expect(Date.parse(entries[0]?.startedAt ?? "") - Date.parse(startedAt)).toBe(60_000);
  await app.clock.advance(limits.activityMinutes * 60_000);
  await change({ ...one, tasks }, 3);
  expect((await one.list()).filter((entry) => entry.kind === kind).map(({ edits }) => edits)).toEqual([1, 3]);
});

test("verdicts, comments and messages of one person about the same thread or review are one entry of each kind", async () => {
  const { owner, send, list } = await scene();
  const reviewer = await app.signUp();
  const asked = await send("POST", "/reviews", { body: { reviewerId: reviewer.userId } });
  const review = `/reviews/${asked.data.review?.id}`;
  const baseVersionId = asked.data.review?.version?.id;
  const fork = async (title: string) =>
    String((await send("POST", "/threads", { body: { title, baseVersionId } })).data.thread?.id);
  const threads = [await fork("MVP"), await fork("Whole")];
  const before = (await list()).length;
  for (let n = 0; n < 4; n += 1) {
    await send("POST", `${review}/approve`, {}, reviewer);
    await send("POST", `${review}/request-changes`, {}, reviewer);
    await send("POST", `${review}/comments`, { body: { body: "Why?" } }, reviewer);
    for (const thread of threads)
      await send("POST", `/threads/${thread}/messages`, { body: { body: "Why?" } }, reviewer);
    await send("POST", `/threads/${threads[0]}/messages`, { body: { body: "Because" } }, owner);
  }
  const told = (await list()).slice(0, -before);
  expect(told.map(({ kind, person, edits, subject }) => [kind, person.id, edits, subject]).reverse()).toEqual([
    ["review.approved", reviewer.userId, 4, { reviewId: asked.data.review?.id }],
    ["review.changes_requested", reviewer.userId, 4, { reviewId: asked.data.review?.id }],
    ["review.commented", reviewer.userId, 4, { reviewId: asked.data.review?.id }],
    ["thread.commented", reviewer.userId, 4, { threadId: threads[0] }],
    ["thread.commented", reviewer.userId, 4, { threadId: threads[1] }],
    ["thread.commented", owner.userId, 4, { threadId: threads[0] }],
  ]);
  await app.clock.advance(limits.activityMinutes * 60_000);
  await send("POST", `${review}/approve`, {}, reviewer);
  expect((await list())[0]).toMatchObject({ kind: "review.approved", edits: 1 });
});

test("setting a task or a share to the values that it already has makes no entry", async () => {
  const { send, list, options, share } = await scene();
  const editor = await share("edit");
  await send("POST", `/tree/options/${options[0]}/select`);
  await send("POST", "/submit");
  await send("POST", "/tasks/generate");
  const [task] = (await send("GET", "/tasks")).data.tasks as unknown as { id: string; title: string }[];
  const before = await list();
  await send("PUT", `/tasks/${task?.id}`, { body: { title: task?.title } });
  await send("POST", "/shares", { body: { email: editor.email, permission: "edit" } });
  expect(await list()).toEqual(before);
});

test("a change of a share's permission makes an entry; only the owner sees the address and the permission", async () => {
  const { send, list, share } = await scene();
  const viewer = await share("view");
  const { shareId, email } = viewer;
  await send("POST", "/shares", { body: { email, permission: "edit" } });
  const [changed] = await list();
  expect(changed).toMatchObject({ kind: "share.changed", subject: { shareId, email, permission: "edit" } });
  expect((await list(viewer))[0]).toMatchObject({ kind: "share.changed", subject: { shareId } });
  expect((await list(viewer))[0]?.subject).not.toHaveProperty("permission");
});

test("entries about a thread name it, and a message in it makes an entry", async () => {
  const one = await scene();
  const { send, list } = one;
  const body = { title: "MVP", baseVersionId: await firstVersion(one) };
  const threadId = (await send("POST", "/threads", { body })).data.thread?.id;
  await send("PATCH", `/threads/${threadId}`, { body: { title: "First" } });
  const written = await send("POST", `/threads/${threadId}/messages`, { body: { body: "Why so many hours?" } });
  await send("PATCH", `/threads/${threadId}/messages/${written.data.message?.id}`, { body: { resolved: true } });
  await send("POST", `/threads/${threadId}/switch`);
  const told = (await list()).filter(({ kind }) => kind.startsWith("thread."));
  expect(told.map(({ kind, subject }) => [kind, subject.threadId])).toEqual([
    ["thread.switched", threadId],
    ["thread.commented", threadId],
    ["thread.edited", threadId],
    ["thread.forked", threadId],
  ]);
  expect(JSON.stringify(told)).not.toContain("Why so many");
});

test("everything that people do with an estimation is listed once, newest first, with its subject", async () => {
  const { owner, id, send, list, options, share } = await scene();
  const template = await send("POST", "/api/templates", { body: { estimationId: id, name: "T" } });
  const templateId = String(template.data.template?.id);
  const applied = await send("POST", "/apply-template", { body: { templateId, mode: "append" } });
  const restored = await send("POST", `/versions/${applied.data.undoVersionId}/restore`);
  await send("POST", `/versions/${restored.data.version?.id}/restore`);
  await send("POST", "/versions");
  await send("PUT", "", { body: { title: "Anew" } });
  const made = await send("POST", "/versions");
  await send("POST", `/tree/options/${options[0]}/select`);
  const editor = await share("edit");
  const invited = await share("view", false);
  await send("DELETE", `/api/shares/${invited.shareId}`);
  for (const move of ["submit", "tasks/generate", "mark-exported", "reopen"]) await send("POST", `/${move}`);
  await send("DELETE", "");
  await send("POST", "/restore-deleted");
  await send("POST", "/transfer", { body: { userId: editor.userId } });
  const entries = await list();
  expect(entries.map(({ kind, person, subject }) => [kind, person.id, subject])).toEqual([
    ["estimation.transferred", owner.userId, { userId: editor.userId }],
    ["estimation.undeleted", owner.userId, {}],
    ["estimation.deleted", owner.userId, {}],
    ["state.reopened", owner.userId, {}],
    ["state.exported", owner.userId, {}],
    ["tasks.generated", owner.userId, {}],
    ["state.submitted", owner.userId, {}],
    ["share.removed", owner.userId, { shareId: invited.shareId }],
    ["share.invited", owner.userId, { shareId: invited.shareId }],
    ["share.accepted", editor.userId, { shareId: editor.shareId }],
    ["share.invited", owner.userId, { shareId: editor.shareId }],
    ["version.created", owner.userId, { versionId: made.data.version?.id }],
    ["version.restored", owner.userId, { versionId: restored.data.version?.id }],
    ["template.applied", owner.userId, { templateId, versionId: applied.data.versionId }],
    ["content.edited", owner.userId, {}],
    ["estimation.created", owner.userId, {}],
  ]);
  // The new owner sees the addresses, which the former one no longer does.
  const told = await list(editor);
  expect(told.filter(({ kind }) => kind === "share.invited").map(({ subject }) => subject.email)).toEqual([
    invited.email,
    editor.email,
  ]);
});

test("a copy and an import each begin with their own entry", async () => {
  const { owner, send, list } = await scene();
  const before = (await list()).length;
  const copy = await send("POST", "/duplicate");
  const file = await send("POST", "/api/estimations/import", { body: { format: "outline", content: "# From a file" } });
  for (const [response, kind] of [
    [copy, "estimation.duplicated"],
    [file, "estimation.imported"],
  ] as const) {
    const { data } = await send("GET", `/api/estimations/${response.data.estimation?.id}/activity`);
    const entries = data.activity as unknown as Entry[];
    expect(entries.map((entry) => [entry.kind, entry.person.id])).toEqual([[kind, owner.userId]]);
  }
  expect(await list()).toHaveLength(before);
});

test("a viewer sees who did what, but no addresses; others see nothing", async () => {
  const { list, share, path } = await scene();
  const viewer = await share("view");
  await share("edit", false);
  const entries = await list(viewer);
  expect(kinds(entries)).toEqual([
    "share.invited",
    "share.accepted",
    "share.invited",
    "content.edited",
    "estimation.created",
  ]);
  expect(JSON.stringify(entries)).not.toContain("@");
  expect((await list()).filter(({ subject }) => subject.email !== undefined)).toHaveLength(2);
  const { token } = await app.signUp();
  expect((await app.request("GET", `${path}/activity`, { token })).status).toBe(404);
});

test("pages show every entry once, whatever is added meanwhile; beyond the limit, the oldest are removed", async () => {
  const { id, owner, send, list } = await scene();
  await app.pool.query(
    `insert into activity_entries (estimation_id, number, kind, person_id, started_at, ended_at, edits, subject)
     select $1, n, 'state.reopened', $2, now(), now(), 1, '{}'
     from generate_series(3, $3::int) n`,
    [id, owner.userId, limits.activityEntries],
  );
  const seen: number[] = [];
  for (let cursor = ""; seen.length < 250; ) {
    const { data } = await send("GET", `/activity?limit=100${cursor}`);
    seen.push(...(data.activity as unknown as Entry[]).map(({ number }) => number));
    cursor = `&cursor=${data.nextCursor}`;
    await send("POST", "/versions");
    await send("PUT", "", { body: { title: `Shop ${seen.length}` } });
  }
  expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => limits.activityEntries - n));
  const { rows } = await app.pool.query(
    "select min(number)::int as first, count(*)::int as count from activity_entries where estimation_id = $1",
    [id],
  );
  const last = (await list())[0]?.number ?? 0;
  expect(rows[0]).toEqual({ first: last - limits.activityEntries + 1, count: limits.activityEntries });
  expect(rows[0].first).toBeGreaterThan(1);
});

test("every write below an estimation declares its activity, except those that are not listed", () => {
  const silent = endpointEntries
    .filter(([, { method, path, right, transaction, activity }]) => {
      const isOfEstimation = right !== undefined || path.startsWith("/api/estimations");
      return method !== "GET" && transaction !== false && isOfEstimation && activity === undefined;
    })
    .map(([id]) => id);
  expect(silent.sort()).toEqual([
    "deleteComment",
    // What people estimate apart, nobody learns before it is shown.
    "giveEstimates",
    "giveSuggestionFeedback",
    "markViewed",
    "resendShare",
    "skipOptions",
    "updateComment",
    "updateThreadMessage",
  ]);
});

test("switching and merging threads record the change in hours", async () => {
  const { send, list, options } = await scene();
  const version = (await send("POST", "/versions")).data.version;
  const thread = (await send("POST", "/threads", { body: { title: "MVP", baseVersionId: version?.id } })).data.thread;
  await send("POST", `/threads/${thread?.id}/switch`);
  await send("POST", `/tree/options/${options[0]}/select`);
  const threads = (await send("GET", "/threads")).data.threads as unknown as { id: string }[];
  const main = threads.find(({ id }) => id !== String(thread?.id));
  await send("POST", `/threads/${main?.id}/switch`);
  expect((await list())[0]).toMatchObject({ kind: "thread.switched", hoursDelta: -4 });
  await send("POST", `/threads/${thread?.id}/merge`, { body: { into: main?.id } });
  expect((await list())[0]).toMatchObject({ kind: "thread.merged", hoursDelta: 4 });
});
