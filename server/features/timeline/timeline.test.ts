import { beforeAll, describe, expect, it } from "vitest";
import { dependencyTypes } from "../../../contract/values/dependency-types.ts";
import { start } from "../../../tests/harness.ts";
import { option, type Scene, setScene } from "./testing/scene.ts";

const app = await start({ at: "2026-12-01T09:30:00Z" });

const link = (from: string | undefined, to: string | undefined, more = {}) => ({ from, to, ...more });
const FINISH_TO_START = { type: "finish_to_start", lagHours: 0 };

describe("a timeline", () => {
  it("has default settings and no schedule until it has a start date", async () => {
    const scene = await setScene(app);
    expect(await scene.timeline()).toEqual({
      startDate: null,
      timeZone: "UTC",
      hoursPerDay: 8,
      weeklyPattern: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 0, sunday: 0 },
      holidays: [],
      holidayPlace: null,
      people: [],
      focusFactor: 0.8,
      dependencies: [],
      asOf: "2026-12-01T09:00:00.000Z",
      items: [],
      assumed: [],
      unused: [],
      problem: "no_start_date",
    });
  });

  it("schedules the tasks, changes only what is given, and can be sent back as it was read", async () => {
    const scene = await setScene(app);
    const [server, pages, search] = scene.tasks.map(({ id }) => id);
    await scene.setTimeline({ startDate: "2027-01-08", timeZone: "europe/berlin", focusFactor: 1 });
    const { items, ...timeline } = await scene.setTimeline({
      people: [
        { role: "frontend", count: 1 },
        { role: "architect", count: 2 },
      ],
      dependencies: [link(server, pages)],
      weeklyPattern: { friday: 0.5, monday: 1, tuesday: 1 },
      holidays: ["2027-01-12", "2027-01-11"],
    });
    expect(timeline).toMatchObject({
      timeZone: "Europe/Berlin",
      weeklyPattern: { monday: 1, tuesday: 1, wednesday: 0, thursday: 0, friday: 0.5, saturday: 0, sunday: 0 },
      holidays: ["2027-01-11", "2027-01-12"],
      people: [
        { role: "architect", count: 2 },
        { role: "frontend", count: 1 },
      ],
      dependencies: [{ from: server, to: pages, ...FINISH_TO_START }],
      assumed: [{ role: "backend", people: 1 }],
      problem: null,
    });
    // 13 hours from Friday the 8th: 4 hours; 4 on the 15th; 5 on Monday the 18th. Then 6.5 hours of the same person.
    expect(items).toEqual([
      {
        ...{ taskId: server, start: "2027-01-08T08:00:00.000Z", end: "2027-01-18T13:00:00.000Z" },
        ...{ critical: true, slackHours: 0 },
      },
      {
        ...{ taskId: pages, start: "2027-01-18T13:00:00.000Z", end: "2027-01-22T10:00:00.000Z" },
        ...{ critical: true, slackHours: 0 },
      },
      {
        ...{ taskId: search, start: "2027-01-18T13:00:00.000Z", end: "2027-01-19T11:30:00.000Z" },
        ...{ critical: false, slackHours: 19.5 },
      },
    ]);
    const read = await scene.timeline();
    expect(read).toEqual({ items, ...timeline });
    const before = await scene.expect("GET", "");
    expect(await scene.setTimeline(read)).toEqual(read);
    expect(await scene.expect("GET", "")).toEqual(before);
    await scene.setTimeline({ startDate: null });
    expect(await scene.timeline()).toMatchObject({ startDate: null, items: [], problem: "no_start_date" });
    expect((await scene.expect("GET", "")).estimation?.revision).toBe(Number(before.estimation?.revision) + 1);
  });

  it("leaves out obsolete tasks, and uses the actual end of done ones: the next task begins when they were done", async () => {
    const scene = await setScene(app);
    const [server, pages, search] = scene.tasks.map(({ id }) => id);
    await scene.setTimeline({
      startDate: "2026-11-30",
      focusFactor: 1,
      dependencies: [link(server, pages, { lagHours: 2 }), link(pages, search)],
    });
    await scene.expect("PUT", `/tasks/${server}`, { doneAt: "2026-12-01T10:20:00+01:00", actualHours: 4 });
    expect((await scene.timeline()).items).toMatchObject([
      { taskId: server, start: "2026-11-30T13:20:00.000Z", end: "2026-12-01T09:20:00.000Z", critical: false },
      { taskId: pages, start: "2026-12-01T11:20:00.000Z" },
      { taskId: search },
    ]);
    await scene.expect("PUT", `/tasks/${pages}`, { title: "Mine" });
    await scene.expect("PUT", "/tree", { nodes: [] });
    await scene.expect("POST", "/tasks/generate");
    expect(await scene.timeline()).toMatchObject({ items: [], dependencies: [{}, {}], assumed: [] });
  });

  it("reports that the schedule has become longer than 50 years, and still returns the rest", async () => {
    const scene = await setScene(app);
    await scene.setTimeline({ startDate: "2027-01-04" });
    const [server] = scene.tasks;
    await scene.expect("PUT", `/tasks/${server?.id}`, { hours: 10_000_000_000_000 });
    expect(await scene.timeline()).toMatchObject({ items: [], problem: "too_long" });
    const milestone = await scene.addMilestone({ title: "Beta", dueDate: "2027-02-01" });
    expect(milestone.forecast).toBeNull();
  });

  it("that has become too long can be improved, even if it is still too long afterwards", async () => {
    const scene = await setScene(app);
    const [server] = scene.tasks;
    await scene.setTimeline({ startDate: "2027-01-04" });
    for (const hours of [10_000_000_000_000, 60_000]) {
      await scene.expect("PUT", `/tasks/${server?.id}`, { hours });
      await scene.setTimeline({ hoursPerDay: 4 });
      expect(await scene.timeline()).toMatchObject({ problem: "too_long" });
      expect(await scene.setTimeline({ hoursPerDay: 5 })).toMatchObject({ hoursPerDay: 5, problem: "too_long" });
    }
    expect(await scene.setTimeline({ hoursPerDay: 24 })).toMatchObject({ problem: null });
    const { status, body } = await scene.send("PUT", "/timeline", { hoursPerDay: 4 });
    expect([status, body.errors?.[0]?.code]).toEqual([400, "too_large"]);
  });

  it("can be changed in any state", async () => {
    const scene = await setScene(app);
    await scene.expect("POST", "/submit");
    expect(await scene.setTimeline({ hoursPerDay: 6 })).toMatchObject({ hoursPerDay: 6 });
    await scene.addMilestone({ title: "Beta", dueDate: "2027-02-01" });
    expect(await scene.milestones()).toHaveLength(1);
  });

  it("is not changed by a stale revision", async () => {
    const scene = await setScene(app);
    const headers = { "if-match": '"1"' };
    const { token } = scene.user;
    const response = await app.request("PUT", `${scene.path}/timeline`, { token, headers, body: { hoursPerDay: 6 } });
    expect(response.status).toBe(412);
  });
});

describe("bad input", () => {
  let scene: Scene;
  let [server, pages, search, parent] = ["", "", "", ""];
  beforeAll(async () => {
    scene = await setScene(app);
    [server = "", pages = "", search = ""] = scene.tasks.map(({ id }) => id);
    parent = scene.tasks[0]?.parentTaskId ?? "";
    await scene.setTimeline({ startDate: "2027-01-04", dependencies: [link(server, pages)] });
  });
  const many = (count: number) =>
    Array.from({ length: count }, (_, day) => new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10));
  const noWeek = { monday: 0, sunday: 0 };

  it.each([
    ["a day that does not exist", () => ({ startDate: "2027-02-29" }), "/startDate", "wrong_format"],
    ["no date", () => ({ startDate: "tomorrow" }), "/startDate", "wrong_format"],
    ["a date that is too late", () => ({ startDate: "2200-01-01" }), "/startDate", "wrong_format"],
    ["an unknown zone", () => ({ timeZone: "Europe/Atlantis" }), "/timeZone", "unknown_reference"],
    ["an offset as a zone", () => ({ timeZone: "+02:00" }), "/timeZone", "unknown_reference"],
    ["no working day", () => ({ weeklyPattern: noWeek }), "/weeklyPattern", "not_allowed"],
    ["1,001 holidays", () => ({ holidays: many(1_001) }), "/holidays", "too_many"],
    ["a holiday that does not exist", () => ({ holidays: ["2027-04-31"] }), "/holidays/0", "wrong_format"],
    ["no hours a day", () => ({ hoursPerDay: 0 }), "/hoursPerDay", "too_small"],
    ["25 hours a day", () => ({ hoursPerDay: 25 }), "/hoursPerDay", "too_large"],
    [
      "a role twice",
      () => ({
        people: [
          { role: "a", count: 1 },
          { role: "a", count: 2 },
        ],
      }),
      "/people/1/role",
      "repeated",
    ],
    ["no people of a role", () => ({ people: [{ role: "a", count: 0 }] }), "/people/0/count", "too_small"],
    ["101 people of a role", () => ({ people: [{ role: "a", count: 101 }] }), "/people/0/count", "too_large"],
    ["a focus factor of 0", () => ({ focusFactor: 0 }), "/focusFactor", "too_small"],
    ["a link to itself", () => ({ dependencies: [link(server, server)] }), "/dependencies/0/to", "self_reference"],
    [
      "a link twice",
      () => ({ dependencies: [link(server, pages), link(server, pages)] }),
      "/dependencies/1",
      "repeated",
    ],
    ["a link of a group", () => ({ dependencies: [link(parent, pages)] }), "/dependencies/0/from", "not_allowed"],
    ["an unknown task", () => ({ dependencies: [link(server, "tsk_0")] }), "/dependencies/0/to", "unknown_reference"],
    [
      "too much lag",
      () => ({ dependencies: [link(server, pages, { lagHours: 1e13 })] }),
      "/dependencies/0/lagHours",
      "too_large",
    ],
    [
      "a schedule of more than 50 years",
      () => ({ hoursPerDay: 0.25, weeklyPattern: { monday: 0.01 }, focusFactor: 0.05 }),
      "",
      "too_large",
    ],
    [
      "links in a circle",
      () => ({ dependencies: [link(server, pages), link(pages, search), link(search, server)] }),
      "/dependencies/0",
      "cycle",
    ],
  ])("%s is refused at once and changes nothing", async (_, body, path, code) => {
    const { status, body: response } = await scene.send("PUT", "/timeline", body());
    expect([status, response.message]).toEqual([400, "validation_failed"]);
    expect(response.errors?.[0]).toMatchObject({ path, code, in: "body" });
  });

  it("that links to a task of another estimation is refused and changes nothing", async () => {
    const [other] = (await setScene(app, scene.user)).tasks;
    for (const [side, foreign] of [
      ["to", link(server, other?.id)],
      ["from", link(other?.id, server)],
    ] as const) {
      const { status, body } = await scene.send("PUT", "/timeline", { dependencies: [foreign] });
      expect(status).toBe(400);
      expect(body.errors?.[0]).toMatchObject({ path: `/dependencies/0/${side}`, code: "unknown_reference" });
    }
  });

  it("with 5,000 links is stored; one more is refused and changes nothing", async () => {
    const options = Array.from({ length: 60 }, (_, n) => option(`Part ${n}`, 1, "backend"));
    const linked = await setScene(app, scene.user, [{ title: "Scope", kind: "group", options }]);
    const ids = linked.tasks.map(({ id }) => id);
    const links = ids
      .flatMap((from, at) => ids.slice(at + 1).flatMap((to) => dependencyTypes.map((type) => link(from, to, { type }))))
      .slice(0, 5_001);
    expect(links).toHaveLength(5_001);
    const dependencies = links.slice(1);
    const stored = await linked.setTimeline({ startDate: "2027-01-04", dependencies });
    expect(stored.items).toHaveLength(60);
    expect(stored.dependencies).toHaveLength(5_000);
    expect(stored.dependencies).toEqual(expect.arrayContaining([{ ...dependencies[0], lagHours: 0 }]));
    expect(await linked.timeline()).toEqual(stored);
    const { status, body } = await linked.send("PUT", "/timeline", { dependencies: links });
    expect(status).toBe(400);
    expect(body.errors?.[0]).toMatchObject({ path: "/dependencies", code: "too_many", expected: 5_000 });
  });

  it("with 10¹³ hours is refused when the timeline is set", async () => {
    const large = await setScene(app);
    await large.expect("PUT", `/tasks/${large.tasks[0]?.id}`, { hours: 10_000_000_000_000 });
    const { status, body } = await large.send("PUT", "/timeline", { startDate: "2027-01-04" });
    expect([status, body.errors?.[0]?.code]).toEqual([400, "too_large"]);
  });

  it("at the limits is accepted: 100 people of a role", async () => {
    const scene = await setScene(app);
    const people = [{ role: "backend", count: 100 }];
    expect(await scene.setTimeline({ startDate: "2027-01-04", people })).toMatchObject({ people, problem: null });
    expect(await scene.timeline()).toMatchObject({ people });
  });

  it("at the limits is accepted: 1,000 holidays and 50 years", async () => {
    const scene = await setScene(app);
    const { problem } = await scene.setTimeline({ startDate: "2199-12-31", holidays: many(1_000), hoursPerDay: 0.25 });
    expect(problem).toBeNull();
  });
});

describe("links of tasks that were removed", () => {
  it("have no effect but may stay, and take effect again when the task is back", async () => {
    const scene = await setScene(app);
    const [server, pages] = scene.tasks.map(({ id }) => id);
    const before = await scene.setTimeline({ startDate: "2027-01-04", dependencies: [link(server, pages)] });
    await scene.expect("DELETE", `/tasks/${server}`);
    const { items, dependencies } = await scene.timeline();
    expect(items.map(({ taskId }) => taskId)).not.toContain(server);
    expect(items[0]).toMatchObject({ taskId: pages, start: "2027-01-04T09:00:00.000Z" });
    expect(dependencies).toEqual([{ from: server, to: pages, ...FINISH_TO_START }]);
    expect(await scene.setTimeline({ dependencies })).toMatchObject({ dependencies });
    const added = await scene.send("PUT", "/timeline", { dependencies: [link(pages, server)] });
    expect(added.body.errors?.[0]).toMatchObject({ path: "/dependencies/0/to", code: "unknown_reference" });
    await scene.expect("POST", "/tasks/generate");
    expect(await scene.timeline()).toEqual(before);
  });
});

describe("when a task was done", () => {
  it("is stored in UTC, unchanged when tasks are generated, and never in the future", async () => {
    const scene = await setScene(app);
    const [server] = scene.tasks;
    const below = `/tasks/${server?.id}`;
    const { task } = await scene.expect("PUT", below, { doneAt: "2025-03-01T10:00:00+01:00" });
    expect(task?.doneAt).toBe("2025-03-01T09:00:00.000Z");
    const { tasks } = await scene.expect("POST", "/tasks/generate");
    expect(tasks?.[1]).toMatchObject({ id: server?.id, doneAt: "2025-03-01T09:00:00.000Z" });
    const doneAt = new Date(app.clock.now().getTime() + 1_000).toISOString();
    const { status, body } = await scene.send("PUT", below, { doneAt });
    expect([status, body.errors?.[0]?.path]).toEqual([400, "/doneAt"]);
    expect((await scene.expect("PUT", below, { doneAt: null })).task?.doneAt).toBeNull();
  });
});
