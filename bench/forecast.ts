/**
 * Simulates 10,000 schedules of 500 tasks, and draws as many random values in plain loops that only add them up. Then makes a
 * plan of 10,000 tasks, which happens while the estimation is locked, and compares it with an edit of as large a tree.
 */
import { limits } from "../contract/limits.ts";
import { createDraws } from "../domain/timeline/draw.ts";
import { forecast, RUNS } from "../domain/timeline/forecast.ts";
import { makePlan, type PlanInput } from "../domain/timeline/plan.ts";
import type { Dependency } from "../domain/timeline/shape.ts";
import { checkStructure } from "../domain/tree/check/check-structure.ts";
import { summaryHours } from "../domain/tree/hours/roll-up.ts";
import { bigTree } from "./big-tree.ts";
import { type Result, report } from "./result.ts";
import { median, timed } from "./timing.ts";

/** The maximum time of the simulation, as a multiple of a plain loop that draws as many beta-PERT values. */
const MOST = 3;
/** The maximum time of a plan of 10,000 tasks, as a multiple of an edit of a tree with 10,000 options. */
const MOST_OF_EDIT = 3;
const ROUNDS = 9;
const TASKS = 500;
const roles = ["backend", "frontend", "design", "operations"];

const taskId = (number: number) => `tsk_${String(number).padStart(4, "0")}`;
const ids = Array.from({ length: TASKS }, (_, number) => taskId(number));
const dependencies: Dependency[] = ids.flatMap((id, number) => [
  ...(number % 3 === 0 || number < 7
    ? []
    : [{ from: taskId(number - 7), to: id, type: "finish_to_start" as const, lagHours: 0 }]),
  ...(number % 10 === 9 ? [{ from: taskId(number - 5), to: id, type: "start_to_start" as const, lagHours: 4 }] : []),
  ...(number % 25 === 24 ? [{ from: taskId(number - 3), to: id, type: "finish_to_finish" as const, lagHours: 1 }] : []),
]);
const goals = [
  { id: "mst_1", dueDate: "2027-06-30", taskIds: new Set(ids.slice(0, 150)) },
  { id: "mst_2", dueDate: "2027-12-31", taskIds: new Set(ids.slice(0, 350)) },
  { id: "mst_3", dueDate: "2028-06-30", taskIds: new Set(ids) },
];
const input: PlanInput = {
  settings: {
    startDate: "2027-01-04",
    asOf: 0,
    timeZone: "Europe/Berlin",
    hoursPerDay: 8,
    weeklyPattern: { monday: 1, tuesday: 1, wednesday: 1, thursday: 1, friday: 1, saturday: 0, sunday: 0 },
    holidays: [],
    people: roles.map((role, number) => ({ role, count: 2 + number })),
    focusFactor: 0.8,
  },
  tasks: ids.map((id, position) => ({
    ...{
      id,
      position,
      role: roles[position % roles.length] ?? null,
      hours: 4 + (position % 17),
      doneAt: null,
      actualHours: null,
    },
  })),
  dependencies,
  goals,
};
const ranges = input.tasks.map(({ id, hours }, number) => ({
  ...{
    taskId: id,
    optimistic: hours * 0.6,
    likely: hours * (0.8 + (number % 5) / 20),
    pessimistic: hours * (1.5 + (number % 7) / 10),
  },
}));
const drawing = { seed: [1, 2, 3, 4], correlation: 0.2 };

/** Draws and adds up the values one by one: a normal number by Box and Muller, and its hours from a table. */
function plainLoop(): number {
  const tables = ranges.map(({ optimistic, pessimistic }) =>
    Array.from({ length: 1_001 }, (_, step) => optimistic + ((pessimistic - optimistic) * step) / 1_000),
  );
  const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
  const [common, own] = [Math.sqrt(drawing.correlation), Math.sqrt(1 - drawing.correlation)];
  let sum = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const shared = common * normal();
    for (const table of tables) {
      const place = Math.min(Math.max((shared + own * normal() + 6) / 12, 0), 0.999) * 1_000;
      const step = Math.floor(place);
      const from = table[step] as number;
      sum += from + (place - step) * ((table[step + 1] as number) - from);
    }
  }
  return sum;
}

/** Draws and adds up the very values of the simulation. */
function ownDraws(): number {
  const draw = createDraws(
    ranges.map(({ optimistic, likely, pessimistic }) => ({
      ...{ least: optimistic * 3_600, most: pessimistic * 3_600 },
      mode: (likely - optimistic) / (pessimistic - optimistic),
    })),
    Int32Array.from(ranges.keys()),
    drawing,
  );
  const values = new Float64Array(TASKS);
  let sum = 0;
  for (let run = 0; run < RUNS; run += 1) {
    draw(run, values);
    for (let at = 0; at < TASKS; at += 1) sum += values[at] as number;
  }
  return sum;
}

function uniformLoop(): number {
  let sum = 0;
  for (let draw = 0; draw < RUNS * TASKS; draw += 1) sum += Math.random();
  return sum;
}

const times = { simulation: [] as number[], plain: [] as number[], own: [] as number[], uniform: [] as number[] };
for (let round = -3; round < ROUNDS; round += 1) {
  const taken = {
    plain: timed(plainLoop),
    own: timed(ownDraws),
    uniform: timed(uniformLoop),
    simulation: timed(() => forecast(makePlan(input), goals, { ...drawing, ranges })),
  };
  // The first rounds are warm-up for the compiler.
  if (round < 0) continue;
  for (const name of ["plain", "own", "uniform", "simulation"] as const) times[name].push(taken[name]);
}
const ms = median(times.simulation);
const shown = (name: keyof typeof times) =>
  `${median(times[name]).toFixed(0)} ms, ratio ${(ms / median(times[name])).toFixed(2)}`;
console.log(
  `${TASKS} tasks × ${RUNS} runs, ${dependencies.length} links, ${goals.length} milestones: ${ms.toFixed(0)} ms`,
);
const compared = (reference: string, name: "plain" | "own", target: Result["target"]) =>
  report({
    name: `forecast, ${TASKS} tasks × ${RUNS} runs`,
    reference,
    unit: "ms",
    ours: ms,
    theirs: median(times[name]),
    ratio: ms / median(times[name]),
    target,
  });
compared("as many beta-PERT values in a plain loop", "plain", { most: MOST });
compared("its own draws, only added up", "own", null);
console.log(`as many calls of Math.random: ${shown("uniform")}`);

/** A plan at the limits: half of the tasks wait for the others, after lags that leave gaps. */
const largeGoals = Array.from({ length: limits.milestones }, (_, goal) => ({
  ...{ id: `mst_${goal}`, dueDate: "2027-06-30" },
  taskIds: new Set(Array.from({ length: limits.milestoneNames * (goal + 1) }, (__, number) => taskId(number))),
}));
const large: PlanInput = {
  settings: { ...input.settings, hoursPerDay: 24, people: [{ role: "backend", count: limits.peoplePerRole }] },
  tasks: Array.from({ length: limits.treeOptions }, (_, position) => ({
    ...{
      id: taskId(position),
      position,
      role: "backend",
      hours: 0.5 + (position % 7),
      doneAt: null,
      actualHours: null,
    },
  })),
  dependencies: Array.from({ length: limits.dependencies }, (_, number) => ({
    ...{ from: taskId(number), to: taskId(limits.dependencies + number) },
    ...{ type: "finish_to_start" as const, lagHours: (number * 37) % 3_000 },
  })),
  goals: largeGoals,
};
const tree = bigTree();
const edit = () => [checkStructure(tree.nodes), summaryHours(tree, drawing), JSON.stringify(tree)];
const once = { plan: [] as number[], edit: [] as number[] };
for (let round = -3; round < ROUNDS; round += 1) {
  const taken = { plan: timed(() => makePlan(large)), edit: timed(edit) };
  if (round < 0) continue;
  once.plan.push(taken.plan);
  once.edit.push(taken.edit);
}
const ofEdit = median(once.plan) / median(once.edit);
let runs = 0;
const largeMs = timed(() => {
  const found = forecast(makePlan(large), largeGoals, { ...drawing, ranges: [] });
  runs = found.get("mst_0")?.runs ?? 0;
});
console.log(
  `${limits.treeOptions} tasks, ${limits.dependencies} links: a plan ${median(once.plan).toFixed(0)} ms, ratio to the rules, hours and text of a tree with as many options ${ofEdit.toFixed(2)}; target: at most ${MOST_OF_EDIT}`,
);
console.log(`the forecast of ${limits.milestones} milestones of them, with ${runs} runs: ${largeMs.toFixed(0)} ms`);
if (ofEdit > MOST_OF_EDIT) process.exitCode = 1;
