import { expect, test } from "vitest";
import { defaultSettings } from "../../../../domain/timeline/settings.ts";
import { plant } from "../../../../domain/tree/testing/trees.ts";
import { baselineOf } from "./baseline.ts";

const tree = plant([
  {
    title: "Scope",
    kind: "group",
    options: [{ title: "Server", hours: { optimistic: 16, likely: 16, pessimistic: 16 } }],
  },
]);
const content = {
  ...{ title: "Shop", description: "", assumptions: "", clientName: null, hourlyRate: null, currency: null },
  ...{ correlation: 0.2, rounding: 0.01 as const, tree, milestones: [] },
  timeline: { ...defaultSettings, startDate: "2027-01-04", focusFactor: 1 },
};
const planned = (asOf: string) => baselineOf({ asOf, content }).map(({ start, end }) => [start, end]);

test("the plan of a version is the one of the time when it was made", () => {
  expect(planned("2026-12-01T09:00:00.000Z")).toEqual([["2027-01-04T09:00:00.000Z", "2027-01-05T17:00:00.000Z"]]);
  expect(planned("2027-02-05T13:00:00.000Z")).toEqual([["2027-02-05T13:00:00.000Z", "2027-02-09T13:00:00.000Z"]]);
});
