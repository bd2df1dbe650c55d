import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import type { Follower } from "../estimations/index.ts";
import { presenceOf } from "./presence.ts";

const follower = (number: number, more: Partial<Follower> = {}): Follower => ({
  streamId: `str_${number}`,
  estimationId: "est_1",
  userId: `usr_${number}`,
  name: `P${number}`,
  lineId: null,
  isPerson: true,
  revision: 1,
  level: "editor",
  ...more,
});
const idsOf = (present: ReturnType<ReturnType<typeof presenceOf>>) => present.present.people.map(({ id }) => id);

test("everybody sees as many others as may be named, and never themselves", () => {
  const there = Array.from({ length: limits.livePeople + 5 }, (_, number) => follower(number));
  const seenBy = presenceOf(there);
  for (const own of there) {
    const seen = seenBy(own);
    expect(seen.present.others).toBe(there.length - 1);
    expect(idsOf(seen)).toEqual(
      there
        .map(({ userId }) => userId)
        .filter((id) => id !== own.userId)
        .slice(0, limits.livePeople),
    );
    expect(JSON.parse(seen.text)).toEqual(seen.present);
  }
});

test("who may not edit gets a number; programs and who lost the access are nobody", () => {
  const viewer = follower(1, { level: "viewer", lineId: "nod_1" });
  const there = [follower(0), viewer, follower(2, { isPerson: false }), follower(3, { level: null })];
  const seenBy = presenceOf(there);
  expect(seenBy(viewer).present).toEqual({ others: 1, people: [] });
  expect(seenBy(follower(0)).present).toEqual({ others: 1, people: [{ id: "usr_1", name: "P1", lineId: "nod_1" }] });
  expect(seenBy(follower(2, { isPerson: false })).present.others).toBe(2);
});

test("however many are there, only those who are named get a list of their own", () => {
  const there = Array.from({ length: 20 * limits.livePeople }, (_, number) =>
    follower(number, number % 3 === 0 ? { level: "viewer" } : {}),
  );
  const seenBy = presenceOf(there);
  expect(new Set(there.map(seenBy)).size).toBeLessThanOrEqual(limits.livePeople + 3);
});
