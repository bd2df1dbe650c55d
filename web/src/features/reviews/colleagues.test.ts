import { expect, test } from "vitest";
import { colleaguesOf } from "./colleagues.ts";

const asked = (id: string) => ({ reviewer: { id, name: `Name of ${id}` } });

test("those who were asked last come first, then those who have joined, then members of teams, each once and without the reader", () => {
  const shares = [
    { userId: "b", userName: "Bob" },
    { userId: null, userName: null },
    { userId: "me", userName: "Me" },
    { userId: "d", userName: "Dora" },
  ];
  const members = [
    { userId: "d", name: "Dora" },
    { userId: "me", name: "Me" },
    { userId: "e", name: "Emil" },
  ];
  expect(colleaguesOf([asked("c"), asked("b"), asked("c")], shares, members, [], "me")).toEqual([
    { id: "c", name: "Name of c" },
    { id: "b", name: "Name of b" },
    { id: "d", name: "Dora" },
    { id: "e", name: "Emil" },
  ]);
  expect(colleaguesOf("abcdefgh".split("").map(asked), shares, [], [], "me")).toHaveLength(6);
  expect(colleaguesOf([], [], [], [], "me")).toEqual([]);
});

test("those who are asked already are left out, and those who have decided or were withdrawn are not", () => {
  const shares = ["a", "b", "c", "d"].map((id) => ({ userId: id, userName: `Name of ${id}` }));
  const reviews = (["pending", "approved", "changes_requested", "withdrawn"] as const).map((status, at) => ({
    ...asked("abcd".charAt(at)),
    status,
  }));
  const ids = colleaguesOf([asked("a"), asked("d")], shares, [], reviews, "me").map(({ id }) => id);
  expect(ids).toEqual(["d", "b", "c"]);
});
