import { expect, test } from "vitest";
import { holds, tellStory } from "./story.ts";

test("nothing is lost and no outcome overwritten when workers die, one is paused, and the database crashes", async () => {
  const findings = await tellStory({
    deaths: ["claimed", "sent", "answered"],
    perDeath: 40,
    deathRounds: 1,
    perCrash: 200,
    crashes: 2,
    overdue: 2_000,
  });
  expect(findings.filter((finding) => !holds(finding))).toEqual([]);
}, 180_000);
