import { expect, test } from "vitest";
import { satisfies, scopeNames } from "../../contract/scopes.ts";

test("a scope is satisfied by itself and by admin, for every pair of scopes", () => {
  for (const held of scopeNames) {
    for (const required of scopeNames) expect(satisfies([held], required)).toBe(held === required || held === "admin");
  }
});
