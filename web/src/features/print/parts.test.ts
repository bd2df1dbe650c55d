import { expect, test } from "vitest";
import { PARTS, readWithout, writeWithout } from "./parts.ts";

test("an address says which parts are left out, in any order, and nothing where all are printed", () => {
  expect(writeWithout(new Set())).toBe(undefined);
  expect(readWithout(undefined).size).toBe(0);
  expect(writeWithout(new Set(["tasks", "roles"]))).toBe("roles.tasks");
  expect(readWithout("tasks.roles.curve")).toEqual(new Set(["roles", "tasks"]));
  for (const part of PARTS) expect(readWithout(writeWithout(new Set([part])))).toEqual(new Set([part]));
  expect(readWithout(writeWithout(new Set(PARTS)))).toEqual(new Set(PARTS));
});
