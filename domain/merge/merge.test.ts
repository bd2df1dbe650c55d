import { describe, expect, it, test } from "vitest";
import { limits } from "../../contract/limits.ts";
import { checkStructure } from "../tree/check/check-structure.ts";
import { createNode, deleteNode, moveNode, updateNode } from "../tree/edit/edit-nodes.ts";
import { createOption, deleteOption, moveOption, selectOption, updateOption } from "../tree/edit/edit-options.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { copyTree } from "../tree/import-tree.ts";
import type { NodeInput, Tree } from "../tree/shape.ts";
import { countedIds, optionTitled } from "../tree/testing/trees.ts";
import type { Snapshot } from "../versions/shape.ts";
import { merge } from "./merge.ts";
import { afterEdits, scene, snapshotOf, tryMerge } from "./testing/scene.ts";

const work: NodeInput[] = [
  {
    title: "Payment",
    kind: "single",
    options: [{ title: "Card", hours: 8, selected: true }, { title: "Invoice", hours: 6 }, { title: "Cash" }],
  },
  {
    title: "Extras",
    kind: "multi",
    min: 0,
    max: 2,
    options: [
      {
        title: "Search",
        hours: { optimistic: 4, likely: 8, pessimistic: 12 },
        quantity: 2,
        selected: true,
        nodes: [{ title: "Engine", kind: "group", options: [{ title: "Index", hours: 10 }] }],
      },
      { title: "Chat", hours: 5 },
    ],
  },
];
const { base, option, node } = scene(work);
const newId = countedIds("new-");
const update = (title: string, changes: Parameters<typeof updateOption>[2]) => (tree: Tree) =>
  updateOption(tree, option(title), changes);
const select = (title: string) => (tree: Tree) => selectOption(tree, option(title));
const expected = ({ tree }: Snapshot) => summaryHours(tree, { correlation: 0 }).expected;

describe("changes of both sides", () => {
  test("of different units of the same option are combined", () => {
    const into = afterEdits(base, update("Chat", { title: "Live chat" }));
    const from = afterEdits(base, update("Chat", { hours: 7, role: "backend" }));
    const { option: merged } = tryMerge(base, into, from);
    expect(merged(option("Chat"))).toMatchObject({ title: "Live chat", hours: { likely: 7 }, role: "backend" });
  });

  test("to the same value are no conflict", () => {
    const side = afterEdits(base, update("Chat", { title: "Talk" }));
    expect(tryMerge(base, side, structuredClone(side)).snapshot).toEqual(side);
  });

  test("of requires and excludes are combined as sets, and removing an option removes the links to it", () => {
    const linked = afterEdits(base, update("Chat", { requires: [option("Cash")], excludes: [option("Index")] }));
    const into = afterEdits(linked, update("Chat", { requires: [option("Cash"), option("Card")] }));
    const from = afterEdits(linked, update("Chat", { requires: [option("Invoice")], excludes: [] }), (tree) =>
      deleteOption(tree, option("Cash")),
    );
    const { option: merged } = tryMerge(linked, into, from);
    expect(merged(option("Chat"))).toMatchObject({ requires: [option("Card"), option("Invoice")], excludes: [] });
  });

  test("that add things at the same place keep both, `from`'s after its predecessor", () => {
    const add = (title: string, position: number) => (tree: Tree) =>
      createOption(tree, node("Extras"), { title, hours: 1, position }, newId);
    const into = afterEdits(base, add("Mine", 1));
    const from = afterEdits(base, add("First", 0), add("Theirs", 2));
    const titles = (snapshot: Snapshot | null) => snapshot?.tree.nodes[1]?.options.map(({ title }) => title);
    expect(titles(tryMerge(base, into, from).snapshot)).toEqual(["First", "Search", "Theirs", "Mine", "Chat"]);
  });

  test("that reorder different siblings apply both; of the same one, `into`'s", () => {
    const move = (title: string, position: number) => (tree: Tree) =>
      moveOption(tree, option(title), { nodeId: node("Payment"), position });
    const titles = (snapshot: Snapshot | null) => snapshot?.tree.nodes[0]?.options.map(({ title }) => title);
    const into = afterEdits(base, move("Cash", 0));
    expect(titles(tryMerge(base, into, afterEdits(base, move("Cash", 1))).snapshot)).toEqual([
      "Cash",
      "Card",
      "Invoice",
    ]);
    expect(titles(tryMerge(base, base, into).snapshot)).toEqual(["Cash", "Card", "Invoice"]);
  });

  test("of settings are combined one by one, those of the timeline too", () => {
    const start: Snapshot = { ...base, timeline: { hoursPerDay: 8, focus: 0.8 } };
    const into: Snapshot = { ...start, title: "MVP", timeline: { hoursPerDay: 6, focus: 0.8 } };
    const from: Snapshot = { ...start, clientName: "ACME", timeline: { hoursPerDay: 8, focus: 0.7, zone: "UTC" } };
    expect(tryMerge(start, into, from).snapshot).toMatchObject({
      title: "MVP",
      clientName: "ACME",
      timeline: { hoursPerDay: 6, focus: 0.7, zone: "UTC" },
    });
  });
});

test.each(["description", "assumptions"])(
  "a text of %s that both sides changed is a conflict, one that one side changed is not",
  (field) => {
    const [into, from] = ["Mine", "Theirs"].map((text) => ({ ...base, [field]: text })) as [Snapshot, Snapshot];
    expect(tryMerge(base, base, from).snapshot).toMatchObject({ [field]: "Theirs" });
    const { conflicts } = tryMerge(base, into, from);
    expect(conflicts).toMatchObject([
      { kind: "changed", target: "setting", field, base: "", into: { value: "Mine" }, from: { value: "Theirs" } },
    ]);
  },
);

describe("edit against edit", () => {
  const into = afterEdits(base, update("Card", { hours: 10, title: "Credit card" }));
  const from = afterEdits(base, update("Card", { hours: { optimistic: 2, likely: 4, pessimistic: 6 } }));

  it("of the three points is one conflict, with the values and each side's effect on the hours", () => {
    const { conflicts, snapshot } = tryMerge(base, into, from);
    expect(snapshot).toBe(null);
    expect(conflicts).toEqual([
      {
        id: expect.stringMatching(/^o2\.hours\.[0-9a-f]{16}$/),
        kind: "changed",
        target: "option",
        thingId: option("Card"),
        title: "Credit card",
        field: "hours",
        base: { optimistic: 8, likely: 8, pessimistic: 8 },
        into: { value: { optimistic: 10, likely: 10, pessimistic: 10 }, hoursDelta: 2 },
        from: { value: { optimistic: 2, likely: 4, pessimistic: 6 }, hoursDelta: -4 },
        things: [],
        rule: null,
      },
    ]);
  });

  it("is decided by a side or another value, and by nothing else", () => {
    const id = tryMerge(base, into, from).conflicts[0]?.id ?? "";
    const hoursWith = (resolution: { side: "into" | "from" } | { value: unknown }) =>
      tryMerge(base, into, from, [{ id, ...resolution }]).option(option("Card"))?.hours?.likely;
    expect([hoursWith({ side: "into" }), hoursWith({ side: "from" })]).toEqual([10, 4]);
    const third = { optimistic: 5, likely: 6, pessimistic: 7 };
    expect(hoursWith({ value: third })).toBe(6);
    const wrong = tryMerge(base, into, from, [{ id, value: { ...third, optimistic: 9 } }]);
    expect(wrong.faults).toEqual([
      { index: 0, part: "value", code: "out_of_order", message: "must be at least optimistic" },
    ]);
    const unknown = { id: `${id}0`, side: "from" } as const;
    expect(tryMerge(base, into, from, [unknown]).conflicts).toHaveLength(1);
    expect(tryMerge(base, into, from, [{ id, side: "into" }, unknown]).option(option("Card"))?.hours?.likely).toBe(10);
  });

  it("is decided by `otherwise` if no resolution names it", () => {
    const all = { bases: [base], into, from: { ...from, title: "Store" } };
    const other = { ...all, into: { ...into, title: "Kiosk" } };
    const titleAndHours = (...[resolutions, otherwise]: [Parameters<typeof merge>[1], "into" | "from"]) => {
      const merged = merge(other, resolutions, { otherwise });
      return merged.ok && [merged.snapshot.title, merged.snapshot.tree.nodes[0]?.options[0]?.hours?.likely];
    };
    const id = tryMerge(base, into, from).conflicts[0]?.id ?? "";
    expect(titleAndHours([], "from")).toEqual(["Store", 4]);
    expect(titleAndHours([], "into")).toEqual(["Kiosk", 10]);
    expect(titleAndHours([{ id, side: "into" }], "from")).toEqual(["Store", 10]);
    // A decision about other values is not replaced by `otherwise` unseen; without it, every conflict is asked for.
    const stale = { id: `${id}0`, side: "into" } as const;
    const refused = merge(other, [{ id, side: "into" }, stale], { otherwise: "from" });
    expect("faults" in refused && refused.faults).toMatchObject([{ index: 1, part: "id", code: "unknown_reference" }]);
    expect(merge(all, [{ id, side: "into" }, stale])).toMatchObject({ ok: true, unused: [stale.id] });
  });

  it("of min and max is one conflict, even if each side changed another of the two", () => {
    const bounds = (changes: object) => afterEdits(base, (tree) => updateNode(tree, node("Extras"), changes));
    const { conflicts } = tryMerge(base, bounds({ min: 2 }), bounds({ max: 1 }));
    expect(conflicts).toMatchObject([
      {
        field: "bounds",
        base: { min: 0, max: 2 },
        into: { value: { min: 2, max: 2 } },
        from: { value: { min: 0, max: 1 } },
      },
    ]);
    const both = { id: conflicts[0]?.id ?? "", value: { min: 1, max: 0 } };
    expect(tryMerge(base, bounds({ min: 2 }), bounds({ max: 1 }), [both]).faults).toMatchObject([
      { code: "out_of_order" },
    ]);
  });

  it("of the choice of a `single` node is one conflict", () => {
    const sides = [afterEdits(base, select("Invoice")), afterEdits(base, select("Cash"))] as const;
    const { conflicts } = tryMerge(base, ...sides);
    expect(conflicts).toMatchObject([
      {
        target: "node",
        thingId: node("Payment"),
        field: "choice",
        base: option("Card"),
        into: { value: option("Invoice"), hoursDelta: -2 },
        from: { value: option("Cash"), hoursDelta: -8 },
      },
    ]);
    const id = conflicts[0]?.id ?? "";
    const selected = (value: unknown) =>
      tryMerge(base, ...sides, [{ id, value }]).snapshot?.tree.nodes[0]?.options.flatMap((one) =>
        one.selected ? one.title : [],
      );
    expect([selected(option("Card")), selected(null)]).toEqual([["Card"], []]);
    expect(tryMerge(base, ...sides, [{ id, value: option("Chat") }]).faults).toMatchObject([
      { code: "unknown_reference" },
    ]);
  });
});

describe("edit against delete", () => {
  const edited = afterEdits(base, update("Chat", { title: "Talk" }));
  const deleted = afterEdits(base, (tree) => deleteOption(tree, option("Chat")));

  it.each([
    ["from", edited, deleted],
    ["into", deleted, edited],
  ] as const)("is a conflict where %s deletes, and either side can win", (remover, into, from) => {
    const { conflicts } = tryMerge(base, into, from);
    expect(conflicts).toMatchObject([{ kind: "removed", thingId: option("Chat"), field: null }]);
    expect(conflicts[0]?.[remover].value).toBe(null);
    expect(conflicts[0]?.[remover === "into" ? "from" : "into"].value).toMatchObject({ title: "Talk" });
    for (const side of ["into", "from"] as const) {
      const { option: merged } = tryMerge(base, into, from, [{ id: conflicts[0]?.id ?? "", side }]);
      expect(merged(option("Chat"))?.title).toBe(side === remover ? undefined : "Talk");
    }
  });

  it("of an ancestor is one conflict for all that was removed, with its hours", () => {
    const into = afterEdits(base, update("Index", { hours: 12 }));
    const from = afterEdits(base, (tree) => deleteOption(tree, option("Search")));
    const { conflicts } = tryMerge(base, into, from);
    expect(conflicts).toMatchObject([
      {
        kind: "removed",
        thingId: option("Search"),
        things: [option("Index")],
        into: { hoursDelta: 4 },
        from: { value: null, hoursDelta: -36 },
      },
    ]);
    const kept = tryMerge(base, into, from, [{ id: conflicts[0]?.id ?? "", side: "into" }]);
    expect(kept.option(option("Index"))?.hours?.likely).toBe(12);
    const gone = tryMerge(base, into, from, [{ id: conflicts[0]?.id ?? "", side: "from" }]);
    expect(gone.snapshot && expected(gone.snapshot)).toBe(8);
  });

  it("is a conflict if something is added, moved or newly linked below what is deleted", () => {
    const from = afterEdits(base, (tree) => deleteNode(tree, node("Engine")));
    const add = afterEdits(base, (tree) => createOption(tree, node("Engine"), { title: "New", hours: 1 }, newId));
    const moved = afterEdits(base, (tree) => moveOption(tree, option("Cash"), { nodeId: node("Engine") }));
    const referring = afterEdits(base, update("Cash", { requires: [option("Index")] }));
    for (const into of [add, moved, referring]) {
      const { conflicts } = tryMerge(base, into, from);
      expect(conflicts).toMatchObject([{ kind: "removed", thingId: node("Engine") }]);
      const side = { id: conflicts[0]?.id ?? "", side: "from" as const };
      const gone = tryMerge(base, into, from, [side]);
      expect(checkStructure(gone.snapshot?.tree.nodes ?? [])).toEqual([]);
      // What was moved there goes back to where the other side has it.
      expect(gone.option(option("Cash"))).toBeDefined();
    }
  });

  it("is no conflict if the deleted thing was only deselected, or moved away by the side that deleted the rest", () => {
    const deselected = afterEdits(base, select("Invoice"));
    const without = afterEdits(base, (tree) => deleteOption(tree, option("Card")));
    expect(tryMerge(base, deselected, without).option(option("Invoice"))?.selected).toBe(true);
    const rescued = afterEdits(
      base,
      (tree) => moveOption(tree, option("Index"), { nodeId: node("Payment") }),
      (tree) => deleteNode(tree, node("Engine")),
    );
    const edited = afterEdits(base, update("Index", { hours: 3 }));
    expect(tryMerge(base, edited, rescued).option(option("Index"))?.hours?.likely).toBe(3);
  });
});

describe("moves", () => {
  it("of the same thing to different places are a conflict, decided by a side", () => {
    const to = (target: string) =>
      afterEdits(base, (tree) => moveNode(tree, node("Engine"), { parentOptionId: option(target) }));
    const { conflicts } = tryMerge(base, to("Card"), to("Chat"));
    expect(conflicts).toMatchObject([
      {
        kind: "moved",
        thingId: node("Engine"),
        field: "parentId",
        base: option("Search"),
        into: { value: option("Card"), hoursDelta: -10 },
        from: { value: option("Chat"), hoursDelta: -20 },
      },
    ]);
    const id = conflicts[0]?.id ?? "";
    const chosen = tryMerge(base, to("Card"), to("Chat"), [{ id, side: "from" }]);
    expect(chosen.option(option("Chat"))?.nodes).toHaveLength(1);
    expect(tryMerge(base, to("Card"), to("Chat"), [{ id, value: null }]).faults).toMatchObject([
      { code: "not_allowed" },
    ]);
  });

  it("into each other are a conflict, and either side can win", () => {
    const two = scene([
      { title: "A", kind: "group", options: [{ title: "a", hours: 1 }] },
      { title: "B", kind: "group", options: [{ title: "b", hours: 2 }] },
    ]);
    const below = (moved: string, target: string) =>
      afterEdits(two.base, (tree) => moveNode(tree, two.node(moved), { parentOptionId: two.option(target) }));
    const [into, from] = [below("A", "b"), below("B", "a")];
    const { conflicts } = tryMerge(two.base, into, from);
    expect(conflicts).toMatchObject([{ kind: "moved_into_itself", field: "parentId" }]);
    for (const side of ["into", "from"] as const) {
      const { snapshot } = tryMerge(two.base, into, from, [{ id: conflicts[0]?.id ?? "", side }]);
      expect(snapshot?.tree).toEqual((side === "into" ? into : from).tree);
    }
  });
});

describe("rules that only both sides together break", () => {
  /** Both sides decide it, and the merge follows every rule. */
  function expectDecidable(start: Snapshot, into: Snapshot, from: Snapshot, conflict: object): void {
    const { conflicts } = tryMerge(start, into, from);
    expect(conflicts).toMatchObject([{ kind: "structure", ...conflict }]);
    for (const side of ["into", "from"] as const) {
      const { snapshot } = tryMerge(start, into, from, [{ id: conflicts[0]?.id ?? "", side }]);
      expect(snapshot && checkStructure(snapshot.tree.nodes)).toEqual([]);
    }
  }

  test("options that require each other after two edits that are valid alone", () => {
    const into = afterEdits(base, update("Card", { requires: [option("Chat")] }));
    const from = afterEdits(base, update("Chat", { requires: [option("Card")] }));
    expectDecidable(base, into, from, { field: "requires", rule: { code: "cycle" } });
  });

  test("options of a node", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `o${n}`, hours: 1 }));
    const start = scene([{ title: "Many", kind: "group", options: rows(limits.nodeOptions - 1) }]);
    const add = (title: string) =>
      afterEdits(start.base, (tree) => createOption(tree, start.node("Many"), { title, hours: 5 }, newId));
    const [into, from] = [add("Mine"), add("Theirs")];
    expectDecidable(start.base, into, from, { thingId: start.node("Many"), into: { hoursDelta: -5 } });
    expect(tryMerge(start.base, into, start.base).snapshot).toEqual(into);
  });

  test("depth", () => {
    const chain = (levels: number): NodeInput[] =>
      levels === 0
        ? []
        : [
            {
              title: `L${levels}`,
              kind: "group",
              options: [{ title: `l${levels}`, hours: 1, nodes: chain(levels - 1) }],
            },
          ];
    const start = scene([...chain(10), { title: "Other", kind: "group", options: [{ title: "o", hours: 1 }] }]);
    const into = afterEdits(start.base, (tree) =>
      moveNode(tree, start.node("Other"), { parentOptionId: start.option("l1") }),
    );
    const from = afterEdits(
      start.base,
      (tree) =>
        createNode(tree, { title: "Sub", kind: "group", parentOptionId: start.option("o") }, countedIds("sub-")),
      (tree) => createOption(tree, "sub-n1", { title: "s", hours: 1 }, countedIds("s-")),
      (tree) => createNode(tree, { title: "Deep", kind: "group", parentOptionId: "s-o1" }, countedIds("deep-")),
    );
    expectDecidable(start.base, into, from, { rule: { code: "too_deep" } });
  });

  test("nodes of the tree: the whole tree of a side", () => {
    const rows = (count: number): NodeInput[] =>
      Array.from({ length: count }, (_, n) => ({ title: `n${n}`, kind: "group" }));
    const start = scene(rows(limits.treeNodes - 1));
    const add = (title: string) => afterEdits(start.base, (tree) => createNode(tree, { title, kind: "group" }, newId));
    const [into, from] = [add("Mine"), add("Theirs")];
    expectDecidable(start.base, into, from, { thingId: null, target: null, rule: { code: "too_many" } });
  });

  test("links of an option", () => {
    const rows = Array.from({ length: limits.nodeOptions }, (_, n) => ({ title: `o${n}` }));
    const start = scene([
      { title: "Many", kind: "multi", options: rows },
      { title: "More", kind: "multi", options: [{ title: "x" }, { title: "y" }, { title: "z" }] },
    ]);
    const most = rows.slice(0, limits.optionLinks - 1).map(({ title }) => start.option(title));
    const links = (...more: string[]) => ({ requires: [...most, ...more] });
    const linked = afterEdits(start.base, (tree) => updateOption(tree, start.option("x"), links()));
    const [into, from] = [start.option("y"), start.option("z")].map((more) =>
      afterEdits(linked, (tree) => updateOption(tree, start.option("x"), links(more))),
    ) as [Snapshot, Snapshot];
    expectDecidable(linked, into, from, { thingId: start.option("x"), field: "requires" });
  });

  test("a `single` node with two options selected, because its kind changed on one side", () => {
    const into = afterEdits(base, (tree) => updateNode(tree, node("Extras"), { kind: "single" }));
    const from = afterEdits(base, (tree) => selectOption(tree, option("Chat")));
    const { conflicts } = tryMerge(base, into, from);
    expect(conflicts).toMatchObject([{ thingId: node("Extras"), field: "choice" }]);
    for (const side of ["into", "from"] as const) {
      const { snapshot } = tryMerge(base, into, from, [{ id: conflicts[0]?.id ?? "", side }]);
      expect(snapshot?.tree.nodes[1]).toMatchObject(
        side === "into"
          ? { kind: "single", options: [{ selected: true }, { selected: false }] }
          : { kind: "multi", options: [{ selected: true }, { selected: true }] },
      );
    }
  });

  test("bytes of the tree", () => {
    const long = (from: number, count: number): NodeInput[] =>
      Array.from({ length: count }, (_, n) => ({
        title: `n${from + n}`,
        kind: "group",
        description: "x".repeat(10_000),
      }));
    const nodes = scene(long(0, 900)).base.tree.nodes;
    const having = (some: typeof nodes) => ({ ...base, tree: { nodes: some } });
    expectDecidable(having(nodes.slice(0, 300)), having(nodes.slice(0, 600)), having(nodes.toSpliced(300, 300)), {
      thingId: null,
      rule: { code: "too_large" },
    });
  });

  test("that would never be settled, by the whole tree of a side", () => {
    const into = afterEdits(base, update("Card", { requires: [option("Chat")] }));
    const from = afterEdits(base, update("Chat", { requires: [option("Card")] }));
    const ends = { bases: [base], into, from };
    const open = merge(ends, [], { rounds: 0 });
    const [conflict] = (!open.ok && open.conflicts) || [];
    expect(conflict).toMatchObject({ kind: "structure", thingId: null, rule: { code: "cycle" } });
    for (const side of ["into", "from"] as const) {
      const decided = merge(ends, [{ id: conflict?.id ?? "", side }], { rounds: 0 });
      expect(decided.ok && decided.snapshot.tree).toEqual(ends[side].tree);
    }
  });

  test("have their hours computed for the first two of them only", () => {
    const names = ["A", "B", "C"];
    const rows = Array.from({ length: limits.nodeOptions - 1 }, (_, n) => ({ title: `o${n}`, hours: 1 }));
    const start = scene(names.map((title) => ({ title, kind: "group", options: rows })));
    const add = (title: string) =>
      afterEdits(
        start.base,
        ...names.map((name) => (tree: Tree) => createOption(tree, start.node(name), { title, hours: 5 }, newId)),
      );
    const { conflicts } = tryMerge(start.base, add("mine"), add("theirs"));
    expect(conflicts.map(({ into, from }) => [into.hoursDelta, from.hoursDelta])).toEqual([
      [-5, -5],
      [-5, -5],
      [null, null],
    ]);
  });

  test("milestones, and what one of them names", () => {
    const milestone = (id: string, nodeIds: string[] = []) => ({
      id,
      title: id,
      dueDate: "2026-11-01",
      nodeIds,
      taskIds: [],
    });
    const some = Array.from({ length: limits.milestones - 1 }, (_, n) => milestone(`m${n}`));
    const start: Snapshot = { ...base, milestones: some };
    const adding = (id: string): Snapshot => ({ ...start, milestones: [...some, milestone(id)] });
    const [mine, theirs] = [adding("mine"), adding("theirs")];
    const { conflicts } = tryMerge(start, mine, theirs);
    expect(conflicts).toMatchObject([
      { kind: "structure", target: "milestone", thingId: null, rule: { code: "too_many" } },
    ]);
    const decided = tryMerge(start, mine, theirs, [{ id: conflicts[0]?.id ?? "", side: "from" }]).snapshot;
    expect(decided?.milestones).toEqual(theirs.milestones);

    const names = Array.from({ length: limits.milestoneNames - 1 }, (_, n) => `n${n}`);
    const naming = (...more: string[]): Snapshot => ({ ...base, milestones: [milestone("m", [...names, ...more])] });
    const both = tryMerge(naming(), naming("x"), naming("y")).conflicts;
    expect(both).toMatchObject([{ kind: "structure", target: "milestone", thingId: "m", field: "nodeIds" }]);
    const taken = tryMerge(naming(), naming("x"), naming("y"), [{ id: both[0]?.id ?? "", side: "into" }]).snapshot;
    expect(taken?.milestones[0]?.nodeIds.at(-1)).toBe("x");
  });

  test("a rate without a currency", () => {
    const start = snapshotOf(base.tree, { currency: "EUR" });
    const into = { ...start, hourlyRate: 90 };
    const from = { ...start, currency: null };
    const { conflicts } = tryMerge(start, into, from);
    expect(conflicts).toMatchObject([
      { kind: "structure", target: "setting", field: "currency", rule: { code: "required" } },
    ]);
    const decided = (side: "into" | "from") => {
      const { hourlyRate, currency } =
        tryMerge(start, into, from, [{ id: conflicts[0]?.id ?? "", side }]).snapshot ?? {};
      return [hourlyRate, currency];
    };
    expect([decided("into"), decided("from")]).toEqual([
      [90, "EUR"],
      [null, null],
    ]);
  });
});

test("a history with two nearest common ancestors that differ decides nothing by itself", () => {
  const [one, other] = [afterEdits(base, update("Card", { hours: 1 })), afterEdits(base, update("Card", { hours: 2 }))];
  const result = merge({ bases: [one, other], into: one, from: other });
  expect(!result.ok && result.conflicts).toMatchObject([{ kind: "changed", field: "hours", base: null }]);
});

test("what one side removed is compared with what stays if two common ancestors differ in it", () => {
  const [one, other] = [afterEdits(base, update("Card", { hours: 1 })), afterEdits(base, update("Card", { hours: 2 }))];
  const removing = (edit: (tree: Tree) => ReturnType<typeof deleteNode> | ReturnType<typeof deleteOption>) => {
    const result = merge({ bases: [one, other], into: one, from: afterEdits(other, edit) });
    return !result.ok && result.conflicts;
  };
  expect(removing((tree) => deleteNode(tree, node("Payment")))).toMatchObject([
    { kind: "removed", base: { title: "Payment" }, into: { hoursDelta: 0 }, from: { value: null, hoursDelta: -1 } },
  ]);
  expect(removing((tree) => deleteOption(tree, option("Card")))).toMatchObject([
    { kind: "removed", base: { hours: null }, into: { hoursDelta: 0 }, from: { value: null, hoursDelta: -1 } },
  ]);
});

test("parts that were made from a template keep their origin, and the text that their tree is stored as", () => {
  const origins = { templateId: "tpl_1", id: "opt_1" };
  const tree = copyTree(base.tree, countedIds("made-"), () => origins);
  const from = snapshotOf(tree);
  const into = afterEdits(from, (before) => updateOption(before, optionTitled(tree, "Card").id, { hours: 3 }));
  const result = merge({ bases: [from], into, from });
  expect(result.ok && JSON.stringify(result.snapshot.tree)).toBe(JSON.stringify(into.tree));
});
