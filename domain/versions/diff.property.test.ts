import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../tests/support/runs.ts";
import { summaryHours } from "../tree/hours/roll-up.ts";
import { roundHundredth } from "../tree/hours/round.ts";
import { apply } from "./apply.ts";
import { diff } from "./diff.ts";
import { close, open, perform } from "./running.ts";
import type { Operation, Snapshot } from "./shape.ts";
import { snapshotPairs } from "./testing/snapshots.ts";

const expectedOf = ({ tree }: Snapshot): number => summaryHours(tree, { correlation: 0 }).expected;
const hundredths = (hours: number): number => Math.round(hours * 100);
const check = (law: (from: Snapshot, to: Snapshot, operations: Operation[]) => void, numRuns = runs(300)) =>
  fc.assert(
    fc.property(snapshotPairs, ([from, to]) => law(from, to, diff(from, to))),
    { numRuns },
  );

describe("the laws of a diff", () => {
  it("is empty between a snapshot and itself", () => {
    check((from) => {
      expect(diff(from, structuredClone(from))).toEqual([]);
    });
  });

  it("turns the first into the second, field by field and in their order", () => {
    check((from, to, operations) => {
      const before = JSON.stringify(from);
      const after = apply(from, operations);
      expect(JSON.stringify(after.tree)).toBe(JSON.stringify(to.tree));
      expect(after).toEqual(to);
      expect(JSON.stringify(from)).toBe(before);
    });
  });

  it("is undone by the diff back", () => {
    check((from, to, operations) => {
      expect(apply(apply(from, operations), diff(to, from))).toEqual(from);
    });
  });

  it("adds up to the difference of the expected hours", () => {
    check((from, to, operations) => {
      const sum = operations.reduce((total, { hoursDelta }) => total + hundredths(hoursDelta), 0);
      expect(sum).toBe(hundredths(expectedOf(to)) - hundredths(expectedOf(from)));
      for (const { hoursDelta } of operations) expect(hoursDelta).toBe(roundHundredth(hoursDelta));
    });
  });
});

describe("the operations of a diff", () => {
  it("change the running total by their hours", () => {
    check((from, to, operations) => {
      const running = open(from);
      let total = hundredths(expectedOf(from));
      for (const operation of operations) {
        perform(running, operation);
        total += hundredths(operation.hoursDelta);
        // Sums that are added in another order may differ in their last bit, and so by a hundredth once rounded.
        expect(Math.abs(total - hundredths(expectedOf(close(running))))).toBeLessThanOrEqual(1);
      }
      expect(total).toBe(hundredths(expectedOf(to)));
    }, 30);
  });

  it("are in the target's pre-order, settings first and removals last, and nothing is removed while it contains another", () => {
    check((_, to, operations) => {
      const order = preOrder(to);
      const places = operations
        .filter(({ op, target }) => op !== "removed" && target !== "setting")
        .map(({ id }) => order.get(id ?? ""));
      expect(places).toEqual(places.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
      const phases = operations.map(({ op, target }) => (target === "setting" ? 0 : op === "removed" ? 2 : 1));
      expect(phases).toEqual(phases.toSorted());
      for (const { op, id } of operations) if (op === "removed") expect(order.has(id)).toBe(false);
    });
  });

  it("name each node or option that was added, removed or moved once, and as it was", () => {
    check((from, to, operations) => {
      const [before, after] = [preOrder(from), preOrder(to)];
      const named = (...ops: Operation["op"][]) =>
        operations.filter(({ op }) => ops.includes(op)).map(({ id }) => id ?? "");
      expect(named("added").sort()).toEqual([...after.keys()].filter((id) => !before.has(id)).sort());
      expect(named("removed").sort()).toEqual([...before.keys()].filter((id) => !after.has(id)).sort());
      const placed = named("added", "removed", "moved", "reordered");
      expect(new Set(placed).size).toBe(placed.length);
      for (const operation of operations) {
        if ("before" in operation) expect(operation).not.toHaveProperty("before.index");
        if (operation.op === "added") {
          expect(operation.after.record).not.toHaveProperty("options");
          expect(operation.after.record).not.toHaveProperty("nodes");
        }
      }
    });
  });
});

/** Every node, option and milestone by its id with its place in pre-order, milestones last. */
function preOrder({ tree, milestones }: Snapshot): Map<string, number> {
  const order = new Map<string, number>();
  const enter = (nodes: Snapshot["tree"]["nodes"]): void => {
    for (const node of nodes) {
      order.set(node.id, order.size);
      for (const option of node.options) {
        order.set(option.id, order.size);
        enter(option.nodes);
      }
    }
  };
  enter(tree.nodes);
  for (const { id } of milestones) order.set(id, order.size);
  return order;
}
