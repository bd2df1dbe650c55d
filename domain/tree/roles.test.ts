import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { changedRole, roleKey, writtenRole } from "./roles.ts";

describe("a role", () => {
  it.each([
    ["  Backend ", "Backend"],
    ["lead\u00a0 \tdeveloper", "lead developer"],
    ["Back\u200bend\ufeff", "Backend"],
    ["Gesta\u0301o", "Gestáo"],
    ["می\u200cخواهم", "می\u200cخواهم"],
    ["", null],
    [" \u00a0\u2003", null],
    ["\u200b\u200d\u3164", null],
    [null, null],
  ])("%j is stored as %j", (given, stored) => expect(writtenRole(given)).toBe(stored));

  it.each([
    ["Backend", " backend  "],
    ["UX", "ＵＸ"],
    ["Lead  Developer", "lead\u00a0developer"],
    ["QUALITÄT", "qualita\u0308t"],
    ["STRASSE", "straße"],
    ["ΣΟΦΟΣ", "σοφος"],
    ["", null],
  ])("%j is the same as %j", (one, other) => expect(roleKey(one)).toBe(roleKey(other)));

  it.each([
    ["backend", "back end"],
    ["C", "C#"],
    ["a", null],
  ])("%j is not the same as %j", (one, other) => expect(roleKey(one)).not.toBe(roleKey(other)));

  it("stays as it was stored if it is only spelled otherwise", () => {
    expect(changedRole(" Backend", "Backend ")).toBe(" Backend");
    expect(changedRole("", null)).toBe("");
    expect(changedRole("Backend", "backend")).toBe("backend");
    expect(changedRole("Backend", " ")).toBeNull();
    expect(changedRole(null, " x ")).toBe("x");
  });

  it("is stored the same when it is written again, means the same people as before, and never becomes too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: limits.roleLength }), (role) => {
        const written = writtenRole(role);
        expect(writtenRole(written)).toBe(written);
        expect(roleKey(written)).toBe(roleKey(role));
        expect(written?.length ?? 0).toBeLessThanOrEqual(role.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
