import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { findUnstorable } from "./parse-json.ts";

describe("texts that cannot be stored", () => {
  test.each([
    ["\0", [""]],
    [["a", "b\ud800"], ["/1"]],
    [{ a: { "b/c": ["\0"] }, d: "\udc00" }, ["/a/b~1c/0", "/d"]],
    [{ a: 1, b: null, c: [true, "𝄞"] }, []],
  ])("are found in %j at %j", (value, paths) => {
    expect(findUnstorable(value).map(({ path }) => path)).toEqual(paths);
  });

  test("are reported up to the limit of faults, and nothing is searched beyond", () => {
    let read = 0;
    const list = new Proxy(Array(1_000_000).fill("\0"), {
      get(target, name) {
        if (name !== "length") read += 1;
        return Reflect.get(target, name);
      },
    });
    expect(findUnstorable(list)).toHaveLength(limits.reportedFaults);
    expect(read).toBe(limits.reportedFaults);
    const fields = Object.fromEntries(Array.from({ length: limits.reportedFaults + 1 }, (_, at) => [`f${at}`, "\0"]));
    expect(findUnstorable({ fields, more: fields })).toHaveLength(limits.reportedFaults);
  });
});
