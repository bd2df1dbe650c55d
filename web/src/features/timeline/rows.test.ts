import { describe, expect, it } from "vitest";
import { arrowPath, linksOf, rowsOf, type ShownTask, sidesOf } from "./rows.ts";

const task = (id: string, parentTaskId: string | null, more: Partial<ShownTask> = {}): ShownTask => ({
  ...{ id, parentTaskId, title: id, role: null, hours: 1, doneAt: null, droppedAt: null },
  ...more,
});
const item = (taskId: string, start: string, end: string, critical = false) => ({
  ...{ taskId, start, end, critical, slackHours: 2 },
});
const rows = rowsOf(
  [task("a", null, { hours: null }), task("b", "a"), task("c", "a"), task("d", null, { hours: null })],
  [item("b", "2027-01-04", "2027-01-05", true), item("c", "2027-01-05", "2027-01-08")],
);

describe("lines", () => {
  it("have the depth of their tasks, and a group lasts from the first to the last of those below", () => {
    expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 1, 0]);
    expect(rows[0]).toMatchObject({ isGroup: true, start: "2027-01-04", end: "2027-01-08", isCritical: false });
    expect(rows[1]).toMatchObject({ isGroup: false, isCritical: true, slackHours: 2 });
    expect(rows[3]).toMatchObject({ isGroup: false, start: null });
  });

  it("are linked where both tasks are scheduled", () => {
    const link = (from: string, to: string) => ({ from, to, type: "finish_to_start" as const, lagHours: 0 });
    const links = linksOf(rows, [link("b", "c"), link("b", "d"), link("gone", "c")]);
    expect(links.map(({ from, to, isCritical }) => [from.id, to.id, isCritical])).toEqual([["b", "c", false]]);
  });
});

describe("an arrow", () => {
  it("goes straight down before a later bar, and back around to an earlier one", () => {
    expect(arrowPath([10, 16], [40, 48], sidesOf("finish_to_start"))).toBe("M10 16H33V48H40");
    expect(arrowPath([40, 16], [10, 80], sidesOf("finish_to_start"))).toBe("M40 16H47V28H3V80H10");
    expect(arrowPath([40, 80], [60, 16], sidesOf("finish_to_finish"))).toBe("M40 80H47V68H67V16H60");
  });
});
