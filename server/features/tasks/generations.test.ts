import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start } from "../../../tests/harness.ts";
import { setScene } from "./testing/scene.ts";

const app = await start();

test(`an estimation has at most ${limits.obsoleteTasks} obsolete tasks; a generation that would exceed that is refused, and nothing is lost`, async () => {
  const nodes = (selected: boolean) => [
    { title: "Features?", kind: "multi" as const, options: [{ title: "Search", hours: 8, selected }] },
  ];
  const { user, path, estimationId, ...scene } = await setScene(app, nodes(true));
  const [task] = (await scene.generate()).tasks;
  await scene.update(task?.id ?? "", { actualHours: 3 });
  await app.pool.query(
    `insert into tasks (id, estimation_id, title, description, position, status, base_title, base_description)
     select 'tsk_' || lpad(n::text, 26, '0'), $1, 'Former', '', n, 'obsolete', 'Old', '' from generate_series(1, $2::int) n`,
    [estimationId, limits.obsoleteTasks],
  );
  await scene.replaceTree(nodes(false));
  const call = (below: string, method = "POST") => app.request(method, `${path}/tasks${below}`, { token: user.token });
  for (const below of ["/preview", "/generate"]) {
    const refused = await call(below);
    const details = { quota: "obsoleteTasks", limit: limits.obsoleteTasks };
    expect([refused.status, refused.body]).toMatchObject([409, { message: "limit_reached", details }]);
  }
  expect((await call(`/tsk_${"1".padStart(26, "0")}`, "DELETE")).status).toBe(200);
  expect((await call("/generate")).data.summary).toMatchObject({ obsolete: 1 });
});
