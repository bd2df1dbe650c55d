import { describe, expect, it, test } from "vitest";
import { estimationStatuses, moves } from "../contract/values/statuses.ts";
import { isLocked, lockedFields, movesFrom, stateAfter } from "./states.ts";

describe("a move", () => {
  it.each(estimationStatuses)("from %s has the result in the table; any other is not allowed", (status) => {
    const table = {
      draft: { submit: "submitted" },
      submitted: { "mark-tasks-generated": "tasks_generated", reopen: "draft" },
      tasks_generated: { "mark-exported": "exported", reopen: "draft" },
      exported: { reopen: "draft" },
    }[status];
    const found = moves.map((move) => [move, stateAfter(status, move)] as const).filter(([, to]) => to !== null);
    expect(Object.fromEntries(found)).toEqual(table);
    expect(movesFrom(status)).toEqual(Object.keys(table));
  });
});

test("every state but draft is locked, with every field but the tags", () => {
  expect(estimationStatuses.filter((status) => !isLocked(status))).toEqual(["draft"]);
  expect(lockedFields({ title: "x", tags: [], correlation: 0, rounding: 1 })).toEqual([
    "title",
    "correlation",
    "rounding",
  ]);
  expect(lockedFields({ tags: ["web"] })).toEqual([]);
});
