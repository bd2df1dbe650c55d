import { expect, test } from "vitest";
import { choicesOf } from "./choices.ts";

const versions = [
  { id: "v3", number: 3, label: null },
  { id: "v2", number: 2, label: "Offer" },
  { id: "v1", number: 1, label: null },
];
const main = { title: "Main", headVersionId: "v3" };

test("with one thread, the content as it is now and the versions can be chosen", () => {
  expect([...choicesOf(versions, [main])]).toEqual([
    ["current", "Now"],
    ["v3", "Version 3"],
    ["v2", "2: Offer"],
    ["v1", "Version 1"],
  ]);
});

test("threads with the same head are one choice that names them all, and one whose head is not loaded can be chosen too", () => {
  const threads = [main, { title: "MVP", headVersionId: "v2" }, { title: "Client B", headVersionId: "v2" }];
  const old = { title: "Client C", headVersionId: "v0" };
  expect([...choicesOf(versions, [...threads, old])]).toEqual([
    ["current", "Now"],
    ["v3", "Main (Version 3)"],
    ["v2", "MVP, Client B (2: Offer)"],
    ["v0", "Client C (an older version)"],
    ["v1", "Version 1"],
  ]);
});
