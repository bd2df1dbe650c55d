import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import type { NodeInput, OptionInput } from "../shape.ts";
import { countedOptions } from "../testing/oracle.ts";
import { plant, trees } from "../testing/trees.ts";
import { problems } from "./problems.ts";

const of = (nodes: NodeInput[]) => problems(plant(nodes));
const options = (count: number, selected: number): OptionInput[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Option ${index}`, selected: index < selected }));

describe("what is unfinished in a tree", () => {
  it("is empty if nothing is selected or deselected", () => {
    expect(of([])).toEqual([]);
    expect(of([{ title: "Optional", kind: "multi", options: options(3, 0) }])).toEqual([]);
  });

  it("names long titles by their beginning, because a tree may have many problems", () => {
    const ask = (title: string) => of([{ title, kind: "single", required: true, options: options(2, 0) }])[0]?.remedy;
    expect(ask("😀".repeat(60))).toBe(`Select 1 option of “${"😀".repeat(60)}”.`);
    expect(ask("😀".repeat(61))).toBe(`Select 1 option of “${"😀".repeat(59)}…”.`);
  });

  it("is a required node of any kind without a counted option", () => {
    expect(of([{ title: "Payment", kind: "single", required: true, options: options(2, 0) }])).toEqual([
      {
        path: "/nodes/0",
        nodeId: "n1",
        optionId: null,
        problem: "too_few_selected",
        remedy: "Select 1 option of “Payment”.",
      },
    ]);
    expect(of([{ title: "Scope", kind: "group", required: true }])).toMatchObject([
      { problem: "too_few_selected", remedy: "Add an option to “Scope”." },
    ]);
    expect(of([{ title: "Scope", kind: "group", required: true, options: options(1, 0) }])).toEqual([]);
    expect(of([{ title: "Payment", kind: "single", required: true, options: options(2, 1) }])).toEqual([]);
  });

  it("is too few or too many in a multiple choice, on each side of min and max", () => {
    const multi = (selected: number) =>
      of([{ title: "Browsers", kind: "multi", min: 2, max: 3, options: options(5, selected) }]).map(
        ({ remedy }) => remedy,
      );
    expect(multi(0)).toEqual(["Select 2 options of “Browsers”."]);
    expect(multi(1)).toEqual(["Select 1 more option of “Browsers”."]);
    expect(multi(2)).toEqual([]);
    expect(multi(3)).toEqual([]);
    expect(multi(4)).toEqual(["Deselect 1 of the 4 selected options of “Browsers”, or raise its max."]);
  });

  it("is a max above the number of options, and a min that cannot be met", () => {
    const node: NodeInput = { title: "Browsers", kind: "multi", min: 3, max: 4, options: options(1, 1) };
    expect(of([node])).toMatchObject([
      {
        path: "/nodes/0",
        problem: "too_few_selected",
        remedy: "Add 2 options to “Browsers” and select 3 of them, or lower its min.",
      },
      {
        path: "/nodes/0/max",
        problem: "max_above_options",
        remedy: "Lower the max of “Browsers” to 1, or add 3 options to it.",
      },
    ]);
  });

  it("is reported only for active nodes", () => {
    const inner: NodeInput = { title: "Inner", kind: "multi", required: true, max: 9, options: options(2, 0) };
    const outer = (selected: boolean): NodeInput[] => [
      { title: "Outer", kind: "single", options: [{ title: "Opens", selected, nodes: [inner] }] },
    ];
    expect(of(outer(false))).toEqual([]);
    expect(of(outer(true)).map(({ path, problem }) => [path, problem])).toEqual([
      ["/nodes/0/options/0/nodes/0", "too_few_selected"],
      ["/nodes/0/options/0/nodes/0/max", "max_above_options"],
    ]);
  });

  it("is a requirement that does not count, with every selection that is missing on the way to it", () => {
    const nodes = (kind: NodeInput["kind"], counted: boolean): NodeInput[] => [
      { title: "Pay", kind, options: [{ title: "Card", selected: true, requires: ["sca"] }] },
      {
        title: "Security",
        kind: "multi",
        options: [
          {
            title: "Strong",
            selected: counted,
            nodes: [{ title: "Means", kind: "multi", options: [{ title: "SCA", ref: "sca", selected: counted }] }],
          },
        ],
      },
    ];
    expect(of(nodes("multi", true))).toEqual([]);
    expect(of(nodes("multi", false))).toEqual([
      {
        path: "/nodes/0/options/0/requires/0",
        nodeId: "n1",
        optionId: "o2",
        problem: "requirement_missing",
        remedy: "Select “Strong” of “Security”, then “SCA” of “Means”, or deselect “Card”.",
      },
    ]);
    expect(of(nodes("group", false))[0]?.remedy).toContain("or remove the requirement from “Card”.");
  });

  it("names the nearest of many missing selections, and does not grow with their number", () => {
    const far = (levels: number): NodeInput[] => {
      const name = "😀".repeat(500);
      let below: NodeInput = { title: "Last", kind: "multi", options: [{ title: "Far", ref: "far" }] };
      for (let level = 1; level < levels; level += 1)
        below = { title: name, kind: "multi", options: [{ title: name, nodes: [below] }] };
      return [{ title: "Pay", kind: "group", options: [{ title: "Card", requires: ["far"] }] }, below];
    };
    expect(of(far(3))[0]?.remedy).toBe(
      "Select “Far” of “Last” and 2 options above it, or remove the requirement from “Card”.",
    );
    expect(of(far(12))[0]?.remedy).toHaveLength(of(far(11))[0]?.remedy.length ?? 0);
  });

  it("is reported up to a limit", () => {
    const count = (nodes: number, more: NodeInput[] = []) =>
      of([...Array.from({ length: nodes }, (): NodeInput => ({ title: "n", kind: "group", required: true })), ...more])
        .length;
    const two: NodeInput = { title: "n", kind: "multi", required: true, max: 9 };
    expect(count(limits.reportedProblems)).toBe(limits.reportedProblems);
    expect(count(limits.reportedProblems + 1)).toBe(limits.reportedProblems);
    expect(count(limits.reportedProblems - 1, [two])).toBe(limits.reportedProblems);
    const links = Array.from({ length: 60 }, (_, n) => `r${n}`);
    const linked: NodeInput[] = [
      { title: "a", kind: "group", options: links.map(() => ({ title: "o", requires: links })) },
      { title: "b", kind: "multi", options: links.map((ref) => ({ title: "p", ref })) },
    ];
    expect(count(0, linked)).toBe(limits.reportedProblems);
  });

  it("counts a dormant requirement as missing, though it is selected", () => {
    const inner: NodeInput = { title: "Means", kind: "multi", options: [{ title: "SCA", ref: "sca", selected: true }] };
    const [problem] = of([
      { title: "Pay", kind: "multi", options: [{ title: "Card", selected: true, requires: ["sca"] }] },
      { title: "Security", kind: "multi", options: [{ title: "Strong", nodes: [inner] }] },
    ]);
    expect(problem?.remedy).toBe("Select “Strong” of “Security”, or deselect “Card”.");
  });

  it("is a pair that excludes each other, reported once, whichever option declares it", () => {
    const pair = (left: string[], right: string[], kind: NodeInput["kind"] = "multi"): NodeInput[] => [
      { title: "A", kind, options: [{ title: "Left", ref: "l", selected: true, excludes: left }] },
      { title: "B", kind: "multi", options: [{ title: "Right", ref: "r", selected: true, excludes: right }] },
    ];
    const expected = { problem: "excluded_together", remedy: "Deselect “Left” or “Right”, or remove the exclusion." };
    expect(of(pair(["r"], []))).toMatchObject([{ ...expected, path: "/nodes/0/options/0/excludes/0", optionId: "o2" }]);
    expect(of(pair(["r"], ["l"]))).toMatchObject([{ ...expected, path: "/nodes/0/options/0/excludes/0" }]);
    expect(of(pair([], ["l"]))).toMatchObject([
      { problem: "excluded_together", path: "/nodes/1/options/0/excludes/0", optionId: "o4" },
    ]);
    expect(of(pair(["r"], [], "group"))[0]?.remedy).toBe("Deselect “Right”, or remove the exclusion.");
  });

  it("is, for the links of any tree, exactly the breaches among its counted options", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const counted = countedOptions(tree).map(({ option }) => option);
        const ids = new Set(counted.map(({ id }) => id));
        const missing = counted.flatMap(({ id, requires }) =>
          requires.filter((link) => !ids.has(link)).map((link) => `${id} ${link}`),
        );
        const together = new Set(
          counted.flatMap(({ id, excludes }) =>
            excludes.filter((link) => ids.has(link)).map((link) => [id, link].sort().join(" ")),
          ),
        );
        const found = problems(tree);
        const count = (kind: string) => found.filter(({ problem }) => problem === kind).length;
        expect(count("requirement_missing")).toBe(missing.length);
        expect(count("excluded_together")).toBe(together.size);
      }),
    );
  });

  it("has only valid links", () => {
    fc.assert(
      fc.property(trees, (tree) => {
        for (const { path, nodeId, optionId } of problems(tree)) {
          let at: unknown = tree;
          const passed: unknown[] = [];
          for (const key of path.split("/").slice(1)) {
            at = (at as Record<string, unknown>)[key];
            passed.push(at);
          }
          expect(at).toBeDefined();
          const ids = passed.map((part) => (part as { id?: string } | null)?.id);
          expect(ids).toContain(nodeId);
          if (optionId !== null) expect(ids).toContain(optionId);
        }
      }),
    );
  });
});
