import { expect, test } from "vitest";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import { type Conflict, changesFor, keyOf, unseenOf } from "./decisions.ts";
import { depthsOf } from "./indents.ts";
import { changesIn, localDay, writtenOf } from "./task-fields.ts";

const task: Task = {
  id: "tsk_1",
  optionId: null,
  parentTaskId: null,
  title: "Cart",
  description: "",
  hours: 8,
  role: null,
  actualHours: null,
  doneAt: "2026-01-05T09:30:00.000Z",
  droppedAt: null,
  position: 0,
  status: "open",
  edited: false,
  externalRef: null,
};
const now = new Date("2026-02-03T10:00:00.000Z");

test("only what was changed in the form is sent", () => {
  const before = writtenOf(task);
  expect(changesIn(before, before, now)).toEqual({ changes: {}, unreadable: {} });
  const after = { ...before, title: "Basket", role: " ", hours: "", actualHours: "9,5" };
  expect(changesIn(before, after, now).changes).toEqual({ title: "Basket", role: null, hours: null, actualHours: 9.5 });
  expect(changesIn(before, { ...before, hours: "many" }, now)).toEqual({ changes: {}, unreadable: { hours: [] } });
  expect(changesIn(before, { ...before, actualHours: "1,250" }, now).changes).toEqual({ actualHours: 1250 });
  const pasted = changesIn(before, { ...before, actualHours: "1,250" }, now, new Set(["actualHours"]));
  expect(pasted).toEqual({ changes: {}, unreadable: { actualHours: ["1250", "1.25"] } });
});

test("a day becomes a time: now for today, noon for another day, null for none", () => {
  const before = writtenOf(task);
  const done = (doneAt: string) => changesIn(before, { ...before, doneAt }, now).changes.doneAt;
  expect(done(localDay(now))).toBe(now.toISOString());
  expect(done("2026-01-07")).toBe(new Date("2026-01-07T12:00").toISOString());
  expect(done("")).toBe(null);
});

test("parts are indented below their task, and stand at the left where it is not in the list", () => {
  const at = (id: string, parentTaskId: string | null) => ({ ...task, id, parentTaskId });
  const depths = depthsOf([at("a", null), at("b", "a"), at("c", "b"), at("d", "elsewhere")]);
  expect(Object.fromEntries(depths)).toEqual({ a: 0, b: 1, c: 2, d: 0 });
});

test("a choice holds for exactly the values that were shown, and the tree's are set by task", () => {
  const conflict = (taskId: string, field: Conflict["field"], theirs: Conflict["theirs"]): Conflict => ({
    taskId,
    field,
    yours: "mine",
    theirs,
  });
  const [title, hours, role] = [conflict("a", "title", "T"), conflict("a", "hours", 5), conflict("b", "role", null)];
  const choices = { [keyOf(title)]: "theirs", [keyOf(hours)]: "theirs", [keyOf(role)]: "yours" } as const;
  expect([...changesFor([title, hours, role], choices)]).toEqual([["a", { title: "T", hours: 5 }]]);
  const other = conflict("a", "title", "another");
  expect([...changesFor([other], choices)]).toEqual([]);
  expect(unseenOf([title, other], [title, hours])).toEqual([other]);
});
