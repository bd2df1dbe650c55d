import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { option, type Scene, setScene } from "./testing/scene.ts";

const app = await start({ at: "2026-12-01T09:30:00Z" });
const UNKNOWN = "mst_01k6z0c9v3e8rbt5w2yq4nmhxd";

describe("a milestone", () => {
  it("has a forecast: dates in order, a probability with its standard error, and its drivers", async () => {
    const scene = await setScene(app);
    const [server, pages, search] = scene.tasks.map(({ id }) => id);
    await scene.setTimeline({ startDate: "2027-01-04" });
    const node = (await scene.expect("GET", "/tree")).tree?.nodes?.[0]?.id;
    const all = await scene.addMilestone({ title: "All", dueDate: "2027-01-06" });
    const byNode = await scene.addMilestone({ title: "Scope", dueDate: "2027-01-06", nodeIds: [node] });
    const byTask = await scene.addMilestone({ title: "Pages", dueDate: "2027-01-06", taskIds: [pages] });
    const { forecast } = all;
    const { planned = "", p50 = "", p80 = "", p95 = "", probability = -1, standardError = -1 } = forecast ?? {};
    expect([p50, p80, p95].toSorted()).toEqual([p50, p80, p95]);
    expect(Date.parse(planned ?? "")).toBeGreaterThan(Date.parse("2027-01-04"));
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThan(1);
    expect(standardError).toBeCloseTo(Math.sqrt((probability * (1 - probability)) / 10_000), 3);
    const shares = new Map((forecast?.drivers ?? []).map(({ taskId, share }) => [taskId, share]));
    // Both tasks of the backend are done by one person, and the pages hardly ever take longer.
    expect(shares.get(server ?? "")).toBe(shares.get(search ?? ""));
    expect(shares.get(server ?? "")).toBeGreaterThan(0.9);
    expect(byTask.forecast?.drivers).toEqual([{ taskId: pages, share: 1 }]);
    // Another milestone is another input, and so other random numbers.
    const listed = await scene.milestones();
    expect(listed.map(({ id }) => id)).toEqual([all.id, byNode.id, byTask.id]);
    expect(listed[1]?.forecast).toEqual(listed[0]?.forecast);
    expect(listed[2]).toEqual(byTask);
    expect(await scene.milestones()).toEqual(listed);
  });

  it("has the same forecast in every estimation with the same content, whatever the ids", async () => {
    const [first, second] = [await setScene(app), await setScene(app)];
    const forecasts = [];
    for (const scene of [first, second]) {
      await scene.setTimeline({ startDate: "2027-01-04" });
      const { forecast } = await scene.addMilestone({ title: "All", dueDate: "2027-01-08" });
      forecasts.push({ ...forecast, drivers: forecast?.drivers.map(({ share }) => share) });
    }
    expect(forecasts[1]).toEqual(forecasts[0]);
  });

  it("has no forecast without a start date, or if nothing that it names is scheduled", async () => {
    const scene = await setScene(app);
    const { forecast, id } = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
    expect(forecast).toBeNull();
    await scene.setTimeline({ startDate: "2027-01-04" });
    const [server] = scene.tasks;
    const changed = await scene.expect("PATCH", `/milestones/${id}`, { taskIds: [server?.id] });
    expect(changed.milestone?.forecast).not.toBeNull();
    await scene.expect("DELETE", `/tasks/${server?.id}`);
    const [gone] = await scene.milestones();
    expect(gone).toMatchObject({ taskIds: [server?.id], dormantIds: [server?.id], forecast: null });
    // It may keep naming what is gone, and has its forecast again once that is back.
    await scene.expect("PATCH", `/milestones/${id}`, { title: "Gamma", taskIds: [server?.id] });
    await scene.expect("POST", "/tasks/generate");
    expect((await scene.milestones())[0]).toMatchObject({ title: "Gamma", dormantIds: [] });
    expect((await scene.milestones())[0]?.forecast).not.toBeNull();
  });

  it("does not wait for tasks that were dropped, which are not scheduled either", async () => {
    const below = { title: "More", kind: "group", options: [option("Cache", 4, "backend")] };
    const tree = [{ title: "Scope", kind: "group", options: [{ ...option("Server", 40, "backend"), nodes: [below] }] }];
    const scene = await setScene(app, undefined, [...tree, { ...below, title: "Rest" }] as never);
    const taskOf = (title: string) => scene.tasks.find((task) => task.title.includes(title))?.id;
    const server = taskOf("Server");
    await scene.setTimeline({ startDate: "2027-01-04" });
    const node = (await scene.expect("GET", "/tree")).tree?.nodes?.[0]?.id;
    const dueDate = "2027-01-05";
    await scene.addMilestone({ title: "All", dueDate });
    await scene.addMilestone({ title: "By node", dueDate, nodeIds: [node] });
    await scene.addMilestone({ title: "By task", dueDate, taskIds: [server] });
    const mostOf = async () => (await scene.milestones()).map(({ forecast }) => forecast?.probability);
    expect(await mostOf()).toEqual([0, 0, 0]);
    await app.pool.query("update tasks set dropped_at = now() where id = $1", [server]);
    // What is below it stays.
    const scheduled = (await scene.timeline()).items.map(({ taskId }) => taskId);
    expect(scheduled).toEqual(
      scene.tasks.filter(({ hours, id }) => hours !== null && id !== server).map(({ id }) => id),
    );
    const after = await scene.milestones();
    expect(after.map(({ forecast }) => forecast?.drivers.some(({ taskId }) => taskId === server))).toEqual([
      ...[false, false, false],
    ]);
    expect(after.map(({ forecast }) => forecast?.probability ?? -1).every((part) => part > 0)).toBe(true);
    expect(after.map(({ dormantIds }) => dormantIds)).toEqual([[], [], [server]]);
    await app.pool.query("update tasks set dropped_at = null where id = $1", [server]);
    expect(await mostOf()).toEqual([0, 0, 0]);
  });

  it("is created, changed field by field, listed in pages and deleted, each as a new revision", async () => {
    const scene = await setScene(app);
    const revision = async () => Number((await scene.expect("GET", "")).estimation?.revision);
    const before = await revision();
    const beta = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
    const launch = await scene.addMilestone({ title: "Launch", dueDate: "2027-02-01" });
    const patched = await scene.expect("PATCH", `/milestones/${beta.id}`, { dueDate: "2027-04-01", id: beta.id });
    expect(patched.milestone).toEqual({ ...beta, dueDate: "2027-04-01" });
    expect(await revision()).toBe(before + 3);
    await scene.expect("PATCH", `/milestones/${beta.id}`, { dueDate: "2027-04-01" });
    expect(await revision()).toBe(before + 3);
    const first = await scene.expect("GET", "/milestones?limit=1");
    expect(first.milestones?.[0]?.id).toBe(beta.id);
    const second = await scene.expect("GET", `/milestones?limit=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ milestones: [{ id: launch.id }], nextCursor: null });
    const deleted = await scene.expect("DELETE", `/milestones/${beta.id}`);
    expect(deleted.milestone).toEqual({ ...beta, dueDate: "2027-04-01" });
    expect(await scene.milestones()).toEqual([launch]);
    expect(await revision()).toBe(before + 4);
  });

  it.each([
    [{ title: "A", dueDate: "2027-02-30" }, "/dueDate", "wrong_format"],
    [{ title: "A", dueDate: "2027-2-1" }, "/dueDate", "wrong_format"],
    [{ title: " ", dueDate: "2027-02-01" }, "/title", "blank"],
    [{ title: "A", dueDate: "2027-02-01", nodeIds: ["nod_x"] }, "/nodeIds/0", "unknown_reference"],
    [{ title: "A", dueDate: "2027-02-01", taskIds: ["tsk_x"] }, "/taskIds/0", "unknown_reference"],
    [{ title: "A", dueDate: "2027-02-01", taskIds: ["a", "a"] }, "/taskIds/1", "repeated"],
    [
      { title: "A", dueDate: "2027-02-01", nodeIds: Array.from({ length: 201 }, (_, n) => `${n}`) },
      "/nodeIds",
      "too_many",
    ],
  ])("that is invalid is refused and changes nothing: %#", async (body, path, code) => {
    const scene = await setScene(app);
    const response = await scene.send("POST", "/milestones", body);
    expect(response.status).toBe(400);
    expect(response.body.errors?.[0]).toMatchObject({ path, code });
  });

  it("names up to 200 nodes and 200 tasks; one more is refused and changes nothing", async () => {
    const tree = Array.from({ length: 201 }, (_, n) => ({
      ...{ title: `Part ${n}`, kind: "group" as const },
      options: [option("Work", 1, "backend")],
    }));
    const scene = await setScene(app, undefined, tree);
    const stored = (await scene.expect("GET", "/tree")).tree;
    const nodeIds = tree.map((_, n) => stored?.nodes?.[n]?.id);
    const taskIds = scene.tasks.map(({ id }) => id);
    expect([new Set(nodeIds).size, taskIds.length]).toEqual([201, 201]);
    const body = { title: "Beta", dueDate: "2027-03-01" };
    const names = { nodeIds: nodeIds.slice(1), taskIds: taskIds.slice(1) };
    const made = await scene.addMilestone({ ...body, ...names });
    expect(made).toMatchObject({ ...names, dormantIds: [] });
    expect(await scene.milestones()).toEqual([made]);
    for (const more of [{ nodeIds }, { taskIds }]) {
      for (const [method, below] of [
        ["POST", "/milestones"],
        ["PATCH", `/milestones/${made.id}`],
      ] as const) {
        const response = await scene.send(method, below, { ...body, ...more });
        expect(response.status).toBe(400);
        const [path] = Object.keys(more);
        expect(response.body.errors?.[0]).toMatchObject({ path: `/${path}`, code: "too_many", expected: 200 });
      }
    }
  });

  it("of another estimation does not exist here, nor do its tasks and nodes", async () => {
    const [mine, other] = [await setScene(app), await setScene(app)];
    const { id } = await other.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
    for (const unknown of [id, UNKNOWN, "x"]) {
      expect((await mine.send("PATCH", `/milestones/${unknown}`, { title: "Mine" })).status).toBe(404);
      expect((await mine.send("DELETE", `/milestones/${unknown}`)).status).toBe(404);
    }
    const foreign = { title: "A", dueDate: "2027-02-01", taskIds: [other.tasks[0]?.id] };
    expect((await mine.send("POST", "/milestones", foreign)).status).toBe(400);
    expect(await other.milestones()).toHaveLength(1);
  });

  it(`is one of at most ${limits.milestones}`, async () => {
    const scene = await setScene(app);
    for (let made = 0; made < limits.milestones; made += 1) {
      await scene.addMilestone({ title: `Number ${made}`, dueDate: "2027-03-01" });
    }
    const { status, body } = await scene.send("POST", "/milestones", { title: "More", dueDate: "2027-03-01" });
    expect([status, body.message, body.details]).toEqual([
      ...[409, "limit_reached"],
      { quota: "milestones", limit: limits.milestones },
    ]);
  });
});

describe("versions", () => {
  it("keep timeline and milestones; the difference shows them, and restoring brings them back", async () => {
    const scene = await setScene(app);
    const [server, pages] = scene.tasks.map(({ id }) => id);
    const none = (await scene.expect("POST", "/versions", { label: "None" })).version;
    await scene.setTimeline({ startDate: "2027-01-04", dependencies: [{ from: server, to: pages }] });
    const beta = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01", taskIds: [server] });
    const first = (await scene.expect("POST", "/versions", { label: "First" })).version;
    const { version } = await scene.expect("GET", `/versions/${first?.id}`);
    expect(version?.content).toMatchObject({
      timeline: { startDate: "2027-01-04", dependencies: [{ from: server, to: pages }] },
      milestones: [{ id: beta.id, title: "Beta", dueDate: "2027-03-01", nodeIds: [], taskIds: [server] }],
    });
    await scene.setTimeline({ hoursPerDay: 6 });
    await scene.expect("PATCH", `/milestones/${beta.id}`, { dueDate: "2027-04-01" });
    const launch = await scene.addMilestone({ title: "Launch", dueDate: "2027-05-01" });
    const { diff } = await scene.expect("GET", `/versions/${first?.id}/diff`);
    expect(diff?.operations).toMatchObject([
      { op: "changed", target: "setting", id: null, field: "timeline.hoursPerDay", before: 8, after: 6 },
      { op: "changed", target: "milestone", id: beta.id, field: "dueDate", after: "2027-04-01", hoursDelta: 0 },
      { op: "added", target: "milestone", id: launch.id, after: { afterId: beta.id, record: { title: "Launch" } } },
    ]);
    await scene.expect("POST", `/versions/${first?.id}/restore`);
    expect(await scene.timeline()).toMatchObject({ hoursPerDay: 8 });
    expect(await scene.milestones()).toMatchObject([{ id: beta.id, dueDate: "2027-03-01" }]);
    // What was in no version before is in one now.
    const { versions } = await scene.expect("GET", "/versions");
    const kept = await scene.expect("GET", `/versions/${versions?.[1]?.id}`);
    expect(kept.version?.content).toMatchObject({ timeline: { hoursPerDay: 6 }, milestones: [{}, { id: launch.id }] });
    await scene.expect("POST", `/versions/${none?.id}/restore`);
    expect(await scene.timeline()).toMatchObject({ startDate: null, dependencies: [] });
    expect(await scene.milestones()).toEqual([]);
    expect(JSON.stringify(await scene.expect("GET", "/versions"))).toContain(String(none?.contentHash));
  });
});

describe("a copy of an estimation", () => {
  it("has the timeline and milestones, whose links refer to its own nodes and tasks", async () => {
    const scene = await setScene(app);
    const [server, pages, search] = scene.tasks.map(({ id }) => id);
    await scene.setTimeline({
      startDate: "2027-01-04",
      dependencies: [
        { from: server, to: pages },
        { from: pages, to: search, type: "start_to_start", lagHours: 1 },
      ],
    });
    const node = (await scene.expect("GET", "/tree")).tree?.nodes?.[0]?.id;
    await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01", nodeIds: [node], taskIds: [server] });
    const { estimation } = await scene.expect("POST", "/duplicate");
    const path = `/api/estimations/${estimation?.id}`;
    const read = async (below: string, method = "GET") =>
      (await app.request(method, path + below, { token: scene.user.token })).data;
    expect((await read("/timeline")).timeline).toMatchObject({ startDate: "2027-01-04", items: [] });
    await read("/tasks/generate", "POST");
    const ids = (await read("/tasks")).tasks as unknown as { readonly id: string; readonly hours: number | null }[];
    const copies = ids.filter(({ hours }) => hours !== null).map(({ id }) => id);
    expect(copies).toHaveLength(3);
    const { dependencies } = (await read("/timeline")).timeline as unknown as Awaited<ReturnType<Scene["timeline"]>>;
    expect(dependencies.toSorted((a, b) => a.lagHours - b.lagHours)).toEqual([
      { from: copies[0], to: copies[1], type: "finish_to_start", lagHours: 0 },
      { from: copies[1], to: copies[2], type: "start_to_start", lagHours: 1 },
    ]);
    const [milestone] = (await read("/milestones")).milestones as unknown as Awaited<ReturnType<Scene["milestones"]>>;
    const nodeOfCopy = (await read("/tree")).tree?.nodes?.[0]?.id;
    expect(milestone).toMatchObject({ title: "Beta", nodeIds: [nodeOfCopy], taskIds: [copies[0]], dormantIds: [] });
    const [original] = await scene.milestones();
    expect(milestone?.id).not.toBe(original?.id);
    const dates = ({ drivers: _, ...rest }: NonNullable<typeof original>["forecast"] & object) => rest;
    expect(milestone?.forecast && dates(milestone.forecast)).toEqual(original?.forecast && dates(original.forecast));
  });
});
