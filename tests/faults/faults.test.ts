import { expect, test } from "vitest";
import { patient } from "../support/patience.ts";
import { holds } from "./finding.ts";
import { tellStory } from "./story.ts";

/** The short form: only what happens is checked; `npm run test:faults` also checks how soon. */
test("nothing is lost and no outcome overwritten when workers die, one is paused, and the database crashes", {
  timeout: patient(900_000),
}, async () => {
  const findings = await tellStory({
    deaths: ["taken", "refused", "sent", "responded"],
    perDeath: 40,
    deathRounds: 1,
    killBesideAnother: false,
    takeoverMs: null,
    perCrash: 200,
    crashes: 2,
    overdue: 2_000,
  });
  expect(findings.filter((finding) => !holds(finding))).toEqual([]);
});
