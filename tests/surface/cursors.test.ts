import { expect, test } from "vitest";
import { endpointEntries } from "../../contract/index.ts";
import { lists } from "./loops/cursors.ts";

test("the loops cover all lists that are read in pages", () => {
  const paged = endpointEntries.filter(
    ([, { response }]) => "data" in response && JSON.stringify(response.data).includes("nextCursor"),
  );
  expect(lists).toEqual(paged);
  expect(lists.length).toBeGreaterThan(4);
});
