import { expect, test } from "vitest";
import { seed } from "../../support/seed.ts";
import { holds } from "../finding.ts";
import { tellExportStory } from "./story.ts";

/** The short form; `npm run test:faults` tells a longer one. */
test("every task is one issue, and the ledger says so, whatever requests, workers and the database do", async () => {
  const findings = await tellExportStory({ seed, rounds: 1, groups: 2, faulty: 0.25, kills: 1, crashes: 1, pauses: 0 });
  expect(
    findings.filter((finding) => !holds(finding)),
    `with the seed ${seed}`,
  ).toEqual([]);
}, 900_000);
