import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { until } from "../../../tests/harness.ts";
import { CREATE, LIST, setStage } from "./testing/stage.ts";

const { app, fake, owner, call, connect, connection, estimate, events, activity, goOn } = await setStage({
  retryAfterSeconds: 5,
});
const READ = /^GET .*\/issues\/\{issue_number\}$/;

/** Makes a run look as if it had made no progress for more than a day. */
const stuck = (exportId: string) =>
  app.pool.query("update export_runs set progress_at = progress_at - interval '25 hours' where id = $1", [exportId]);

describe("an export", () => {
  test("treats a new repository with the former name as another one, and ends if it is resumed there", async () => {
    const { path, begin, finish, exported } = await estimate([1]);
    await exported();
    fake.faults.next("unauthorized", /^GET .*\/issues\//);
    const exportId = await begin();
    await finish(exportId);
    const { id } = fake.settings;
    Object.assign(fake.settings, { id: id + 1 });
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "failed", problem: { code: "destination_moved" } });
    expect(fake.repository.issues).toHaveLength(2);
    expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 2 } });
    Object.assign(fake.settings, { id });
  });

  test("prepares again when it is resumed: a milestone that was deleted in between is made again", async () => {
    const { path, begin, finish } = await estimate([1]);
    await call("POST", `${path}/milestones`, { title: "Beta", dueDate: "2030-06-30" });
    fake.faults.next("unauthorized", CREATE);
    const exportId = await begin();
    await finish(exportId);
    fake.repository.milestones.length = 0;
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { total: 2, created: 2 } });
    expect(fake.repository.milestones.map(({ title }) => title)).toEqual(["Beta"]);
    expect(fake.repository.issues.map(({ milestone }) => milestone)).toEqual([1, 1]);
  });

  test("ends when the address of its connection changes, and continues when the former address is back", async () => {
    const { path, begin, finish } = await estimate([1]);
    fake.faults.next("unauthorized", CREATE);
    const exportId = await begin();
    await finish(exportId);
    const change = (baseUrl: string) => call("PATCH", `/api/connections/${connection}`, { baseUrl, token: fake.token });
    await change("https://127.0.0.1:1");
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "failed", problem: { code: "connection_moved" } });
    await change(`${fake.url}/api/v3`);
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 2 } });
    await change(fake.url);
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("ends when the token is refused, with that reason, and continues with a new one without a second event", async () => {
    const { id, path, begin, finish, read } = await estimate([3]);
    fake.faults.next("unauthorized", CREATE);
    const exportId = await begin();
    const failed = await finish(exportId);
    expect(failed).toMatchObject({ status: "failed", resumable: true, problem: { code: "token_rejected" } });
    expect(await events(id)).toEqual([]);
    const shown = await call("GET", `/api/connections/${connection}`);
    expect(shown.data.connection?.tokenRejectedAt).not.toBeNull();
    await call("PATCH", `/api/connections/${connection}`, { token: fake.token });
    expect((await call("POST", `${path}/exports/${exportId}/resume`)).status).toBe(202);
    expect((await finish(exportId)).progress).toMatchObject({ created: 4, failed: 0 });
    expect(await activity(path)).toEqual([
      ["export.resumed", exportId],
      ["tasks.exported", exportId],
    ]);
    expect(await read(exportId)).toMatchObject({ status: "completed", resumable: false });
    expect((await events(id)).map(({ taskCount }) => taskCount)).toEqual([4]);
    expect(fake.repository.issues).toHaveLength(4);
  });

  test("that is cancelled ends after the current request, and another one makes the rest", async () => {
    const { path, begin, finish, exported } = await estimate([5]);
    fake.faults.next("slow", CREATE);
    const exportId = await begin();
    await until(async () => {
      await goOn();
      return fake.repository.issues.length === 1;
    });
    const cancelled = await call("POST", `${path}/exports/${exportId}/cancel`);
    expect([cancelled.status, cancelled.data.export?.status]).toEqual([202, "running"]);
    expect((await activity(path))[0]).toEqual(["export.cancelled", exportId]);
    fake.release();
    expect(await finish(exportId)).toMatchObject({ status: "cancelled", resumable: true, progress: { created: 1 } });
    const { run } = await exported();
    expect(run.progress).toMatchObject({ total: 6, created: 5, skipped: 1 });
    expect(fake.repository.issues).toHaveLength(6);
  });

  test("uses only the caller's connection, can be resumed only by its starter, and its event names its starter as the cause", async () => {
    const { id, path, begin, finish } = await estimate([1]);
    const editor = await app.signUp();
    await call("POST", "/api/webhooks", { url: "https://127.0.0.1:1/", events: ["estimation.exported"] }, editor);
    const shared = await call("POST", `${path}/shares`, { email: editor.email, permission: "edit" });
    await call("POST", `/api/shares/${shared.data.share?.id}/accept`, undefined, editor);
    const body = { target: "github", connectionId: connection, repository: fake.name };
    expect((await call("POST", `${path}/tasks/export`, body, editor)).status).toBe(404);
    fake.faults.next("unauthorized", CREATE);
    const exportId = await begin();
    await finish(exportId);
    expect((await call("POST", `${path}/exports/${exportId}/resume`, undefined, editor)).status).toBe(403);
    const own = { ...body, connectionId: await connect(editor) };
    expect((await call("POST", `${path}/tasks/export`, own, editor)).status).toBe(202);
    const { rows } = await app.pool.query("select id from export_runs where estimation_id = $1 order by id", [id]);
    await finish(rows.at(-1).id);
    expect(fake.repository.issues).toHaveLength(2);
    const told = await app.pool.query(
      `select w.user_id as receiver, d.caused_by_owner as own from webhook_deliveries d
       join webhooks w on w.id = d.webhook_id join webhook_events e on e.id = d.event_id
       where e.data::json->>'estimationId' = $1 order by own`,
      [id],
    );
    expect(told.rows).toEqual([
      { receiver: owner.userId, own: false },
      { receiver: editor.userId, own: true },
    ]);
  });

  test.each([
    [limits.exportDestinations - 1, { status: "completed", problem: null }],
    [limits.exportDestinations, { status: "failed", problem: { code: "too_many_destinations" } }],
  ])("of an estimation that has %i other destinations", async (others, ended) => {
    const { id, exported } = await estimate([1]);
    await app.pool.query(
      `insert into export_ledger (estimation_id, destination, task_id, target, state, marker, touched_at)
       select $1, 'github - ' || n, 'tsk_x', 'github', 'created', 'x', now() from generate_series(1, $2::int) n`,
      [id, others],
    );
    expect((await exported()).run).toMatchObject(ended);
    // Destinations that the estimation has already do not count again.
    if (ended.status === "completed") expect((await exported()).run).toMatchObject(ended);
  });

  test("ends after a day in which GitHub only asked for pauses, and can be resumed", async () => {
    const { path, begin, finish } = await estimate([1]);
    fake.faults.next("used_up", CREATE);
    fake.faults.next("slow", /^GET .*\{repo\}$/);
    const exportId = await begin();
    await until(() => fake.asked.at(-1)?.fault === "slow");
    await stuck(exportId);
    fake.release();
    // The response to the check is usable: the day begins anew.
    const waits = async () => {
      await goOn();
      const { rows } = await app.pool.query("select 1 from connection_paces where paced->>'blockedUntil' is not null");
      return rows.length > 0;
    };
    await until(waits);
    await stuck(exportId);
    fake.faults.next("retry_after_429", CREATE);
    expect(await finish(exportId)).toMatchObject({ status: "failed", resumable: true, problem: { code: "busy" } });
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { created: 2 } });
    expect(fake.repository.issues).toHaveLength(2);
  });

  test("ends at once if GitHub permanently refuses what it needs, and can be resumed", async () => {
    const { path, begin, finish, exported } = await estimate([1]);
    await exported();
    fake.faults.next("invalid", READ);
    fake.asked.length = 0;
    const exportId = await begin();
    expect(await finish(exportId)).toMatchObject({ status: "failed", resumable: true, problem: { code: "refused" } });
    expect(fake.asked.filter(({ operation }) => READ.test(operation))).toHaveLength(1);
    await call("POST", `${path}/exports/${exportId}/resume`);
    expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { skipped: 2 } });
  });

  test("goes on if GitHub permanently refuses what only decorates issues", async () => {
    const { exported } = await estimate([1]);
    fake.repository.labels.length = 0;
    for (let times = 0; times < 2; times += 1) fake.faults.next("invalid", /^POST .*\/labels$/);
    const { run, items } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { created: 2 } });
    expect(items.map(({ warnings }) => warnings)).toMatchObject(Array(2).fill([{ code: "label_dropped" }]));
  });

  test("ends when the service itself has failed for a day", async () => {
    const { id, exported, begin, finish } = await estimate([1]);
    await exported();
    fake.faults.next("slow", /^GET .*\{repo\}$/);
    const exportId = await begin();
    await until(() => fake.asked.at(-1)?.fault === "slow");
    await app.pool.query("update export_ledger set ref = 'none' where estimation_id = $1", [id]);
    fake.release();
    await until(async () => {
      const { rows } = await app.pool.query("select 1 from export_runs where id = $1 and phase = 'items'", [exportId]);
      if (rows.length === 0) await goOn();
      return rows.length > 0;
    });
    await stuck(exportId);
    expect(await finish(exportId)).toMatchObject({ status: "failed", problem: { code: "internal_error" } });
  });

  test("whose connection is deleted midway ends, and an export by another connection makes the rest", async () => {
    const { begin, finish, exported } = await estimate([2]);
    const connectionId = await connect();
    fake.faults.next("slow", CREATE);
    const exportId = await begin({ connectionId });
    await until(async () => {
      await goOn();
      return fake.repository.issues.length === 1;
    });
    expect((await call("DELETE", `/api/connections/${connectionId}`)).status).toBe(200);
    fake.release();
    const ended = await finish(exportId);
    expect(ended).toMatchObject({
      status: "failed",
      problem: { code: "connection_missing" },
      progress: { created: 1 },
    });
    const { run } = await exported();
    expect(run).toMatchObject({ status: "completed", progress: { created: 2, skipped: 1 } });
    expect(fake.repository.issues).toHaveLength(3);
  });

  test("retries only the tasks for which an earlier one made no issue", async () => {
    const { begin, finish, items, exported } = await estimate([3]);
    fake.faults.next("invalid", CREATE);
    const earlier = await begin();
    expect(await finish(earlier)).toMatchObject({ status: "partial", progress: { created: 3, failed: 1 } });
    const failed = (await items(earlier)).filter(({ outcome }) => outcome === "failed");
    const again = await exported({ retryOf: earlier });
    expect(again.run).toMatchObject({ status: "completed", retryOf: earlier, progress: { total: 1, created: 1 } });
    expect(again.items.map(({ taskId }) => taskId)).toEqual(failed.map(({ taskId }) => taskId));
    expect(fake.repository.issues).toHaveLength(4);
  });
});

describe("the messages of the tracker", () => {
  const HIDDEN = "[what the tracker says is shown to whoever started the export]";

  test("are shown only to the owner of the connection, in every response about a run", async () => {
    const { id, path, items, begin, finish, exported } = await estimate([1]);
    const viewer = await app.signUp();
    const { data } = await call("POST", `${path}/shares`, { email: viewer.email, permission: "view" });
    await call("POST", `/api/shares/${data.share?.id}/accept`, undefined, viewer);
    fake.faults.next("invalid", CREATE);
    const partial = await begin();
    await finish(partial);
    const { rows } = await app.pool.query(
      "update export_items set warnings = $2::json where export_id = $1 returning reason",
      [partial, JSON.stringify([{ code: "field_refused", message: "Not taken: “quote”" }])],
    );
    expect(rows.map(({ reason }) => reason)).toContain("“Validation Failed”");
    expect((await items(partial)).map(({ reason }) => reason)).toContain("“Validation Failed”");
    // The group has its issue, which the next export reads; its part is made then.
    await exported();
    fake.faults.next("invalid", READ);
    const ended = await begin();
    const { problem } = await finish(ended);
    expect(problem?.message).toBe("The tracker refuses a request that the export needs: “Validation Failed”.");

    const token = await app.makeKey(viewer, ["admin"]);
    const read = async (below: string) => (await app.request("GET", `${path}/exports${below}`, { token })).text;
    const texts = await Promise.all(["", `/${ended}`, `/${partial}/items`, `/${ended}/progress`].map(read));
    for (const text of texts) {
      expect(text).toContain(HIDDEN);
      expect(text).not.toMatch(/Validation|quote/);
    }
    expect(texts[2]).toContain(`Not taken: ${HIDDEN}`);
    expect(await call("GET", `/api/estimations/${id}/exports`).then(({ text }) => text)).toContain("Validation");
  });
});

describe("an issue that was deleted and could not be made again", () => {
  test.each([
    ["was refused", [["invalid", CREATE]]],
    ["did not arrive", [["unauthorized", CREATE]]],
    [
      "was sent without a response, and is not there",
      [
        ["reset_before", CREATE],
        ["unauthorized", LIST],
      ],
    ],
  ] as const)("stays gone for an export that is not to make it again: it %s", async (_, faults) => {
    const { id, tasks, exported } = await estimate([1]);
    await exported();
    Object.assign(fake.repository.issue(2), { gone: "deleted" });
    for (const [kind, on] of faults) fake.faults.next(kind, on);
    expect((await exported({ recreateDeleted: true })).run.progress).toMatchObject({ created: 0 });
    for (let time = 0; time < 2; time += 1) {
      const { items } = await exported();
      expect(items.map(({ outcome }) => outcome)).toEqual(["unchanged", "gone"]);
    }
    expect((await tasks()).map(({ externalRef }) => externalRef === null)).toEqual([false, true]);
    expect(fake.repository.issues).toHaveLength(2);
    expect((await exported({ recreateDeleted: true })).run.progress).toMatchObject({ created: 1, skipped: 1 });
    expect((await exported()).run.progress).toMatchObject({ created: 0, skipped: 2 });
    expect(fake.repository.issues).toHaveLength(3);
    const { rows } = await app.pool.query("select state, key, gone_at from export_ledger where estimation_id = $1", [
      id,
    ]);
    expect(rows.map(({ state, gone_at }) => [state, gone_at])).toEqual(Array(2).fill(["created", null]));
    expect(rows.map(({ key }) => key).toSorted()).toEqual(["#1", "#3"]);
  });

  test("is found by a later export if it was made after all", async () => {
    const { exported } = await estimate([1]);
    await exported();
    Object.assign(fake.repository.issue(2), { gone: "deleted" });
    fake.faults.next("reset_after", CREATE);
    fake.faults.next("unauthorized", LIST);
    expect((await exported({ recreateDeleted: true })).run).toMatchObject({ status: "failed" });
    expect((await exported()).run).toMatchObject({ status: "completed", progress: { created: 1, skipped: 1 } });
    expect(fake.repository.issues).toHaveLength(3);
  });
});

describe("an estimation becomes exported only when all its open tasks have an issue:", () => {
  const status = async (path: string) => (await call("GET", path)).data.estimation?.status;

  test("not by an export that retries the failures of an earlier one, while there are new tasks", async () => {
    const { path, exported } = await estimate([1]);
    fake.faults.next("invalid", CREATE);
    const { id: retryOf, run: first } = await exported();
    expect(first).toMatchObject({ status: "partial", progress: { created: 1, failed: 1 } });
    await call("POST", `${path}/reopen`);
    const { data } = await call("GET", `${path}/tree`);
    const added = await call("POST", `${path}/tree/nodes/${data.tree?.nodes?.[0]?.id}/options`, {
      title: "New",
      hours: 1,
    });
    expect(added.status, added.text).toBe(201);
    await call("POST", `${path}/submit`);
    await call("POST", `${path}/tasks/generate`);
    const { run } = await exported({ retryOf });
    expect(run).toMatchObject({ status: "completed", progress: { total: 1, created: 1 } });
    expect(await status(path)).toBe("tasks_generated");
    expect((await exported()).run.progress).toMatchObject({ total: 3, created: 1 });
    expect(await status(path)).toBe("exported");
  });

  test("not while an issue is deleted there", async () => {
    const { path, exported } = await estimate([1]);
    fake.faults.next("invalid", CREATE);
    await exported();
    Object.assign(fake.repository.issue(1), { gone: "deleted" });
    const { run, items } = await exported();
    expect([run.status, items.map(({ outcome }) => outcome)]).toEqual(["completed", ["created", "gone"]]);
    expect(await status(path)).toBe("tasks_generated");
    await exported({ recreateDeleted: true });
    expect(await status(path)).toBe("exported");
  });
});

describe("changes by people at GitHub during an export", () => {
  test("stay: an issue that is edited before its update is sent keeps those edits", async () => {
    const { path, tasks, exported, begin, finish, items } = await estimate([1]);
    await exported();
    const [group] = await tasks();
    await call("PUT", `${path}/tasks/${group?.id}`, { title: "Renamed here", description: "New" });
    fake.faults.next("last_allowed", READ);
    const exportId = await begin();
    await until(async () => {
      const { rows } = await app.pool.query(
        "select 1 from export_items where export_id = $1 and stage = 'update' and outcome = 'pending'",
        [exportId],
      );
      if (rows.length === 0) await goOn();
      return rows.length > 0;
    });
    fake.repository.edit(1, { title: "Renamed there" });
    expect(await finish(exportId)).toMatchObject({ status: "completed", progress: { updated: 1, skipped: 1 } });
    expect((await items(exportId))[0]).toMatchObject({ outcome: "updated", keptFields: ["title"] });
    expect(fake.repository.issue(1).title).toBe("Renamed there");
    expect(fake.repository.issue(1).body).toContain("New");
  });

  test("count: an issue that reappears is known again", async () => {
    const { tasks, exported } = await estimate([1]);
    await exported();
    const [issue] = fake.repository.issues;
    Object.assign(issue ?? {}, { gone: "transferred" });
    await exported();
    expect((await tasks()).map(({ externalRef }) => externalRef === null)).toEqual([true, false]);
    Object.assign(issue ?? {}, { gone: null });
    expect((await exported()).run.progress).toMatchObject({ skipped: 2 });
    expect((await tasks()).map(({ externalRef }) => externalRef === null)).toEqual([false, false]);
    expect((await exported({ recreateDeleted: true })).run.progress).toMatchObject({ created: 0, skipped: 2 });
  });
});

describe("a pull", () => {
  test("reads a repository that was archived, by a token that may not write", async () => {
    const { path, exported, finish, tasks } = await estimate([1]);
    const { id } = await exported();
    fake.repository.close(1);
    Object.assign(fake.settings, { archived: true, push: false });
    const { data } = await call("POST", `${path}/exports/${id}/pull`, {});
    const run = await finish(String(data.export?.id));
    Object.assign(fake.settings, { archived: false, push: true });
    expect(run).toMatchObject({ status: "completed", problem: null, progress: { updated: 1, skipped: 1 } });
    expect((await tasks())[0]?.doneAt).not.toBeNull();
  });

  test("replaces hours that a pull has set, and keeps and reports hours that people have set", async () => {
    const { path, exported, finish, tasks, items } = await estimate([1]);
    const { id } = await exported();
    const pull = async () => {
      const { data } = await call("POST", `${path}/exports/${id}/pull`, {});
      const exportId = String(data.export?.id);
      await finish(exportId);
      const [group] = await tasks();
      return { item: (await items(exportId))[0], hours: group?.actualHours, group };
    };
    fake.repository.comment(1, "Actual hours: 2.5");
    expect(await pull()).toMatchObject({ hours: 2.5, item: { outcome: "updated" } });
    fake.repository.comment(1, "Actual hours: 3");
    const second = await pull();
    expect(second).toMatchObject({ hours: 3, item: { outcome: "updated", keptFields: [] } });
    await call("PUT", `${path}/tasks/${second.group?.id}`, { actualHours: 7 });
    expect(await pull()).toMatchObject({ hours: 7, item: { outcome: "kept", keptFields: ["actualHours"] } });
  });
});

describe("a user who loses the right to change the estimation while the tracker responds", () => {
  /** An estimation whose editor has exported it; `takeAway` ends the editor's right to change it. */
  const edited = async () => {
    const made = await estimate([1]);
    const { path } = made;
    const editor = await app.signUp();
    const share = (permission: string) => call("POST", `${path}/shares`, { email: editor.email, permission });
    const shareId = (await share("edit")).data.share?.id;
    await call("POST", `/api/shares/${shareId}/accept`, undefined, editor);
    const body = { target: "github", connectionId: await connect(editor), repository: fake.name };
    const begin = async (route: string, more: object = {}) => {
      const { status, data, text } = await call("POST", `${path}/${route}`, more, editor);
      expect(status, text).toBe(202);
      return String(data.export?.id);
    };
    const exportTasks = () => begin("tasks/export", body);
    const ways = {
      "the share": () => call("DELETE", `/api/shares/${shareId}`),
      "the right to edit": () => share("view"),
      "an enabled account": async () => {
        const administrator = await app.signUp();
        await app.pool.query("update users set is_administrator = true where id = $1", [administrator.userId]);
        return app.request("POST", `/api/admin/users/${editor.userId}/disable`, { token: administrator.token });
      },
    };
    return { ...made, begin, exportTasks, ways };
  };
  /** Ends the access while the next request of this kind waits for its response. */
  const during = async (operation: RegExp, begin: () => Promise<string>, takeAway: () => ReturnType<typeof call>) => {
    fake.faults.next("slow", operation);
    const exportId = await begin();
    await until(async () => {
      await goOn();
      return fake.asked.at(-1)?.fault === "slow";
    });
    expect((await takeAway()).status).toBe(200);
    fake.release();
    return exportId;
  };
  const lost = { status: "failed", problem: { code: "access_lost" } };

  test.each(["the share", "the right to edit", "an enabled account"] as const)(
    "without %s reads nothing back",
    async (what) => {
      const { finish, begin, exportTasks, ways, tasks } = await edited();
      const first = await exportTasks();
      await finish(first);
      fake.repository.close(1);
      fake.repository.comment(1, "Actual hours: 99");
      const before = await tasks();
      const pulled = await during(READ, () => begin(`exports/${first}/pull`), ways[what]);
      expect(await finish(pulled)).toMatchObject({ ...lost, progress: { updated: 0 } });
      expect(await tasks()).toEqual(before);
    },
  );

  test.each(["the share", "an enabled account"] as const)(
    "without %s leaves the tasks as they are, and no issue is made twice after that",
    async (what) => {
      const { finish, exportTasks, ways, tasks, exported } = await edited();
      const before = await tasks();
      expect(await finish(await during(CREATE, exportTasks, ways[what]))).toMatchObject(lost);
      expect(await tasks()).toEqual(before);
      expect(fake.repository.issues).toHaveLength(1);
      expect((await exported()).run).toMatchObject({ status: "completed", progress: { total: 2 } });
      expect(fake.repository.issues).toHaveLength(2);
    },
  );
});
