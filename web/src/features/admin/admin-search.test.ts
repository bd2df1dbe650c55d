import { expect, test } from "vitest";
import { readAccountSearch, readEventSearch } from "./admin-search.ts";

test("an address is read as far as it makes sense", () => {
  expect(readAccountSearch({ q: "ada", state: "disabled" })).toEqual({ q: "ada", state: "disabled" });
  expect(readAccountSearch({ q: "", state: "toString" })).toEqual({ q: undefined, state: undefined });
  const none = { userId: undefined, event: undefined, from: undefined, to: undefined };
  expect(readEventSearch({ userId: 1, event: "", from: "2026-13-01", to: "today" })).toEqual(none);
  expect(readEventSearch({ from: "2026-01-31", to: "2026-02-01" })).toEqual({
    ...none,
    from: "2026-01-31",
    to: "2026-02-01",
  });
});
