import { describe, expect, it, vi } from "vitest";
import { lineOfSyntaxFault, linesOf } from "./json-lines.ts";

describe("lines of a JSON text", () => {
  const text = `{
  "a/b": [1,
    {"~": 2,
     "c": [
      3]}],
  "d": 4
}`;

  it.each([
    ["", 1],
    ["/a~1b", 2],
    ["/a~1b/0", 2],
    ["/a~1b/1/~0", 3],
    ["/a~1b/1/c/0", 5],
    ["/d", 6],
    ["/d/missing", 6],
    ["/a~1b/1/missing/below", 3],
    ["/missing", 1],
  ])("are found by the pointer '%s'", (pointer, line) => {
    expect(linesOf(text, [pointer])).toEqual([line]);
    // Others that are asked for at the same time change nothing.
    expect(linesOf(text, ["/d", pointer, "/a~1b/1/c/0", "/missing"])).toEqual([6, line, 5, 1]);
  });

  it("are those of the last member if a name is given twice", () => {
    expect(linesOf('{"a":1,\n"a":\n2}', ["/a"])).toEqual([3]);
  });

  it("are found at any depth", () => {
    const deep = `${'[\n{"a":'.repeat(200)}1${"}]".repeat(200)}`;
    expect(linesOf(deep, ["/0/a".repeat(200)])).toEqual([201]);
  });

  it("are found in time that grows with the text's length, not with the length of a name times the values below", () => {
    /** Characters that were looked up in maps and sets. */
    const lookedUp = (name: string, values: number, pointers: readonly string[]): number => {
      const file = JSON.stringify({ [name]: Array(values).fill(0) });
      const looks = [vi.spyOn(Map.prototype, "get"), vi.spyOn(Map.prototype, "has"), vi.spyOn(Set.prototype, "has")];
      try {
        linesOf(file, pointers);
        lineOfSyntaxFault(`${file}]`);
        return looks.flatMap(({ mock }) => mock.calls).reduce((sum, [key]) => sum + String(key).length, 0);
      } finally {
        for (const look of looks) look.mockRestore();
      }
    };
    const name = "a".repeat(1_000);
    for (const pointers of [[`/${name}`], [`/${name}/7`, `/${name}/x`], ["/estimation"]])
      expect(lookedUp(name, 2_000, pointers)).toBeLessThan(4 * (name.length + 2_000 * "1999".length));
  });
});
