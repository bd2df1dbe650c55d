import fc from "fast-check";
import { expect, it } from "vitest";
import { type PlacedTask, placeTasks } from "./placement.ts";

/** Tasks whose parent, if any, stands before them, and which of them are placed already. */
const tasks = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { maxLength: 60 }).map((drawn) => ({
  tasks: drawn.map(
    ([seed, isRoot], at): PlacedTask => ({
      id: `t${at}`,
      parentTaskId: isRoot || at === 0 ? null : `t${seed % at}`,
    }),
  ),
  placed: new Set(drawn.flatMap(([, , placed], at) => (placed ? [`t${at}`] : []))),
}));
const nesting = fc.record({ levels: fc.integer({ min: 1, max: 4 }), children: fc.integer({ min: 1, max: 4 }) });

it("every task has one place within the limits, below its parent or linked to it, parents first", () => {
  fc.assert(
    fc.property(tasks, nesting, ({ tasks, placed }, bounds) => {
      const places = placeTasks(tasks, bounds, placed);
      const depthOf = (id: string): number => {
        const parent = places.get(id)?.parentId ?? null;
        return parent === null ? 1 : 1 + depthOf(parent);
      };
      const children = new Map<string, number>();
      expect([...places.keys()].toSorted()).toEqual(tasks.map(({ id }) => id).toSorted());
      for (const { id, parentTaskId } of tasks) {
        const place = places.get(id);
        expect(place && (place.parentId ?? place.linkId)).toBe(parentTaskId);
        expect(place?.warnings.length).toBe(place?.linkId === null ? 0 : 1);
        expect(depthOf(id)).toBeLessThanOrEqual(bounds.levels);
        expect(place?.depth).toBe(depthOf(id) - 1);
        if (parentTaskId !== null) expect(place?.level).toBe((places.get(parentTaskId)?.level ?? 0) + 1);
        if (place?.parentId) children.set(place.parentId, (children.get(place.parentId) ?? 0) + 1);
      }
      for (const count of children.values()) expect(count).toBeLessThanOrEqual(bounds.children);
    }),
  );
});

const wide = (count: number): PlacedTask[] => [
  { id: "top", parentTaskId: null },
  ...Array.from({ length: count }, (_, at) => ({ id: `t${at}`, parentTaskId: "top" })),
];
const deep = (count: number): PlacedTask[] =>
  Array.from({ length: count }, (_, at) => ({ id: `t${at}`, parentTaskId: at === 0 ? null : `t${at - 1}` }));
const github = { levels: 8, children: 100 };
const linked = (tasks: readonly PlacedTask[], placed?: ReadonlySet<string>) =>
  [...placeTasks(tasks, github, placed)].flatMap(([id, { linkId, warnings }]) =>
    linkId === null ? [] : [[id, linkId, warnings[0]?.code]],
  );

it("100 children fit below an issue, the next one links to it", () => {
  expect(linked(wide(100))).toEqual([]);
  expect(linked(wide(101))).toEqual([["t100", "top", "too_many_children"]]);
});

it("eight levels fit, the ninth links to its parent and begins a new hierarchy", () => {
  expect(linked(deep(8))).toEqual([]);
  expect(linked(deep(17))).toEqual([
    ["t8", "t7", "too_deep"],
    ["t16", "t15", "too_deep"],
  ]);
});

it("a placed issue stays when tasks are added before it", () => {
  expect(linked(wide(101), new Set(["t100"]))).toEqual([["t99", "top", "too_many_children"]]);
});

it("a parent that is not exported counts as none", () => {
  expect(placeTasks([{ id: "t", parentTaskId: "gone" }], github).get("t")).toMatchObject({ level: 0, linkId: null });
});
