import { expect, test } from "vitest";
import { mayReceive, mayTakeAway } from "./administration.ts";

const person = { id: "a", isAdministrator: false, disabledAt: null, standsFor: null, isVerified: true };

test("nobody disables or erases an administrator", () => {
  expect([mayTakeAway(person), mayTakeAway({ ...person, isAdministrator: true })]).toEqual([true, false]);
});

test("estimations are handed over to another person who can use the account, and to no administrator", () => {
  expect(mayReceive(person, { id: "b" })).toBe(true);
  const others = [
    { isAdministrator: true },
    { disabledAt: new Date() },
    { standsFor: "erased" },
    { isVerified: false },
    { id: "b" },
  ];
  for (const change of others)
    expect(mayReceive({ ...person, ...change }, { id: "b" }), JSON.stringify(change)).toBe(false);
});
