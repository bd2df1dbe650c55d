import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Breach, breaches, faultAt } from "../check/faults.ts";
import { evaluate } from "../hours/evaluate.ts";
import { type NodeInput, type Tree, walk } from "../shape.ts";
import { countedIds, frozen, optionTitled, plant } from "../testing/trees.ts";
import { createOption, deleteOption, deselectOption, moveOption, selectOption, updateOption } from "./edit-options.ts";
import { findOption } from "./locate.ts";

const ids = countedIds("new-");
const refused = (path: string, breach: Breach) => ({ ok: false, reason: "invalid", faults: [faultAt(path, breach)] });
const stillReferredTo = (path: string, at: string) => ({
  ok: false,
  reason: "invalid",
  faults: [{ path, in: "path", ...breaches.referredTo, at }],
});
const notFound = { ok: false, reason: "not_found" };

/** n1 single { o2 selected { n3 multi { o4 selected } }, o5 }, n6 multi { o7 selected, requires o4; o8 requires o7 } */
const tree = frozen(
  plant([
    {
      title: "Payment",
      kind: "single",
      options: [
        {
          title: "Card",
          selected: true,
          nodes: [{ title: "Means", kind: "multi", options: [{ title: "SCA", ref: "s", selected: true }] }],
        },
        { title: "Invoice" },
      ],
    },
    {
      title: "Data",
      kind: "multi",
      options: [
        { title: "Import", ref: "i", selected: true, requires: ["s"] },
        { title: "Export", requires: ["i"] },
      ],
    },
  ]),
);
const titles = (changed: Tree, place: number) => changed.nodes[place]?.options.map(({ title }) => title);
const option = { title: "New" };

function grown(result: { ok: boolean; tree?: Tree }): Tree {
  if (!result.tree) throw new Error("refused");
  return result.tree;
}

describe("the limit of links in a tree", () => {
  const others = Array.from({ length: 200 }, (_, n) => `o${n + 2}`);
  const sources = Array.from({ length: limits.treeLinks / 200 }, () => ({ title: "Source" }));
  const full = plant([
    { title: "Targets", kind: "multi", options: others.map((_, n) => ({ title: `Target ${n}`, ref: `o${n + 2}` })) },
    { title: "Sources", kind: "multi", options: sources.map((source) => ({ ...source, excludes: others })) },
  ]);
  const [target, node] = [full.nodes[0]?.options[0]?.id as string, full.nodes[1]?.id as string];
  const source = full.nodes[1]?.options[0] as { id: string; excludes: string[] };

  it("is exceeded neither by a new option nor by a changed one", () => {
    expect(createOption(full, node, { title: "New", requires: [target] }, ids)).toEqual(
      refused("", breaches.treeLinks),
    );
    expect(updateOption(full, source.id, { requires: [target] })).toEqual(refused("", breaches.treeLinks));
  });

  it("accepts edits that add no link, and as many links as there is room for", () => {
    expect(createOption(full, node, { title: "New" }, ids).ok).toBe(true);
    expect(updateOption(full, source.id, { title: "New" }).ok).toBe(true);
    const fewer = grown(updateOption(full, source.id, { excludes: source.excludes.slice(1) }));
    expect(createOption(fewer, node, { title: "New", requires: [target] }, ids).ok).toBe(true);
  });
});

describe("adding an option", () => {
  it("puts it at the end, not selected, with defaults and a bare number as three points", () => {
    const result = createOption(tree, "n6", { ...option, hours: 4 }, ids);
    expect(result).toMatchObject({
      ok: true,
      option: {
        hours: { optimistic: 4, likely: 4, pessimistic: 4 },
        quantity: 1,
        selected: false,
        override: null,
        nodes: [],
      },
    });
    expect(titles(grown(result), 1)).toEqual(["Import", "Export", "New"]);
    expect(createOption(tree, "o2", option, ids)).toEqual(notFound);
  });

  it("puts it at a position, the end included and no further", () => {
    expect(titles(grown(createOption(tree, "n6", { ...option, position: 1 }, ids)), 1)).toEqual([
      "Import",
      "New",
      "Export",
    ]);
    expect(createOption(tree, "n6", { ...option, position: 2 }, ids).ok).toBe(true);
    expect(createOption(tree, "n6", { ...option, position: 3 }, ids)).toEqual(refused("/position", breaches.position));
  });

  it("links it only to options of the tree", () => {
    expect(createOption(tree, "n6", { ...option, requires: ["o2"], excludes: ["o5"] }, ids)).toMatchObject({
      option: { requires: ["o2"], excludes: ["o5"] },
    });
    expect(createOption(tree, "n6", { ...option, requires: ["o2", "n1"] }, ids)).toEqual(
      refused("/requires/1", breaches.unknownLink),
    );
  });

  it("accepts the 200th option of a node and not the 201st, the 10,000th of a tree and not the 10,001st", () => {
    const node = (count: number) => ({
      title: "Node",
      kind: "multi" as const,
      options: Array.from({ length: count }, () => option),
    });
    const almost = plant([node(limits.nodeOptions - 1)]);
    const full = grown(createOption(almost, "n1", option, ids));
    expect(createOption(full, "n1", option, ids)).toEqual(refused("", breaches.nodeOptions));
    const nearly = plant([node(199), ...Array.from({ length: 49 }, () => node(200)), node(0)]);
    const last = nearly.nodes.at(-1)?.id ?? "";
    const whole = grown(createOption(nearly, last, option, ids));
    expect(createOption(whole, last, option, ids)).toEqual(refused("", breaches.options));
  });

  it("refuses hours in descending order or beyond the limit when multiplied", () => {
    const hours = { optimistic: 2, likely: 1, pessimistic: 3 };
    expect(createOption(tree, "n6", { ...option, hours }, ids)).toEqual(refused("/hours/likely", breaches.likely));
    const times = plant([
      {
        title: "Node",
        kind: "group",
        options: [{ title: "Many", quantity: 10_000, nodes: [{ title: "In", kind: "group" }] }],
      },
    ]);
    const heavy = { ...option, hours: 100_000, quantity: 10_000 };
    const once = grown(createOption(times, "n3", heavy, ids));
    expect(createOption(once, "n3", heavy, ids)).toEqual(refused("", breaches.treeHours));
  });
});

describe("changing an option", () => {
  it("changes what is given and nothing else, read-only fields sent back included", () => {
    const body = { hours: 3, role: "backend", id: "x", selected: true, nodes: [] };
    expect(updateOption(tree, "o2", body)).toMatchObject({
      ok: true,
      option: { ...optionTitled(tree, "Card"), role: "backend", hours: { likely: 3 } },
    });
    expect(updateOption(tree, "n1", { title: "x" })).toEqual(notFound);
  });

  it("clears an override with null", () => {
    const set = grown(updateOption(tree, "o2", { override: 5 }));
    expect(optionTitled(set, "Card").override).toEqual({ optimistic: 5, likely: 5, pessimistic: 5 });
    expect(optionTitled(grown(updateOption(set, "o2", { override: null })), "Card").override).toBeNull();
    expect(optionTitled(grown(updateOption(set, "o2", { title: "Card" })), "Card").override).not.toBeNull();
  });

  it("refuses a requirement that closes a cycle, naming the link", () => {
    expect(updateOption(tree, "o4", { requires: ["o2", "o8"] })).toEqual(refused("/requires/1", breaches.cycle));
    expect(updateOption(tree, "o4", { requires: ["o7"] })).toEqual(refused("/requires/0", breaches.cycle));
    expect(updateOption(tree, "o4", { requires: ["o4"] })).toEqual(refused("/requires/0", breaches.ownLink));
    expect(updateOption(tree, "o4", { excludes: ["o7"] }).ok).toBe(true);
    expect(updateOption(tree, "o7", { requires: [] })).toMatchObject({ option: { requires: [] } });
  });

  it("does not multiply hours beyond the limit of a tree", () => {
    const dear = { title: "Long", hours: 100_000, quantity: 10_000 };
    const heavy = plant([
      {
        title: "Times",
        kind: "group",
        options: [{ title: "Many", quantity: 1, nodes: [{ title: "Hours", kind: "multi", options: [dear, dear] }] }],
      },
    ]);
    expect(updateOption(heavy, "o2", { quantity: 5_000 }).ok).toBe(true);
    expect(updateOption(heavy, "o2", { quantity: 5_000.01 })).toEqual(refused("", breaches.treeHours));
  });

  it("reorders it among its siblings", () => {
    expect(titles(grown(updateOption(tree, "o8", { position: 0 })), 1)).toEqual(["Export", "Import"]);
    expect(updateOption(tree, "o8", { position: 2 })).toEqual(refused("/position", breaches.position));
  });
});

describe("moving an option", () => {
  it("moves everything below it along to another node", () => {
    const moved = grown(moveOption(tree, "o2", { nodeId: "n6", position: 0 }));
    expect(titles(moved, 1)).toEqual(["Card", "Import", "Export"]);
    expect(findOption(moved, "o4")).not.toBeNull();
    expect(titles(grown(moveOption(tree, "o7", { nodeId: "n6" })), 1)).toEqual(["Export", "Import"]);
  });

  it("does not go below itself, to an unknown node, or from an unknown option", () => {
    expect(moveOption(tree, "o2", { nodeId: "n3" })).toEqual(refused("/nodeId", breaches.belowItself));
    expect(moveOption(tree, "o2", { nodeId: "o5" })).toEqual(refused("/nodeId", breaches.targetNode));
    expect(moveOption(tree, "o2", { nodeId: "n6", position: 3 })).toEqual(refused("/position", breaches.position));
    expect(moveOption(tree, "n1", { nodeId: "n6" })).toEqual(notFound);
  });

  it("goes no deeper than 12 levels with everything below it", () => {
    const levels = (count: number): NodeInput => ({
      title: `Level ${count}`,
      kind: "multi",
      options: [{ title: `Option ${count}`, nodes: count > 1 ? [levels(count - 1)] : [] }],
    });
    const deep = plant([levels(limits.treeDepth - 1), levels(3)]);
    const [carrier] = deep.nodes[1]?.options ?? [];
    const [inner] = carrier?.nodes[0]?.options ?? [];
    const ends: string[] = [];
    walk([deep.nodes[0] as Tree["nodes"][number]], { node: (node) => void ends.push(node.id) });
    const end = ends.at(-1) ?? "";
    expect(moveOption(deep, inner?.id ?? "", { nodeId: end }).ok).toBe(true);
    expect(moveOption(deep, carrier?.id ?? "", { nodeId: end })).toEqual(refused("/nodeId", breaches.depth));
  });

  it("adds no second selection to a single choice", () => {
    expect(moveOption(tree, "o7", { nodeId: "n1" })).toEqual(refused("/nodeId", breaches.oneSelected));
    expect(moveOption(tree, "o8", { nodeId: "n1" }).ok).toBe(true);
  });
});

describe("deleting an option", () => {
  it("deletes everything below it too, and is refused while another option names it or something below it", () => {
    expect(deleteOption(tree, "o8")).toMatchObject({ ok: true, option: { id: "o8" } });
    expect(deleteOption(tree, "o2")).toEqual(stillReferredTo("/optionId", "/nodes/1/options/0/requires/0"));
    expect(deleteOption(tree, "o7")).toEqual(stillReferredTo("/optionId", "/nodes/1/options/1/requires/0"));
    expect(deleteOption(tree, "n1")).toEqual(notFound);
  });
});

describe("selecting", () => {
  it("deselects the siblings of a single choice and returns which", () => {
    const result = selectOption(tree, "o5");
    expect(result).toMatchObject({ ok: true, option: { id: "o5", selected: true }, deselected: ["o2"] });
    expect(optionTitled(grown(result), "Card").selected).toBe(false);
  });

  it("leaves the siblings of a multiple choice, and selects nothing that is required", () => {
    const result = selectOption(tree, "o8");
    expect(result).toMatchObject({ deselected: [] });
    expect(optionTitled(grown(result), "Import").selected).toBe(true);
  });

  it("changes nothing the second time", () => {
    for (const result of [selectOption(tree, "o2"), deselectOption(tree, "o5")]) expect(grown(result)).toBe(tree);
  });

  it("stores selections below a deselected option, dormant until it is selected again", () => {
    const other = grown(selectOption(tree, "o5"));
    expect(optionTitled(other, "SCA").selected).toBe(true);
    expect(evaluate(other).weights.has("o4")).toBe(false);
    expect(evaluate(grown(selectOption(other, "o2"))).weights.has("o4")).toBe(true);
    const dormant = grown(selectOption(grown(deselectOption(other, "o4")), "o4"));
    expect(optionTitled(dormant, "SCA").selected).toBe(true);
    expect(evaluate(dormant).activeNodes.has("n3")).toBe(false);
  });

  it("finds only options", () => {
    expect(selectOption(tree, "n1")).toEqual(notFound);
    expect(deselectOption(tree, "nowhere")).toEqual(notFound);
  });
});
