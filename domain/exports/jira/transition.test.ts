import { expect, test } from "vitest";
import { closingTransition, type Transition } from "./transition.ts";

const done: Transition = { id: "31", to: "Done", isDone: true, needed: [], resolution: null };
const [fixed, wontDo] = [
  { id: "1", name: "Fixed" },
  { id: "2", name: "won’t do" },
];
const asks = (isNeeded: boolean, ...allowed: { id: string; name: string }[]) => ({ isNeeded, allowed });

test.each<[string, Transition[], ReturnType<typeof closingTransition>]>([
  ["none", [], null],
  ["one that does not end it", [{ ...done, isDone: false }], null],
  ["one that needs more", [{ ...done, needed: ["customfield_1"] }], null],
  ["a needed resolution without a choice", [{ ...done, resolution: asks(true) }], null],
  ["a plain one", [done], { id: "31", resolution: null }],
  ["a status that says so", [done, { ...done, id: "41", to: "Cancelled" }], { id: "41", resolution: null }],
  [
    "a resolution that says so",
    [done, { ...done, id: "51", resolution: asks(false, fixed, wontDo) }],
    { id: "51", resolution: "2" },
  ],
  [
    "a needed resolution that says nothing",
    [{ ...done, resolution: asks(true, fixed) }],
    { id: "31", resolution: "1" },
  ],
  [
    "a resolution that need not be given",
    [{ ...done, resolution: asks(false, fixed) }],
    { id: "31", resolution: null },
  ],
])("an issue that is not to be done is closed by the transition that says so: %s", (_, transitions, chosen) => {
  expect(closingTransition(transitions)).toEqual(chosen);
});
