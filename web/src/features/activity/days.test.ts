import { expect, test } from "vitest";
import type { ActivityEntry } from "../../../../contract/endpoints/activity.ts";
import { byDay, newestOf, newsSince } from "./days.ts";

const OWN = "usr_own";
const entry = (number: number, by: string, startedAt: string, endedAt = startedAt): ActivityEntry => ({
  ...{ number, kind: "content.edited", person: { id: by, name: by }, startedAt, endedAt },
  ...{ edits: 1, hoursDelta: null, before: null, after: null, subject: {} },
});
const at = (day: number, hour = 12) => new Date(Date.UTC(2027, 0, day, hour)).toISOString();
const dayOf = (iso: string) => iso.slice(0, 10);

const entries = [
  entry(5, OWN, at(3, 9)),
  entry(4, "usr_other", at(3, 8)),
  entry(3, "usr_other", at(2, 8), at(3, 10)),
  entry(2, OWN, at(2, 7), at(3, 11)),
  entry(1, OWN, at(1)),
];

test("entries stand under the day on which they began", () => {
  const days = byDay(entries, dayOf).map(({ name, entries: of }) => [name, of.map(({ number }) => number)]);
  expect(days).toEqual([
    ["2027-01-03", [5, 4]],
    ["2027-01-02", [3, 2]],
    ["2027-01-01", [1]],
  ]);
});

test("the newest that was seen may be an edit of an older entry", () => {
  expect(newestOf(entries)).toEqual({ number: 5, at: at(3, 11) });
  expect(newestOf([])).toBeNull();
});

test("what others did since the last look is news, also where they went on with an older entry", () => {
  const news = (number: number, seen: string) => {
    const { line, continued } = newsSince({ number, at: seen }, entries, OWN);
    return [line, [...continued]];
  };
  expect(news(3, at(2, 9))).toEqual([3, [3]]);
  expect(news(3, at(3, 10))).toEqual([3, []]);
  // Own actions are none.
  expect(news(4, at(3, 10))).toEqual([null, []]);
  expect(news(5, at(3, 11))).toEqual([null, []]);
  expect(newsSince(null, entries, OWN)).toEqual({ line: null, continued: new Set() });
});
