/** Finds what it would take to reach a milestone of estimations with 100, 500, 1,000 and 10,000 tasks, and says how long that takes. */
import { limits } from "../contract/limits.ts";
import type { NodeInput } from "../contract/values/tree-input.ts";
import { deriveTasks } from "../domain/tasks/derive.ts";
import { contentOf } from "../domain/tasks/shape.ts";
import { propose } from "../domain/timeline/proposal/propose.ts";
import { schedulingText } from "../domain/timeline/scheduling.ts";
import { defaultSettings } from "../domain/timeline/settings.ts";
import { plant } from "../domain/tree/testing/trees.ts";
import { timed } from "./timing.ts";

/** The longest that a proposal may take, in milliseconds. */
const MOST_MS = 2_000;
const PER_NODE = 100;
const roles = ["backend", "frontend", "design", "operations"];

const optionsOf = (node: number): NodeInput["options"] =>
  Array.from({ length: PER_NODE }, (_, at) => {
    const likely = 4 + ((node + at) % 17);
    const hours = { optimistic: likely - 2, likely, pessimistic: likely * 2 };
    return { title: `Option ${at}`, selected: true, role: roles[at % roles.length] ?? null, hours };
  });

for (const tasks of [100, 500, 1_000, limits.treeOptions]) {
  const nodes = Array.from({ length: tasks / PER_NODE }, (_, node) => ({
    ...{ title: `Question ${node}`, kind: "multi" as const, options: optionsOf(node) },
  }));
  const tree = plant(nodes);
  const stored = deriveTasks(tree).map(({ rounded: _, ...task }) => ({
    ...task,
    ...{
      status: "open" as const,
      actualHours: null,
      doneAt: null,
      droppedAt: null,
      externalRef: null,
      base: contentOf(task),
    },
  }));
  const dependencies = stored.slice(0, limits.dependencies - 7).flatMap(({ id }, at) => {
    const before = stored[at - 7]?.id;
    return at % 3 === 0 || before === undefined
      ? []
      : { from: before, to: id, type: "finish_to_start" as const, lagHours: 0 };
  });
  const settings = { ...defaultSettings, startDate: "2027-01-04", dependencies };
  const milestone = { id: "mst_1", title: "Beta", dueDate: "2027-06-30", nodeIds: [], taskIds: [] };
  const scheduling = {
    asOf: "2027-01-04T00:00:00.000Z",
    settings,
    milestones: [milestone],
    tasks: stored,
    tree: JSON.stringify(tree),
  };
  const text = schedulingText(scheduling, { correlation: 0.2, rounding: 0.01 });
  let made = propose({ text, milestoneId: "mst_1" }, () => [1, 2, 3, 4]);
  const ms = timed(() => {
    made = propose({ text, milestoneId: "mst_1" }, () => [1, 2, 3, 4]);
  });
  const { forecasts, runs, people, scope } = made;
  const found = `people: ${people?.isReached ?? "none"}, scope: ${scope?.isReached ?? "none"}`;
  console.log(`${tasks} tasks: ${ms.toFixed(0)} ms, ${forecasts} forecasts of ${runs} runs, ${found}`);
  if (ms > MOST_MS) process.exitCode = 1;
}
