import fc from "fast-check";
import { expect, it } from "vitest";
import { alike, compareFields } from "./compare.ts";

const value = fc.constantFrom(null, "", "a", "b", "a\nb", "a\r\nb", " a ");
const fields = fc.record({ title: value, body: value, milestone: value });

it("a field is sent if it has changed only here, and what people changed there is never overwritten", () => {
  fc.assert(
    fc.property(fields, fields, fields, (wanted, last, remote) => {
      const { update, kept } = compareFields(wanted, last, remote);
      for (const field of ["title", "body", "milestone"] as const) {
        const changedHere = !alike(wanted[field], last[field]);
        const changedThere = !alike(remote[field], last[field]);
        const same = alike(wanted[field], remote[field]);
        expect(field in update).toBe(changedHere && !changedThere);
        expect(kept.find((entry) => entry.field === field)).toEqual(
          changedThere && !same ? { field, changedHere } : undefined,
        );
      }
    }),
  );
});

it("exporting again after the update sends nothing, and keeps and reports the same fields", () => {
  fc.assert(
    fc.property(fields, fields, fields, (wanted, last, remote) => {
      const first = compareFields(wanted, last, remote);
      const second = compareFields(wanted, first.pushed, { ...remote, ...first.update });
      expect(second.update).toEqual({});
      expect(second.kept).toEqual(first.kept);
      expect(second.pushed).toEqual(first.pushed);
    }),
  );
});

it("other line ends of the tracker's editor are no change", () => {
  expect(compareFields({ body: "a\nc" }, { body: "a\nb" }, { body: "a\r\nb\r\n" }).update).toEqual({ body: "a\nc" });
  expect(compareFields({ body: "new" }, {}, { body: "theirs" }).kept).toEqual([{ field: "body", changedHere: true }]);
});
