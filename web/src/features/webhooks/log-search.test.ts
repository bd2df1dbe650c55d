import { expect, test } from "vitest";
import { readLogSearch } from "./log-search.ts";

test("an address with a status that does not exist shows all of them", () => {
  expect(readLogSearch({ status: "failed", event: "webhook.test" })).toEqual({
    status: "failed",
    event: "webhook.test",
  });
  for (const status of ["nonsense", "toString", 3, ["failed"], ""])
    expect(readLogSearch({ status, event: "" })).toEqual({ status: undefined, event: undefined });
});
