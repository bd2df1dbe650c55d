import { expect, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { calibrationOf, calibrationOfAll, type Judged } from "./calibration.ts";

const points = { optimistic: 4, likely: 8, pessimistic: 24 };
const judged = (task: number, user: number, actualHours: number): Judged => ({
  ...{ taskId: `t${task}`, userId: `u${user}`, points, actualHours, doneAt: new Date("2026-03-15T12:00:00Z") },
});

test("a person's estimates are compared by their likely hours, and by how often the 80 % ranges held", () => {
  const own = Array.from({ length: 20 }, (_, at) => judged(at, 1, at < 12 ? 10 : 30));
  expect(calibrationOf(own)).toMatchObject({
    ...{ people: 1, ratio: { n: 20, median: 1.25, low: 1.25, high: 3.75 } },
    ranges: { n: 20, held: 12 },
  });
  expect(calibrationOf([])).toEqual({
    ...{ people: 0, ratio: { n: 0, median: null, low: null, high: null } },
    ranges: { n: 0, held: null, low: null, high: null, widenBy: null },
  });
});

test("those of several people are shown from five people and thirty tasks on, and not below", () => {
  const all = (people: number, tasks: number) =>
    Array.from({ length: tasks }, (_, task) =>
      Array.from({ length: people }, (_, user) => judged(task, user, 9)),
    ).flat();
  const { calibratedPeople: people, calibratedTasks: tasks } = limits;
  expect(calibrationOfAll(all(people - 1, tasks))).toBeNull();
  expect(calibrationOfAll(all(people, tasks - 1))).toBeNull();
  expect(calibrationOfAll([])).toBeNull();
  expect(calibrationOfAll(all(people, tasks))).toMatchObject({ people, ratio: { n: people * tasks, median: 1.125 } });
});

test("those of several people are not shown where they are mostly one person's, or some have hardly any", () => {
  const { calibratedPeople: people, calibratedTasksEach: each, calibratedTasks: tasks } = limits;
  const of = (user: number, count: number) => Array.from({ length: count }, (_, task) => judged(task, user, 9));
  const others = (count: number) => Array.from({ length: people - 1 }, (_, at) => of(at + 1, count)).flat();
  const half = Math.ceil(tasks / (people - 1));
  const rest = others(half);
  expect(calibrationOfAll([...of(0, rest.length), ...rest])).not.toBeNull();
  expect(calibrationOfAll([...of(0, rest.length + 1), ...rest])).toBeNull();
  const many = [...of(1, tasks), ...of(2, tasks)];
  const few = (count: number) => [3, 4, 5].flatMap((user) => of(user, count));
  expect(calibrationOfAll([...many, ...few(each)])).not.toBeNull();
  expect(calibrationOfAll([...many, ...few(each - 1)])).toBeNull();
});
