import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkStructure } from "../tree/check/check-structure.ts";
import { apply } from "../versions/apply.ts";
import { diff } from "../versions/diff.ts";
import type { Snapshot } from "../versions/shape.ts";
import { type Ends, merge } from "./merge.ts";
import { type Fields, type Line, read } from "./read.ts";
import { type Conflict, conflictKinds, type Resolution, type Side } from "./shape.ts";
import { editedAgain, type History, histories, unordered } from "./testing/histories.ts";

const check = (
  law: (history: History) => void,
  { most = 40, made, ...parameters }: fc.Parameters<[History]> & { most?: number; made?: number } = {},
): void => fc.assert(fc.property(histories(most, made), law), { numRuns: 80, ...parameters });

const endsOf = ({ base, into, from }: History): Ends => ({ bases: [base], into, from });
const swapped = ({ into, from, ...history }: History): History => ({ ...history, into: from, from: into });

function merged(ends: Ends, resolutions: readonly Resolution[] = []): Snapshot | null {
  const result = merge(ends, resolutions);
  return result.ok ? result.snapshot : null;
}

/** Decides every conflict for one side, until none is left. */
function allBy(side: Side, ends: Ends): { snapshot: Snapshot; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];
  for (;;) {
    const result = merge(
      ends,
      conflicts.map(({ id }) => ({ id, side })),
    );
    if (result.ok) return { snapshot: result.snapshot, conflicts };
    if (!result.conflicts || result.conflicts.length === 0) throw new Error(JSON.stringify(result));
    for (const conflict of result.conflicts) {
      if (conflicts.some(({ id }) => id === conflict.id)) throw new Error(`${conflict.id} is reported again`);
      conflicts.push(conflict);
    }
  }
}

const fieldIn = (line: Line, id: string, field: string): unknown => {
  const thing = line.things.get(id);
  if (!thing || field === "parentId") return thing?.parentId;
  if (field === "bounds") return [thing.fields.min, thing.fields.max];
  return thing.fields[field];
};

describe("a merge", () => {
  it("covers conflicts of every kind in these histories, and merges without conflicts", () => {
    const found = new Set<string>();
    check(
      (history) => {
        const { conflicts } = allBy("into", endsOf(history));
        if (conflicts.length === 0) found.add("none");
        for (const { kind } of conflicts) found.add(kind);
      },
      // A fixed seed: cycles are rare.
      { numRuns: 300, seed: 1 },
    );
    expect([...found].sort()).toEqual(["none", ...conflictKinds].sort());
  });

  it("with an unchanged side gives the other side, in its order", () => {
    check(({ base, into }) => {
      expect(merged({ bases: [base], into, from: base })).toEqual(into);
      expect(merged({ bases: [base], into: base, from: into })).toEqual(into);
      expect(merged({ bases: [base], into, from: structuredClone(into) })).toEqual(into);
    });
  });

  it("without a conflict is the same in both directions, up to order", () => {
    let clean = 0;
    check(
      (history) => {
        const [one, other] = [merge(endsOf(history)), merge(endsOf(swapped(history)))];
        expect(one.ok).toBe(other.ok);
        if (one.ok && other.ok) {
          clean += 1;
          expect(unordered(one.snapshot)).toEqual(unordered(other.snapshot));
        }
      },
      { most: 12, numRuns: 200 },
    );
    expect(clean).toBeGreaterThan(20);
  });

  it("follows every rule of a tree, however its conflicts are decided, and writes into no side", () => {
    check((history) => {
      const before = JSON.stringify(history);
      for (const side of ["into", "from"] as const) {
        const { snapshot } = allBy(side, endsOf(history));
        expect(checkStructure(snapshot.tree.nodes)).toEqual([]);
      }
      expect(JSON.stringify(history)).toBe(before);
    });
  });

  it("without a conflict has every edit of both sides", () => {
    check(
      (history) => {
        const snapshot = merged(endsOf(history));
        if (!snapshot) return;
        const result = read(snapshot);
        for (const side of ["into", "from"] as const) expectEdits(read(history.base), read(history[side]), result);
      },
      { most: 12, numRuns: 200 },
    );
  });

  it("of large trees, with up to 40 edits on each side, has every edit and is the same in both directions", () => {
    let clean = 0;
    check(
      (drawn) => {
        // Settings are the same everywhere: changes of few things seldom go without a conflict.
        const [into, from] = [drawn.into, drawn.from].map(({ tree }) => ({ ...drawn.base, tree })) as [
          Snapshot,
          Snapshot,
        ];
        const history = { ...drawn, into, from };
        const [one, other] = [merged(endsOf(history)), merged(endsOf(swapped(history)))];
        expect(one === null).toBe(other === null);
        if (!one || !other) return;
        if (history.edits.every((edits) => edits > 10)) clean += 1;
        expect(unordered(one)).toEqual(unordered(other));
        const result = read(one);
        for (const side of ["into", "from"] as const) expectEdits(read(history.base), read(history[side]), result);
      },
      // A fixed seed: most of these histories have a conflict.
      { made: 700, numRuns: 60, seed: 1 },
    );
    expect(clean).toBeGreaterThan(3);
  });

  it("with every conflict decided for one side has that side's values there", () => {
    check((history) => {
      for (const side of ["into", "from"] as const) {
        const { snapshot, conflicts } = allBy(side, endsOf(history));
        const [line, result] = [read(history[side]), read(snapshot)];
        for (const { kind, target, thingId, field, things } of conflicts) {
          if (target === "setting" || thingId === null) continue;
          if (kind === "removed") expect(result.things.has(thingId)).toBe(line.things.has(thingId));
          if (kind === "changed" && field !== "choice") {
            // Where a rule that was decided later took the thing away, there is no value left.
            if (result.things.has(thingId))
              expect(fieldIn(result, thingId, field ?? "")).toEqual(fieldIn(line, thingId, field ?? ""));
          }
          if (kind === "moved" || kind === "moved_into_itself") {
            for (const id of kind === "moved" ? [thingId] : [thingId, ...things])
              if (line.things.has(id)) expect(fieldIn(result, id, "parentId")).toBe(fieldIn(line, id, "parentId"));
          }
        }
      }
    });
  });

  it("changes nothing when it is repeated", () => {
    check((history) => {
      const { base, from } = history;
      const { snapshot } = allBy("from", endsOf(history));
      // The merge has both sides as parents: the merged side is now the nearest common ancestor.
      expect(merged({ bases: [from], into: snapshot, from })).toEqual(snapshot);
      const clean = merged(endsOf(history));
      if (clean) expect(unordered(merged({ bases: [base], into: clean, from }) as Snapshot)).toEqual(unordered(clean));
    });
  });

  it("equals the target side with the diff of the dry run applied", () => {
    check((history) => {
      const { snapshot } = allBy("from", endsOf(history));
      expect(apply(history.into, diff(history.into, snapshot))).toEqual(snapshot);
    });
  });

  it("names a conflict by the same id each time, and by another once a value changes", () => {
    check((history) => {
      const [one, other] = [merge(endsOf(history)), merge(structuredClone(endsOf(history)))];
      expect(one).toEqual(other);
      if (one.ok || !one.conflicts) return;
      expect(new Set(one.conflicts.map(({ id }) => id)).size).toBe(one.conflicts.length);
    });
  });

  it("of lines that were merged crosswise and edited again asks people again about every earlier decision", () => {
    let [decidedApart, removedApart] = [0, 0];
    check(
      (history) => {
        const { into, from } = history;
        // Each line decided for its own values, so they differ wherever there was a conflict.
        const left = editedAgain(allBy("into", endsOf(history)).snapshot, "left-");
        const right = editedAgain(allBy("into", endsOf(swapped(history))).snapshot, "right-");
        const ends: Ends = { bases: [into, from], into: left, from: right };
        const [one, other] = [read(into), read(from)];
        const lines = { into: read(left), from: read(right) };
        for (const side of ["into", "from"] as const) {
          const { snapshot } = allBy(side, ends);
          expect(checkStructure(snapshot.tree.nodes)).toEqual([]);
          const result = read(snapshot);
          for (const id of new Set([...one.things.keys(), ...other.things.keys()])) {
            if (one.things.has(id) === other.things.has(id)) continue;
            if (lines.into.things.has(id) === lines.from.things.has(id)) continue;
            removedApart += 1;
            expect(result.things.has(id)).toBe(lines[side].things.has(id));
          }
          for (const [id, thing] of result.things) {
            const [ours, theirs] = [lines.into.things.get(id), lines.from.things.get(id)];
            if (!ours || !theirs) continue;
            for (const field of ["title", "hours", "quantity", "override", "role", "kind"]) {
              if (JSON.stringify(fieldIn(one, id, field)) === JSON.stringify(fieldIn(other, id, field))) continue;
              decidedApart += JSON.stringify(ours.fields[field]) === JSON.stringify(theirs.fields[field]) ? 0 : 1;
              expect(thing.fields[field]).toEqual(lines[side].things.get(id)?.fields[field]);
            }
          }
        }
      },
      { most: 20, numRuns: 200 },
    );
    expect(decidedApart).toBeGreaterThan(20);
    expect(removedApart).toBeGreaterThan(20);
  });
});

/** Every field, place, addition and removal of one line is in the result. */
function expectEdits(base: Line, line: Line, result: Line): void {
  for (const [id, thing] of line.things) {
    const [before, after] = [base.things.get(id), result.things.get(id)];
    if (!before) expect(after?.fields.title).toBe(thing.fields.title);
    if (before && !after) expect(recordOf(thing.fields)).toEqual(recordOf(before.fields));
    if (!before || !after) continue;
    if (thing.fields.selected !== before.fields.selected) expect(after.fields.selected).toBe(thing.fields.selected);
    if (thing.parentId !== before.parentId) expect(after.parentId).toBe(thing.parentId);
    for (const [field, value] of Object.entries(recordOf(thing.fields))) {
      const had = before.fields[field];
      if (Array.isArray(value)) {
        const [now, then] = [after.fields[field] as unknown[], had as unknown[]];
        for (const one of value) if (!then.includes(one) && result.things.has(String(one))) expect(now).toContain(one);
        for (const one of then) if (!value.includes(one)) expect(now).not.toContain(one);
      } else if (JSON.stringify(value) !== JSON.stringify(had)) expect(after.fields[field]).toEqual(value);
    }
  }
  for (const id of base.things.keys()) if (!line.things.has(id)) expect(result.things.has(id)).toBe(false);
}

const recordOf = ({ options: _, nodes: __, selected: ___, ...fields }: Fields): Fields => fields;
