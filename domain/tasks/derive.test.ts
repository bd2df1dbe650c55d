import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { roundings } from "../../contract/values/roundings.ts";
import { presentHours } from "../tree/hours/present-hours.ts";
import { rollUp } from "../tree/hours/roll-up.ts";
import type { NodeInput, OptionInput } from "../tree/shape.ts";
import { countedOptions } from "../tree/testing/oracle.ts";
import { plant, trees } from "../tree/testing/trees.ts";
import { deriveTasks } from "./derive.ts";
import { taskIdOf } from "./shape.ts";

const node = (kind: NodeInput["kind"], title: string, ...options: OptionInput[]): NodeInput => ({
  title,
  kind,
  options,
});

/** Tasks as lines: title, hours, title of the parent. */
function lines(...nodes: NodeInput[]) {
  const tasks = deriveTasks(plant(nodes));
  const titles = new Map(tasks.map((task) => [task.id, task.title]));
  return tasks.map(({ title, hours, parentTaskId }) => [title, hours, parentTaskId && titles.get(parentTaskId)]);
}

describe("tasks of a tree", () => {
  it("are its counted options with hours, below the nearest task above them", () => {
    const payment = node(
      "single",
      "Which payment?",
      { title: "Invoice", hours: 5 },
      {
        title: "Card",
        hours: { optimistic: 2, likely: 5, pessimistic: 14 },
        selected: true,
        nodes: [
          node("multi", "Extras?", { title: "3-D Secure", hours: 4, selected: true }, { title: "Refunds", hours: 9 }),
        ],
      },
    );
    expect(lines(payment)).toEqual([
      ["Which payment? Card", 6, null],
      ["Extras? 3-D Secure", 4, "Which payment? Card"],
    ]);
  });

  it("are below a parent without hours for a group, and for an option that only opens further work", () => {
    const scope = node("group", "Foundations", {
      title: "Environments",
      nodes: [node("multi", "Which?", { title: "Staging", hours: 3, selected: true })],
    });
    expect(lines(scope)).toEqual([
      ["Foundations", null, null],
      ["Environments", null, "Foundations"],
      ["Which? Staging", 3, "Environments"],
    ]);
  });

  it("are none for a group, or an option, without hours below it", () => {
    const empty = node("group", "Empty", {
      title: "Nothing below",
      nodes: [node("group", "Also empty"), node("multi", "Not chosen?", { title: "No", hours: 8 })],
    });
    expect(lines(empty, node("group", "Assumptions", { title: "No migration of old orders" }))).toEqual([]);
  });

  it("name the question that they answer, but not the group that they belong to: its task is above them", () => {
    const option = { title: "Google", hours: 1, selected: true };
    const titles = (title: string, kind: NodeInput["kind"]) => lines(node(kind, title, option)).map(([first]) => first);
    expect(titles("Sign-in", "single")).toEqual(["Sign-in: Google"]);
    expect(titles("Sign-in", "multi")).toEqual(["Sign-in: Google"]);
    expect(titles("Sign-in", "group")).toEqual(["Sign-in", "Google"]);
    expect(titles("How to sign in? ", "multi")).toEqual(["How to sign in? Google"]);
    expect(titles("Sign-in:", "multi")).toEqual(["Sign-in: Google"]);
    const longest = { title: "O".repeat(limits.nodeTitleLength), hours: 1, selected: true };
    const [task] = deriveTasks(plant([node("multi", "N".repeat(limits.nodeTitleLength), longest)]));
    expect(task?.title.length).toBe(limits.taskTitleLength);
  });

  it("are none for options without work: of 0 hours, or of a quantity of 0", () => {
    const scope = node(
      "group",
      "Scope",
      { title: "Free", hours: 0 },
      { title: "None of them", hours: 8, quantity: 0, nodes: [node("group", "Of each", { title: "Test", hours: 2 })] },
      { title: "Opens", hours: 0, nodes: [node("group", "Below", { title: "Work", hours: 0.01 })] },
    );
    expect(lines(scope)).toEqual([
      ["Scope", null, null],
      ["Opens", null, "Scope"],
      ["Below", null, "Opens"],
      ["Work", 0.01, "Below"],
    ]);
  });

  it.each([0.25, 0.5, 1] as const)(
    "come in steps of %d h that add up to the roll-up rounded to that step",
    (rounding) => {
      const third = { optimistic: 2, likely: 3, pessimistic: 6 };
      const hours = deriveTasks(
        plant([node("group", "Scope", ...["A", "B", "C", "D"].map((title) => ({ title, hours: third })))]),
        rounding,
      ).flatMap((task) => task.hours ?? []);
      // Four times 3.33… are 13.33.
      expect(hours).toEqual({ 0.25: [3.5, 3.25, 3.25, 3.25], 0.5: [3.5, 3.5, 3.5, 3], 1: [4, 3, 3, 3] }[rounding]);
    },
  );

  it("are multiplied by the quantities above them, 0 included, and use an override instead of the hours", () => {
    const screens = node("group", "Screens", {
      title: "Screen",
      quantity: 2.5,
      hours: 10,
      override: 4,
      nodes: [
        node("group", "Of each", { title: "Test", hours: 2, quantity: 3 }, { title: "Spare", hours: 7, quantity: 0 }),
      ],
    });
    expect(lines(screens)).toEqual([
      ["Screens", null, null],
      ["Screen", 10, "Screens"],
      ["Of each", null, "Screen"],
      ["Test", 15, "Of each"],
    ]);
  });

  it("carry the three points of the option times the quantities above it, unrounded, an override before the hours", () => {
    const hours = { optimistic: 0.01, likely: 2, pessimistic: 8 };
    const inner = {
      title: "Forms",
      kind: "group" as const,
      options: [{ title: "Login", hours: 1, override: hours, quantity: 3 }],
    };
    const tree = plant([{ title: "App", kind: "group", options: [{ title: "Screens", quantity: 2, nodes: [inner] }] }]);
    const points = { optimistic: 6 * 0.01, likely: 12, pessimistic: 48 };
    expect(deriveTasks(tree).flatMap((task) => task.points ?? [])).toEqual([points]);
  });

  it("take title, description and role of the option, and their ids from it or from the group", () => {
    const tree = plant([
      {
        title: "API",
        description: "All of it",
        kind: "group",
        options: [{ title: "Orders", description: "REST", role: "backend", hours: 1 }],
      },
    ]);
    const [group] = tree.nodes;
    const option = group?.options[0];
    expect(deriveTasks(tree)).toEqual([
      {
        id: taskIdOf(group?.id ?? ""),
        ...{ optionId: null, parentTaskId: null, position: 0 },
        ...{ title: "API", description: "All of it", hours: null, role: null, points: null, rounded: null },
      },
      {
        id: taskIdOf(option?.id ?? ""),
        ...{ optionId: option?.id, parentTaskId: taskIdOf(group?.id ?? ""), position: 1 },
        ...{ title: "Orders", description: "REST", hours: 1, role: "backend", rounded: { down: 1, up: 1 } },
        points: { optimistic: 1, likely: 1, pessimistic: 1 },
      },
    ]);
    expect(taskIdOf("opt_01k6z0c9v3e8rbt5w2yq4nmhxd")).toBe("tsk_01k6z0c9v3e8rbt5w2yq4nmhxd");
  });

  it("add up to the roll-up's expected hours exactly, each within a step of its option's", () => {
    fc.assert(
      fc.property(trees, fc.constantFrom(...roundings), (tree, rounding) => {
        const tasks = deriveTasks(tree, rounding);
        const { expected } = presentHours(rollUp(tree, { correlation: 0.2, hourlyRate: null, currency: null }));
        const total = tasks.reduce((sum, { hours }) => sum + (hours ?? 0) / rounding, 0);
        expect(Math.round(total * 100) / 100).toBe(Math.round(Math.round((expected / rounding) * 1e6) / 1e6));
        const exact = new Map(
          countedOptions(tree).map(({ option, weight, o, l, p }) => [option.id, (weight * (o + 4 * l + p)) / 6]),
        );
        for (const { optionId, hours } of tasks) {
          if (hours === null) continue;
          expect(Math.abs(hours - (exact.get(optionId ?? "") ?? -1))).toBeLessThan(rounding + 1e-9);
          expect(Math.abs(hours / rounding - Math.round(hours / rounding))).toBeLessThan(1e-6);
        }
      }),
    );
  });

  it("are one per counted option with hours, each id once, numbered in order, parents first", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const tasks = deriveTasks(tree);
        const withHours = countedOptions(tree).filter(({ weight, p }) => weight * p > 0);
        expect(tasks.filter(({ hours }) => hours !== null).map(({ optionId }) => optionId)).toEqual(
          withHours.map(({ option }) => option.id),
        );
        const seen = new Set<string | null>([null]);
        for (const [index, { id, parentTaskId, position }] of tasks.entries()) {
          expect(position).toBe(index);
          expect(seen).toContain(parentTaskId);
          expect(seen).not.toContain(id);
          seen.add(id);
        }
        const parents = new Set(tasks.map(({ parentTaskId }) => parentTaskId));
        for (const { id, hours } of tasks) if (hours === null) expect(parents).toContain(id);
      }),
    );
  });
});
