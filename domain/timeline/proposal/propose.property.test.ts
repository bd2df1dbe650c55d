import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MilestoneRecord } from "../../../contract/endpoints/milestones.ts";
import type { TimelineSettings } from "../../../contract/endpoints/timelines.ts";
import { limits } from "../../../contract/limits.ts";
import { runs } from "../../../tests/support/runs.ts";
import { deriveTasks } from "../../tasks/derive.ts";
import { contentOf, type StoredTask } from "../../tasks/shape.ts";
import { problems } from "../../tree/check/problems.ts";
import { tryOut } from "../../tree/hours/try-out.ts";
import type { Tree } from "../../tree/shape.ts";
import { plant } from "../../tree/testing/trees.ts";
import { milestonesOf, schedulingText } from "../scheduling.ts";
import { defaultSettings } from "../settings.ts";
import { propose } from "./propose.ts";
import { compareOutcomes, isReached, TARGET, trialsFor } from "./trials.ts";

/** The same for all: so what is proposed and what comes of it differ in nothing but the people and the options. */
const seedOf = () => [1, 2, 3, 4];
const rollUp = { correlation: 0.2, rounding: 0.01 };
const MILESTONE = "mst_1";
const AS_OF = "2027-01-04T00:00:00.000Z";

interface Scene {
  readonly tree: Tree;
  readonly settings: TimelineSettings;
  readonly milestone: MilestoneRecord;
}

const tasksOf = (tree: Tree): StoredTask[] =>
  deriveTasks(tree).map(({ rounded: _, ...task }) => ({
    ...task,
    ...{ status: "open", actualHours: null, doneAt: null, droppedAt: null, externalRef: null, base: contentOf(task) },
  }));

const textOf = ({ tree, settings, milestone }: Scene, tasks = tasksOf(tree)) =>
  schedulingText({ asOf: AS_OF, settings, milestones: [milestone], tasks, tree: JSON.stringify(tree) }, rollUp);

const proposalFor = (scene: Scene) => propose({ text: textOf(scene), milestoneId: MILESTONE }, seedOf);

/** The probability as the milestone itself shows it, from all runs. */
const shownFor = (scene: Scene) => milestonesOf(textOf(scene), seedOf).get(MILESTONE)?.forecast?.probability ?? null;

const option = fc.record({
  hours: fc.integer({ min: 4, max: 60 }),
  spread: fc.constantFrom(1, 1.5, 3),
  role: fc.constantFrom("backend", "frontend", null),
  selected: fc.boolean(),
});
const scenes: fc.Arbitrary<Scene> = fc
  .record({
    nodes: fc.array(
      fc.record({
        kind: fc.constantFrom("group", "multi", "single"),
        required: fc.boolean(),
        options: fc.array(option, { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    days: fc.integer({ min: 2, max: 40 }),
    links: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }),
  })
  .map(({ nodes, days, links }) => {
    const tree = plant(
      nodes.map(({ kind, required, options }, at) => ({
        title: `Question ${at}`,
        kind: kind as "group" | "multi" | "single",
        required: kind !== "group" && required,
        options: options.map(({ hours, spread, role, selected }, index) => ({
          title: `Option ${at} ${index}`,
          ...{ role, selected: kind === "single" ? index === 0 : selected },
          hours: { optimistic: Math.round(hours / spread), likely: hours, pessimistic: hours * spread },
        })),
      })),
    );
    const ids = tasksOf(tree).flatMap(({ id, hours }) => (hours === null ? [] : id));
    const dependencies = links.flatMap(([a, b]) => {
      const [from, to] = [a % Math.max(1, ids.length), b % Math.max(1, ids.length)].sort((x, y) => x - y);
      return from === to ? [] : [{ from: ids[from ?? 0] ?? "", to: ids[to ?? 0] ?? "" }];
    });
    const unique = [...new Map(dependencies.map((link) => [`${link.from} ${link.to}`, link])).values()];
    const due = new Date(Date.UTC(2027, 0, 4 + days)).toISOString().slice(0, 10);
    return {
      tree,
      settings: {
        ...{ ...defaultSettings, startDate: "2027-01-04" },
        dependencies: unique.map((link) => ({ ...link, type: "finish_to_start" as const, lagHours: 0 })),
      },
      milestone: { id: MILESTONE, title: "Beta", dueDate: due, nodeIds: [], taskIds: [] },
    };
  });

const check = (law: (scene: Scene) => void) => fc.assert(fc.property(scenes, law), { numRuns: runs(200) });

describe("a proposal", () => {
  it("of people is as good, applied, as it says, and takes nobody away", () => {
    let found = 0;
    check((scene) => {
      const { people, now } = proposalFor(scene);
      if (!people || !now) return;
      found += 1;
      const settings = { ...scene.settings, people: people.people };
      const again = proposalFor({ ...scene, settings }).now;
      expect(again?.probability).toBeCloseTo(people.probability, 1);
      expect(compareOutcomes(people, now)).toBeLessThan(0);
      for (const { before, after } of people.added) expect(after).toBeGreaterThan(before);
      if (!people.isReached) return;
      expect(shownFor({ ...scene, settings })).toBeGreaterThanOrEqual(TARGET - 0.02);
    });
    expect(found).toBeGreaterThan(5);
  });

  it("of options is as good, applied, as it says, and leaves no question without an answer that it needs", () => {
    let reached = 0;
    check((scene) => {
      const { scope, now } = proposalFor(scene);
      if (!scope || !now) return;
      const needed = scope.options.filter(({ isNeeded }) => isNeeded);
      expect(needed.length).toBeGreaterThan(0);
      const tried = tryOut(scene.tree, {
        select: needed.flatMap(({ insteadId }) => insteadId ?? []),
        deselect: needed.flatMap(({ insteadId, optionId }) => (insteadId === null ? optionId : [])),
      });
      if (!tried.ok) throw new Error(JSON.stringify(tried.faults));
      expect(problems(tried.tree).length).toBeLessThanOrEqual(problems(scene.tree).length);
      for (const { hours, p80 } of scope.options) {
        expect(hours).toBeGreaterThan(0);
        expect(p80 === null || now.p80 === null || p80 <= now.p80).toBe(true);
      }
      const order = scope.options.map(({ p80 }) => p80 ?? "");
      expect(order).toEqual(order.toSorted());
      if (!scope.isReached) return;
      reached += 1;
      const shown = shownFor({ ...scene, tree: tried.tree });
      expect(shown === null || shown >= TARGET - 0.02).toBe(true);
    });
    expect(reached).toBeGreaterThan(3);
  });

  it("is the same for the same work, makes no more forecasts than it may, and is none where the target is reached", () => {
    check((scene) => {
      const proposal = proposalFor(scene);
      expect(proposalFor(scene)).toEqual(proposal);
      expect(proposal.forecasts).toBeLessThanOrEqual(limits.proposalForecasts);
      if ((proposal.now?.probability ?? 1) >= TARGET) expect([proposal.people, proposal.scope]).toEqual([null, null]);
    });
  });
});

it("has the fewest people of a role that are enough", () => {
  const sizes = fc.record({ tasks: fc.integer({ min: 2, max: 12 }), days: fc.integer({ min: 3, max: 20 }) });
  let found = 0;
  fc.assert(
    fc.property(sizes, ({ tasks, days }) => {
      const hours = { optimistic: 6, likely: 10, pessimistic: 20 };
      const options = Array.from({ length: tasks }, (_, at) => ({ title: `Part ${at}`, role: "backend", hours }));
      const scene: Scene = {
        tree: plant([{ title: "Scope", kind: "group", options }]),
        settings: { ...defaultSettings, startDate: "2027-01-04" },
        milestone: {
          ...{ id: MILESTONE, title: "Beta", nodeIds: [], taskIds: [] },
          dueDate: new Date(Date.UTC(2027, 0, 4 + days)).toISOString().slice(0, 10),
        },
      };
      const { people, now } = proposalFor(scene);
      const enough = Array.from({ length: tasks }, (_, at) => at + 1).find((count) => {
        const settings = { ...scene.settings, people: [{ role: "backend", count }] };
        const outcome = proposalFor({ ...scene, settings }).now;
        return outcome !== null && isReached(outcome);
      });
      const isWanted = enough !== undefined && (now?.probability ?? 0) < TARGET;
      if (isWanted) found += 1;
      if (isWanted) expect(people).toMatchObject({ people: [{ role: "backend", count: enough }], isReached: true });
      else expect(people?.isReached ?? false).toBe(false);
    }),
    { numRuns: runs(100) },
  );
  expect(found).toBeGreaterThan(3);
});

it("simulates fewer schedules of larger estimations, and then makes fewer forecasts, at least some", () => {
  expect(trialsFor(10)).toEqual({ forecasts: limits.proposalForecasts, runs: 2_000 });
  expect(trialsFor(500)).toEqual({ forecasts: limits.proposalForecasts, runs: 533 });
  expect(trialsFor(limits.treeOptions)).toEqual({ forecasts: 6, runs: 200 });
});

it("counts a target as reached only with one standard error to spare", () => {
  const outcome = { standardError: 0.01 };
  expect(isReached({ ...outcome, probability: 0.81 })).toBe(true);
  expect(isReached({ ...outcome, probability: 0.809 })).toBe(false);
});
