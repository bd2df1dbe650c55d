import { describe, expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";
import { option, setScene } from "./testing/scene.ts";

const HOUR_MS = 3_600_000;
/** A Monday. */
const NOW = "2027-03-01T09:10:00Z";
const app = await start({ at: NOW });
/** Another process; each keeps the time for itself. */
const other = await start({ at: "2027-03-01T09:59:00Z" });
const instantOf = (date: string | null | undefined) => Date.parse(date ?? "");

const late = [
  {
    title: "Scope",
    kind: "group" as const,
    options: [option("Server", 40, "backend"), option("Pages", 40, "frontend")],
  },
];

/** A project that began four weeks ago: one role is done, the other has 40 hours to do. */
async function setLateScene(dueDate: string) {
  const scene = await setScene(app, undefined, late);
  const [server, pages] = scene.tasks.map(({ id }) => id);
  await scene.setTimeline({ startDate: "2027-02-01", focusFactor: 1 });
  await scene.expect("PUT", `/tasks/${server}`, { doneAt: "2027-02-10T12:00:00Z", actualHours: 44 });
  await scene.expect("PUT", `/tasks/${pages}`, { hours: 40 });
  return { ...scene, server, pages, milestone: await scene.addMilestone({ title: "Beta", dueDate }) };
}

describe("a milestone of a project under way", () => {
  it("that is due tomorrow and lacks 40 hours is not kept: open work starts now", async () => {
    const scene = await setLateScene("2027-03-02");
    const { forecast } = scene.milestone;
    expect(forecast).toMatchObject({ asOf: "2027-03-01T09:00:00.000Z", probability: 0 });
    expect(forecast?.planned).toBe("2027-03-05T17:00:00.000Z");
    for (const date of [forecast?.p50, forecast?.p80, forecast?.p95]) {
      expect(instantOf(date)).toBeGreaterThan(Date.parse("2027-03-02T17:00:00Z"));
    }
    const { asOf, items } = await scene.timeline();
    expect(asOf).toBe("2027-03-01T09:00:00.000Z");
    expect(items).toMatchObject([
      { taskId: scene.server, end: "2027-02-10T12:00:00.000Z" },
      { taskId: scene.pages, start: "2027-03-01T09:00:00.000Z", end: "2027-03-05T17:00:00.000Z" },
    ]);
    expect(await scene.milestones()).toEqual([scene.milestone]);
    const { proposal } = await scene.expect("POST", `/milestones/${scene.milestone.id}/what-would-it-take`);
    expect(proposal).toMatchObject({ now: { probability: 0 }, people: null });
  });

  it("that was due yesterday is lost while anything is open, even what takes no time", async () => {
    const scene = await setLateScene("2027-02-28");
    expect(scene.milestone.forecast?.probability).toBe(0);
    await scene.expect("PUT", `/tasks/${scene.pages}`, { hours: 0 });
    expect((await scene.milestones())[0]?.forecast).toMatchObject({
      ...{ probability: 0, p95: "2027-03-01T09:00:00.000Z" },
    });
    await scene.expect("PUT", `/tasks/${scene.pages}`, { doneAt: "2027-02-26T12:00:00Z" });
    expect((await scene.milestones())[0]?.forecast).toMatchObject({ probability: 1, p95: "2027-02-26T12:00:00.000Z" });
  });

  it("whose start date lies further back than a schedule may take still has a forecast", async () => {
    const scene = await setLateScene("2027-03-31");
    expect(await scene.setTimeline({ startDate: "1970-01-01" })).toMatchObject({ problem: null });
    const [milestone] = await scene.milestones();
    expect(milestone?.forecast).toMatchObject({ probability: 1, planned: "2027-03-05T17:00:00.000Z" });
  });
});

describe("the time of a forecast", () => {
  it("is the hour: within it responses stay the same, also those of another process, and a new one moves them", async () => {
    const scene = await setLateScene("2027-03-31");
    const read = async () => [await scene.timeline(), await scene.milestones()] as const;
    const before = await read();
    await app.clock.advance(49 * 60_000);
    expect(await read()).toEqual(before);
    await app.clock.advance(60_000);
    const [timeline, [milestone]] = await read();
    expect([timeline.asOf, milestone?.forecast?.asOf]).toEqual(Array(2).fill("2027-03-01T10:00:00.000Z"));
    expect(timeline.items[1]?.start).toBe("2027-03-01T10:00:00.000Z");
    expect(instantOf(milestone?.forecast?.p80) - instantOf(before[1][0]?.forecast?.p80)).toBe(HOUR_MS);
    expect(timeline.items[0]).toEqual(before[0].items[0]);

    const copy = await setScene(other, undefined, late);
    await copy.setTimeline({ startDate: "2027-02-01", focusFactor: 1 });
    await copy.expect("PUT", `/tasks/${copy.tasks[0]?.id}`, { doneAt: "2027-02-10T12:00:00Z", actualHours: 44 });
    await copy.expect("PUT", `/tasks/${copy.tasks[1]?.id}`, { hours: 40 });
    const { drivers: _, ...theirs } =
      (await copy.addMilestone({ title: "Beta", dueDate: "2027-03-31" })).forecast ?? {};
    const { drivers: __, ...ours } = before[1][0]?.forecast ?? {};
    expect(theirs).toEqual(ours);
  });

  it("of a version is the hour in which it was made, and stays it", async () => {
    await app.clock.advance(HOUR_MS / 2);
    const scene = await setLateScene("2027-03-31");
    const now = app.clock.now().getTime();
    const { version } = await scene.expect("POST", "/versions", { label: "Begun" });
    const asOf = new Date(Math.floor(now / HOUR_MS) * HOUR_MS).toISOString();
    expect(version).toMatchObject({ asOf, createdAt: new Date(now).toISOString() });
    await app.clock.advance(31 * 60_000);
    // The same content is the same version, of the time when it was first made.
    expect((await scene.expect("POST", "/versions")).version).toMatchObject({ id: version?.id, asOf });
    expect((await scene.expect("GET", `/versions/${version?.id}`)).version).toMatchObject({ asOf });
    expect((await scene.expect("GET", "/versions")).versions?.[0]).toMatchObject({ id: version?.id, asOf });
  });
});
