import { describe, expect, it } from "vitest";
import type { Node, Option } from "../tree/shape.ts";
import { apply } from "./apply.ts";
import { diff } from "./diff.ts";
import { UnfitOperation } from "./running.ts";
import type { Change, Place, Snapshot } from "./shape.ts";

const option = (id: string, fields: Partial<Option> = {}): Option => ({
  id,
  title: id,
  description: "",
  hours: null,
  quantity: 1,
  unit: null,
  role: null,
  requires: [],
  excludes: [],
  selected: false,
  override: null,
  nodes: [],
  ...fields,
});
const node = (id: string, options: Option[], fields: Partial<Node> = {}): Node => ({
  ...{ id, title: id, description: "", kind: "multi", required: false, min: null, max: null, options },
  ...fields,
});
const hours = (value: number) => ({ optimistic: value, likely: value, pessimistic: value });
const snapshot = (nodes: Node[], fields: Partial<Snapshot> = {}): Snapshot => ({
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01, timeline: null, milestones: [], tree: { nodes } },
  ...fields,
});

describe("a diff, by hand", () => {
  it("reports an added option with its place and its hours, without what is below it", () => {
    const before = snapshot([node("n1", [option("o1", { hours: hours(5), selected: true })])]);
    const below = node("n2", [option("o3", { hours: hours(2), selected: true, quantity: 3 })], { kind: "group" });
    const added = option("o2", { hours: hours(4), selected: true, nodes: [below] });
    const after = snapshot([node("n1", [option("o1", { hours: hours(5), selected: true }), added])]);
    const { nodes: _, ...record } = added;
    expect(diff(before, after)).toMatchObject([
      { op: "added", target: "option", id: "o2", after: { parentId: "n1", afterId: "o1", record }, hoursDelta: 4 },
      { op: "added", target: "node", id: "n2", after: { parentId: "o2", afterId: null }, hoursDelta: 0 },
      { op: "added", target: "option", id: "o3", after: { parentId: "n2", afterId: null }, hoursDelta: 6 },
    ]);
    expect(diff(after, before).map(({ op, id, hoursDelta }) => [op, id, hoursDelta])).toEqual([
      ["removed", "o3", -6],
      ["removed", "n2", 0],
      ["removed", "o2", -4],
    ]);
  });

  it("moves a whole part in one operation, with its effect on the hours", () => {
    const part = node("n2", [option("o2", { hours: hours(4), selected: true })]);
    const before = snapshot([node("n1", [option("o1", { selected: true, quantity: 3, nodes: [part] })])]);
    const after = snapshot([node("n1", [option("o1", { selected: true, quantity: 3 })]), part]);
    expect(diff(before, after)).toEqual([
      {
        ...{ op: "moved", target: "node", id: "n2", hoursDelta: -8 },
        ...{ before: { parentId: "o1", afterId: null }, after: { parentId: null, afterId: "n1" } },
      },
    ]);
  });

  it("swaps parent and child", () => {
    const before = snapshot([node("n1", [option("o1", { nodes: [node("n2", [option("o2")])] })])]);
    const after = snapshot([node("n2", [option("o2", { nodes: [node("n1", [option("o1")])] })])]);
    expect(diff(before, after).map(({ op, id }) => [op, id])).toEqual([
      ["moved", "n2"],
      ["moved", "n1"],
    ]);
  });

  it("reorders as few siblings as possible", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const of = (order: string[]) =>
      snapshot([
        node(
          "n",
          order.map((id) => option(id)),
        ),
      ]);
    expect(diff(of(ids), of(["b", "c", "d", "a", "e"]))).toEqual([
      {
        ...{ op: "reordered", target: "option", id: "a", hoursDelta: 0 },
        ...{ before: { parentId: "n", afterId: null }, after: { parentId: "n", afterId: "d" } },
      },
    ]);
    expect(diff(of(ids), of(ids.toReversed()))).toHaveLength(4);
    expect(diff(of(ids), of(["a", "e"])).map(({ op }) => op)).toEqual(["removed", "removed", "removed"]);
  });

  it("reports each changed field, and selecting and deselecting separately", () => {
    const before = option("o1", { hours: hours(4), selected: true, requires: ["o2"] });
    const after = { ...before, hours: hours(6), title: "Card", requires: [], selected: false };
    const other = option("o2", { selected: false });
    const diffs = diff(
      snapshot([node("n1", [before, other])]),
      snapshot([node("n1", [after, { ...other, selected: true }], { kind: "single" })]),
    );
    expect(diffs).toEqual([
      { op: "changed", target: "node", id: "n1", field: "kind", before: "multi", after: "single", hoursDelta: 0 },
      { op: "changed", target: "option", id: "o1", field: "title", before: "o1", after: "Card", hoursDelta: 0 },
      { op: "changed", target: "option", id: "o1", field: "hours", before: hours(4), after: hours(6), hoursDelta: 2 },
      { op: "changed", target: "option", id: "o1", field: "requires", before: ["o2"], after: [], hoursDelta: 0 },
      { op: "deselected", target: "option", id: "o1", hoursDelta: -6 },
      { op: "selected", target: "option", id: "o2", hoursDelta: 0 },
    ]);
  });

  it("counts everything of a node that becomes a group", () => {
    const options = [option("o1", { hours: hours(4), selected: true }), option("o2", { hours: hours(3) })];
    const [operation] = diff(snapshot([node("n1", options)]), snapshot([node("n1", options, { kind: "group" })]));
    expect(operation).toMatchObject({ op: "changed", field: "kind", hoursDelta: 3 });
  });

  it("lists settings first, those of the timeline one by one, and milestones after the tree", () => {
    const milestone = { id: "m1", title: "Beta", dueDate: "2026-11-01", nodeIds: ["n1"], taskIds: [] };
    const before = snapshot([node("n1", [])], { timeline: { hoursPerDay: 6, start: "2026-09-01" } });
    const after = snapshot([], {
      title: "New shop",
      hourlyRate: 90,
      timeline: { hoursPerDay: 8, start: "2026-09-01", focus: 0.8 },
      milestones: [milestone],
    });
    expect(
      diff(before, after).map(({ op, target, ...rest }) => [op, target, "field" in rest ? rest.field : rest.id]),
    ).toEqual([
      ["changed", "setting", "title"],
      ["changed", "setting", "hourlyRate"],
      ["changed", "setting", "timeline.hoursPerDay"],
      ["changed", "setting", "timeline.focus"],
      ["added", "milestone", "m1"],
      ["removed", "node", "n1"],
    ]);
    const cleared = snapshot([], { timeline: null });
    expect(diff(cleared, snapshot([], { timeline: { focus: 1 } }))).toMatchObject([
      { target: "setting", id: null, field: "timeline", before: null, after: { focus: 1 } },
    ]);
  });
});

describe("applying changes", () => {
  const base = snapshot([node("n1", [option("o1", { nodes: [node("n2", [])] })]), node("n3", [])]);
  const place = (parentId: string | null, afterId: string | null) => ({ parentId, afterId });
  const moved = (id: string, after: Place): Change => ({
    ...{ op: "moved", target: id.startsWith("n") ? "node" : "option", id, before: after, after },
  });

  it.each<[string, Change]>([
    [
      "adds something that exists already",
      { op: "added", target: "node", id: "n3", after: { ...place(null, null), record: node("n3", []) } },
    ],
    ["changes what is not there", { op: "changed", target: "node", id: "n9", field: "title", before: "", after: "" }],
    ["takes an option for a node", { op: "changed", target: "node", id: "o1", field: "title", before: "", after: "" }],
    [
      "removes something that still contains something",
      { op: "removed", target: "option", id: "o1", before: { ...place("n1", null), record: option("o1") } },
    ],
    ["moves below what is not there", moved("n3", place("o9", null))],
    ["moves a node below a node", moved("n3", place("n1", null))],
    ["moves an option to the root", moved("o1", place(null, null))],
    ["moves behind what stands elsewhere", moved("n3", place("o1", "n1"))],
    ["moves a node below itself", moved("n1", place("o1", null))],
  ])("refuses one that %s", (_, change) => {
    expect(() => apply(base, [change])).toThrow(UnfitOperation);
  });

  it("does not change the given snapshot", () => {
    const text = JSON.stringify(base);
    const after = apply(base, [moved("n3", place("o1", "n2")), { op: "selected", target: "option", id: "o1" }]);
    expect(JSON.stringify(base)).toBe(text);
    expect(after.tree.nodes[0]?.options[0]?.nodes.map(({ id }) => id)).toEqual(["n2", "n3"]);
  });
});
