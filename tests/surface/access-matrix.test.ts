import { expect, test } from "vitest";
import { accessLevels, rightNames } from "../../contract/rights.ts";
import { changesNothing } from "../support/dump.ts";
import { callSample } from "./call.ts";
import { accessFollowsTheRule } from "./loops/access-follows-the-rule.ts";
import { setStage } from "./loops/stage.ts";

const { title, endpoints, check } = accessFollowsTheRule;
const stage = await setStage();

test.each(endpoints)(title, (...entry) => check(stage, entry));

test("the matrix has a user of every level, also by teams, five without access, and an endpoint of every right", () => {
  const byTeams = ["viewer", "viewer", "editor"];
  const without = [null, null, null, null, null];
  expect(stage.people.map(({ level }) => level).sort()).toEqual([...accessLevels, ...byTeams, ...without].sort());
  expect(stage.people.flatMap(({ role }) => role ?? []).sort()).toEqual(["admin", "admin", "member"]);
  expect(new Set(endpoints.map(([, { right }]) => right))).toEqual(new Set([...rightNames, undefined]));
});

test("each reader sees their own level, in the record and in the list", async () => {
  const { app, world, people } = stage;
  for (const { level, session } of people) {
    const one = await app.request("GET", `/api/estimations/${world.estimation}`, { token: session });
    expect(one.data.estimation?.access).toBe(level ?? undefined);
    for (const access of accessLevels) {
      const { data } = await app.request("GET", `/api/estimations?access=${access}`, { token: session });
      const ids = (data.estimations as unknown as { id: string }[]).map(({ id }) => id);
      expect(ids.includes(world.estimation), `${level} in ${access}`).toBe(access === level);
    }
  }
});

test("a write to a deleted estimation gets 404 at every level, and changes nothing", async () => {
  const { app, world, people, undoing } = stage;
  await undoing(async () => {
    expect((await callSample(app, "deleteEstimation", world)).status).toBe(200);
    await changesNothing(app, async () => {
      for (const { name, session } of people) {
        const response = await callSample(app, "updateEstimation", world, { token: session });
        expect([response.status, response.body.message], name).toEqual([404, "not_found"]);
      }
    });
  });
});
