import { expect, test } from "vitest";
import type { StoredTask } from "../../../domain/tasks/shape.ts";
import { start } from "../../../tests/harness.ts";
import { effortOf } from "../../../tests/support/effort.ts";

import { loadTasks, saveTasks } from "./store.ts";

const app = await start();

test("thousands of tasks are written in statements of 500 at most", async () => {
  const { token } = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const estimationId = String(data.estimation?.id);
  const { ids, pool } = app.services;
  const all = Array.from({ length: 1_001 }, (_, position): StoredTask => {
    const base = { title: `Task ${position}`, description: "", hours: 1, role: null };
    return {
      ...base,
      ...{ id: ids.next("task"), optionId: null, parentTaskId: null, position, status: "open" },
      ...{ actualHours: null, doneAt: null, droppedAt: null, points: null, externalRef: null, base },
    };
  });
  const { statements } = await effortOf(app.connection.database, () => saveTasks(pool, estimationId, all));
  expect(statements.filter((statement) => statement.includes('insert into "tasks"'))).toHaveLength(3);
  expect(await loadTasks(pool, estimationId)).toEqual(all);
});
